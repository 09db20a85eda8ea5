# Flags that every target shares. Contraction is off everywhere: a fused multiply-add appears only where
# the source says fma, so that host and device round alike and the oracle is what its text says.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(DRIFTGATE_WERROR "Treat compiler warnings as errors" OFF)
set(DRIFTGATE_SANITIZE "" CACHE STRING "Sanitizers for the host build, e.g. address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(driftgate_flags INTERFACE)
target_include_directories(driftgate_flags INTERFACE ${PROJECT_SOURCE_DIR}
                                                     ${PROJECT_SOURCE_DIR}/kernels/abi/include)
target_compile_options(
  driftgate_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -ffp-contract=off
            -fno-math-errno
            -Wno-psabi>)
# GCC 12 sees overlaps in std::string's own concatenation (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(driftgate_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(DRIFTGATE_WERROR)
  target_compile_options(driftgate_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(DRIFTGATE_SANITIZE)
  target_compile_options(
    driftgate_flags INTERFACE -fsanitize=${DRIFTGATE_SANITIZE} -fno-sanitize-recover=all
                              -fno-omit-frame-pointer)
  target_link_options(driftgate_flags INTERFACE -fsanitize=${DRIFTGATE_SANITIZE})
endif()
