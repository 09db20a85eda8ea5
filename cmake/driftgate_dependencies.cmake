# The libraries, each under one name of ours. MPFR offers pkg-config only; rapidcheck's target has no namespace.
find_package(PkgConfig REQUIRED)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
find_package(rapidcheck REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(dlpack REQUIRED)
find_package(Threads REQUIRED)

add_library(driftgate_mpfr INTERFACE)
target_link_libraries(driftgate_mpfr INTERFACE PkgConfig::MPFR gmp)
