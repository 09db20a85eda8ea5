# driftgate_add_test(NAME SOURCES ... LIBS ... LABELS ...): a GoogleTest program, each of its tests known to
# ctest. `fast` among the labels also makes it part of the target fast_tests.
find_package(GTest REQUIRED)
include(GoogleTest)
add_custom_target(fast_tests)

function(driftgate_add_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE driftgate_flags ${arg_LIBS} GTest::gtest_main)
  # A list of labels would keep its first only, so each has its own LABELS.
  set(labels ${arg_LABELS})
  list(TRANSFORM labels PREPEND "LABELS;")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${labels})
  if("fast" IN_LIST arg_LABELS)
    add_dependencies(fast_tests ${name})
  endif()
endfunction()
