# How the product's libraries are compiled, and the targets of the framework and of the tests.

# inferbench_compile(TARGET [HOT | COLD]): the optimisation of a library of framework/ or plugins/.
# Optimisation takes much of a compiler's time (docs/building.md), and code that runs seldom does not
# need it.
#
#            Release  with a sanitizer
# HOT        -O3      -O1               the tests call the code very often
# (neither)  -O3      -O0
# COLD       -O1      -O0               the code runs before or after the measurement, or seldom, or
#                                       on another thread than the workers that send and receive
#
# A build uses two levels. Each level has a precompiled header, with the headers of the standard
# library that most sources include, because a compiler rejects a precompiled header of another level.
# It also rejects a precompiled header that was made with macros which a source lacks, so the targets
# of the precompiled headers link nothing. <filesystem> is left out: it declares std::quoted, which a
# call of our functions named quoted would find, too. Without unity builds, each source reads its own
# headers, so that a missing #include is an error.
set(INFERBENCH_FAST_FLAGS)
set(INFERBENCH_PLAIN_FLAGS "$<$<NOT:$<CONFIG:Debug>>:-O1>")
if(INFERBENCH_SANITIZE)
  set(INFERBENCH_PLAIN_FLAGS -O0)
endif()
if(INFERBENCH_UNITY)
  foreach(level IN ITEMS FAST PLAIN)
    string(TOLOWER "${level}_headers" headers)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${headers}.cpp" CONTENT "")
    add_library(${headers} STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/${headers}.cpp")
    target_compile_options(${headers} PRIVATE ${INFERBENCH_${level}_FLAGS})
    target_precompile_headers(
      ${headers}
      PRIVATE <algorithm> <array> <atomic> <cassert> <charconv> <chrono> <cmath> <cstdint>
              <cstring> <functional> <iterator> <map> <memory> <mutex> <optional> <set> <span>
              <string> <string_view> <system_error> <tuple> <utility> <vector>)
  endforeach()
endif()
function(inferbench_compile target)
  set(level FAST)
  if("COLD" IN_LIST ARGN OR (INFERBENCH_SANITIZE AND NOT "HOT" IN_LIST ARGN))
    set(level PLAIN)
  endif()
  target_compile_options(${target} PRIVATE ${INFERBENCH_${level}_FLAGS})
  if(INFERBENCH_UNITY)
    string(TOLOWER "${level}_headers" headers)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

# A framework folder is one static library, and its tests are one program. Both take every file of
# their folder: the layering test checks whole folders, so a separate list of files could only
# disagree with the folder.

# inferbench_folder(NAME [HOT | COLD] [USES folders...] [LINK libs...]): framework/NAME/*.cpp ->
# inferbench::NAME, which links the folders that it uses. A folder can only use folders that
# were declared before it. HOT and COLD: see inferbench_compile().
function(inferbench_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;COLD" "" "USES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inferbench_folder(${name}): cannot read ${arg_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  set(target inferbench_${name})
  add_library(${target} STATIC ${sources})
  add_library(inferbench::${name} ALIAS ${target})
  list(TRANSFORM arg_USES PREPEND inferbench::)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/framework")
  target_link_libraries(${target} PUBLIC inferbench::sdk ${arg_USES} ${arg_LINK})
  set(speed)
  if(arg_HOT)
    set(speed HOT)
  elseif(arg_COLD)
    set(speed COLD)
  endif()
  inferbench_compile(${target} ${speed})
  set_property(GLOBAL APPEND PROPERTY INFERBENCH_FOLDERS ${target})
endfunction()

# inferbench_embed(TARGET NAMESPACE PAGE): the text of the file PAGE, below the root of the project,
# becomes NAMESPACE::embedded_page in the header embedded_page.hpp, which TARGET can include. The
# page is built by web/build.mjs and committed, so a build needs no npm. A raw string is enough: g++
# compiles a megabyte in a second.
function(inferbench_embed target namespace page)
  set(file "${PROJECT_SOURCE_DIR}/${page}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" PAGE)
  set(NAMESPACE ${namespace})
  configure_file("${PROJECT_SOURCE_DIR}/cmake/embedded_page.hpp.in" embedded_page.hpp @ONLY)
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

# For internal use: the compiler of a test program, or of its precompiled header.
function(inferbench_compile_test target)
  if(INFERBENCH_TEST_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${INFERBENCH_TEST_LAUNCHER}")
  endif()
endfunction()

# The program, its plugins and the tests with more than one thread: the targets for ThreadSanitizer.
add_custom_target(threads)

# inferbench_test(NAME SOURCES files... [LINK libs...] [ENVIRONMENT VAR=value...]
#                 [THREADS | THREADS_IN files... [THREADS_CASES FILTER]] [ADDRESSES_IN files...]
#                 [SHARDS N])
# THREADS        the test has more than one thread. The build with ThreadSanitizer has only the
#                tests with THREADS or THREADS_IN.
# THREADS_IN     only these of the sources have cases with more than one thread, or are needed by
#                such cases: the build with ThreadSanitizer has no other sources of the test.
# THREADS_CASES  ThreadSanitizer runs only the cases that FILTER, a filter of GoogleTest, selects.
# ADDRESSES_IN   the build with AddressSanitizer has only these sources of the test.
# SHARDS         ctest runs the program as N tests NAME.1, NAME.2, ..., each with a part of the
#                cases.
function(inferbench_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADS" "THREADS_CASES;SHARDS"
                        "SOURCES;LINK;ENVIRONMENT;THREADS_IN;ADDRESSES_IN")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inferbench_test(${name}): cannot read ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(sources ${arg_SOURCES})
  set(filter)
  if(INFERBENCH_SANITIZE MATCHES "thread")
    if(arg_THREADS_IN)
      set(sources ${arg_THREADS_IN})
    endif()
    if(arg_THREADS_CASES)
      set(filter "--gtest_filter=${arg_THREADS_CASES}")
    endif()
  elseif(INFERBENCH_SANITIZE MATCHES "address" AND arg_ADDRESSES_IN)
    set(sources ${arg_ADDRESSES_IN})
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(
    ${name} PRIVATE INFERBENCH_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
                    INFERBENCH_SOURCE="${PROJECT_SOURCE_DIR}"
                    INFERBENCH_BINARY="${PROJECT_BINARY_DIR}/bin/inferbench"
                    INFERBENCH_PLUGIN_FOLDER="${PROJECT_BINARY_DIR}/lib/inferbench/plugins")
  inferbench_compile_test(${name})
  target_precompile_headers(${name} REUSE_FROM test_headers)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  set(labels)
  if(arg_THREADS OR arg_THREADS_IN)
    list(APPEND labels threads)
    add_dependencies(threads ${name})
  endif()
  set(shards 1)
  if(arg_SHARDS)
    set(shards ${arg_SHARDS})
  endif()
  foreach(shard RANGE 1 ${shards})
    set(test ${name})
    if(shards GREATER 1)
      set(test ${name}.${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${test} COMMAND ${name} --gtest_brief=1 ${filter})
    # No test may request a model from a hub, or reach its own servers through the user's proxy.
    set(proxies http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY)
    list(TRANSFORM proxies APPEND "=unset:")
    set_tests_properties(
      ${test} PROPERTIES TIMEOUT 600 LABELS "${labels}" ENVIRONMENT
                         "HF_HUB_OFFLINE=1;GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};${arg_ENVIRONMENT}"
                         ENVIRONMENT_MODIFICATION "${proxies}")
  endforeach()
endfunction()
