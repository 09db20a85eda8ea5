# What `cmake --install` puts where: the program, the report tool beside it (gate/installation.cpp
# finds it from the program's own path), the headers that kernels include, and the CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS driftgate EXPORT driftgateTargets DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS driftgate_kernel EXPORT driftgateTargets)

# Kernels say #include "driftgate/kernel.h" and #include "kernels/backend/...".
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/abi/include/driftgate
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/backend
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/driftgate/kernels
  FILES_MATCHING PATTERN *.cuh)

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/reports
  DESTINATION ${CMAKE_INSTALL_DATADIR}/driftgate
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/driftgate)
install(EXPORT driftgateTargets NAMESPACE driftgate:: DESTINATION ${package})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/driftgateConfig.cmake.in ${PROJECT_BINARY_DIR}/driftgateConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/driftgateConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/driftgateConfig.cmake
              ${PROJECT_BINARY_DIR}/driftgateConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/driftgate_kernels.cmake DESTINATION ${package})
