# From kernel sources (kernels/<name>/<stem>.cu) to targets, and plugins.

option(DRIFTGATE_CUDA "Build every kernel for CUDA devices, too" OFF)
if(DRIFTGATE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "DRIFTGATE_CUDA is ON, but there is no nvcc in PATH or CMAKE_CUDA_COMPILER")
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()

# Adds to the object library `target` a unit per source that compiles it for `backend` (host or cuda) and
# registers its kernel, the dg_kernel whose name is the file's stem.
function(driftgate_add_kernel_units target backend)
  set(extension_host cpp)
  set(extension_cuda cu)
  foreach(source ${ARGN})
    cmake_path(GET source STEM kernel)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/units/${kernel}.${backend}.${extension_${backend}})
    file(CONFIGURE OUTPUT ${unit} @ONLY CONTENT [[
// Generated from @source@.
#include "@source@"

#include "kernels/abi/registry.hpp"

static const driftgate::abi::registrar registered(driftgate::kernels::@backend@::@kernel@);
]])
    target_sources(${target} PRIVATE ${unit})
  endforeach()
endfunction()

# A shared object of kernels that exports nothing but dg_plugin_kernels:
#   driftgate_add_plugin(name SOURCES file... [DIRECTORY folder])      default: <build>/plugins
function(driftgate_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "SOURCES")
  if(NOT arg_DIRECTORY)
    set(arg_DIRECTORY ${CMAKE_BINARY_DIR}/plugins)
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE driftgate_flags)
  set_target_properties(
    ${name}
    PROPERTIES PREFIX ""
               LIBRARY_OUTPUT_DIRECTORY ${arg_DIRECTORY}
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
endfunction()
