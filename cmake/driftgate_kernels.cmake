# From kernel sources to builds and gates. Used in driftgate's own tree and, through
# find_package(driftgate), by projects outside, so that both compile and test a kernel alike.

# A shared object of kernels that exports nothing but dg_plugin_kernels:
#   driftgate_add_plugin(name SOURCES file... [DIRECTORY folder])      default: <build>/plugins
function(driftgate_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "SOURCES")
  if(NOT arg_DIRECTORY)
    set(arg_DIRECTORY ${CMAKE_BINARY_DIR}/plugins)
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  # driftgate_flags: the warnings and sanitizers of driftgate's own build, where this is one.
  target_link_libraries(${name} PRIVATE driftgate::kernel $<TARGET_NAME_IF_EXISTS:driftgate_flags>)
  set_target_properties(
    ${name}
    PROPERTIES PREFIX ""
               SUFFIX .so
               LIBRARY_OUTPUT_DIRECTORY ${arg_DIRECTORY}
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# The test gate.<kernel>: the program with these arguments, which verify that kernel.
function(driftgate_add_gate kernel)
  add_test(NAME gate.${kernel} COMMAND $<TARGET_FILE:driftgate::driftgate> ${ARGN} --out
                                       ${CMAKE_BINARY_DIR}/gate/${kernel})
  set_tests_properties(gate.${kernel} PROPERTIES LABELS gate TIMEOUT 600)
endfunction()

# Sets `unit` to a generated file that compiles `source` for `backend` (host or cuda). The kernel is
# the dg_kernel whose name is the source's stem; `offer` says what becomes of it: "register" enters
# it into the program, "export" makes it a plugin's only kernel, "compile" leaves it at that. Of two
# units in one plugin, the host's "lend"s its kernel, and the device's exports both: "export_both".
function(driftgate_kernel_unit unit source backend offer)
  cmake_path(GET source STEM kernel)
  set(symbol driftgate::kernels::${backend}::${kernel})
  set(register "#include \"kernels/abi/registry.hpp\"

static const driftgate::abi::registrar registered(${symbol});
")
  set(export
      "extern \"C\" int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  *kernels = &${symbol};
  *count = 1;
  return 0;
}
")
  set(lend "dg_kernel driftgate_${kernel}_on_host() {
  return ${symbol};
}
")
  set(export_both
      "dg_kernel driftgate_${kernel}_on_host();

extern \"C\" int dg_plugin_kernels(const dg_kernel** kernels, int32_t* count) {
  static const dg_kernel both[] = {driftgate_${kernel}_on_host(), ${symbol}};
  *kernels = both;
  *count = 2;
  return 0;
}
")
  set(compile "static_assert(sizeof(${symbol}) == sizeof(dg_kernel), \"it must be a dg_kernel\");
")
  set(extension_host cpp)
  set(extension_cuda cu)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/units/${kernel}.${backend}.${extension_${backend}})
  file(CONFIGURE OUTPUT ${file} @ONLY
       CONTENT "// Generated from ${source}.\n#include \"${source}\"\n\n${${offer}}")
  set(${unit} ${file} PARENT_SCOPE)
endfunction()

# Every .cu file in the folder is a kernel of the file's name. Each is compiled for the host, and for
# the device as well where the language CUDA is enabled, and gets the test gate.<kernel>.
# In driftgate's tree the program holds the kernels. Outside, each becomes a plugin: target
# <kernel>_plugin, file plugins/<kernel>.so; the device's objects are the target <kernel>_cuda.
function(driftgate_add_kernel folder)
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cu)
  if(NOT sources)
    message(FATAL_ERROR "driftgate_add_kernel: there is no .cu file in ${folder}")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM kernel)
    if(TARGET driftgate_kernels)
      driftgate_kernel_unit(unit ${source} host register)
      target_sources(driftgate_kernels PRIVATE ${unit})
      driftgate_add_gate(${kernel} verify ${kernel} --device cpu --no-page)
      set_property(GLOBAL APPEND PROPERTY DRIFTGATE_KERNEL_NAMES ${kernel})
    else()
      driftgate_kernel_unit(unit ${source} host export)
      driftgate_add_plugin(${kernel}_plugin SOURCES ${unit})
      set_target_properties(${kernel}_plugin PROPERTIES OUTPUT_NAME ${kernel})
      driftgate_add_gate(${kernel} check $<TARGET_FILE:${kernel}_plugin>)
    endif()

    if("CUDA" IN_LIST languages)
      if(TARGET driftgate_kernels_cuda)
        driftgate_kernel_unit(unit ${source} cuda register)
        target_sources(driftgate_kernels_cuda PRIVATE ${unit})
        driftgate_add_gate(${kernel}.cuda verify ${kernel} --device cuda --no-page)
        # Without a device the program says so and ends with 3. Two labels take two properties.
        set_tests_properties(gate.${kernel}.cuda PROPERTIES LABELS gate LABELS gpu SKIP_RETURN_CODE 3
                                                            RESOURCE_LOCK gpu TIMEOUT 1200)
      else()
        driftgate_kernel_unit(unit ${source} cuda compile)
        add_library(${kernel}_cuda OBJECT ${unit})
        target_link_libraries(${kernel}_cuda PRIVATE driftgate::kernel)
        set_target_properties(${kernel}_cuda PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
      endif()
    endif()
  endforeach()
endfunction()
