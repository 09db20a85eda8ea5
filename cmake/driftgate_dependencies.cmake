# The libraries, each under one name of ours. MPFR offers pkg-config only; rapidcheck's target has no namespace.
find_package(PkgConfig REQUIRED)
pkg_check_modules(MPFR REQUIRED mpfr)
find_package(rapidcheck REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(dlpack REQUIRED)
find_package(Threads REQUIRED)

# The archives where they are installed, so that the program can be copied to a machine without them.
find_library(DRIFTGATE_MPFR_LIBRARY NAMES libmpfr.a mpfr HINTS ${MPFR_LIBRARY_DIRS} REQUIRED)
find_library(DRIFTGATE_GMP_LIBRARY NAMES libgmp.a gmp HINTS ${MPFR_LIBRARY_DIRS} REQUIRED)
add_library(driftgate_mpfr INTERFACE)
target_include_directories(driftgate_mpfr SYSTEM INTERFACE ${MPFR_INCLUDE_DIRS})
target_link_libraries(driftgate_mpfr INTERFACE ${DRIFTGATE_MPFR_LIBRARY} ${DRIFTGATE_GMP_LIBRARY})

# Debian has no archive of libfmt, but its headers can do without the library.
option(DRIFTGATE_STANDALONE "Link all but libc statically, for machines that lack the libraries" OFF)
add_library(driftgate_fmt INTERFACE)
if(DRIFTGATE_STANDALONE)
  target_link_libraries(driftgate_fmt INTERFACE fmt::fmt-header-only)
  add_link_options(-static-libstdc++ -static-libgcc)
else()
  target_link_libraries(driftgate_fmt INTERFACE fmt::fmt)
endif()
