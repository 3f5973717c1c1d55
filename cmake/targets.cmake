# A framework folder is one static library, and its tests are one program. Both
# take every file of their folder: the folder is the unit that the layering test
# reads, so a list of files beside it could only disagree with it.

# inferbench_folder(NAME [LINK libs...]): framework/NAME/*.cpp -> inferbench::NAME.
# It links every folder before it and nothing after it; framework/CMakeLists.txt
# holds the order.
function(inferbench_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;PRECOMPILE")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  get_property(before GLOBAL PROPERTY INFERBENCH_FOLDERS)
  set(target inferbench_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(inferbench::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/framework")
  target_link_libraries(${target} ${scope} inferbench::sdk ${before} ${arg_LINK})
  if(sources AND arg_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${arg_PRECOMPILE})
  endif()
  set_property(GLOBAL APPEND PROPERTY INFERBENCH_FOLDERS ${target})
endfunction()

# inferbench_test(NAME SOURCES files... [LINK libs...] [ENVIRONMENT VAR=value...])
function(inferbench_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;ENVIRONMENT")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(
    ${name} PRIVATE INFERBENCH_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
                    INFERBENCH_SOURCE="${PROJECT_SOURCE_DIR}"
                    INFERBENCH_BINARY="${PROJECT_BINARY_DIR}/bin/inferbench"
                    INFERBENCH_PLUGIN_FOLDER="${PROJECT_BINARY_DIR}/lib/inferbench/plugins")
  # A test is compiled more often than its run would gain by optimisation, and the headers of all
  # tests are read once, for the first of them.
  target_compile_options(${name} PRIVATE -O0)
  get_property(first GLOBAL PROPERTY INFERBENCH_FIRST_TEST)
  if(first)
    target_precompile_headers(${name} REUSE_FROM ${first})
  else()
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h> <string> <vector>)
    set_property(GLOBAL PROPERTY INFERBENCH_FIRST_TEST ${name})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  # No test may ask a hub for a model.
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT
                                          "HF_HUB_OFFLINE=1;${arg_ENVIRONMENT}")
endfunction()
