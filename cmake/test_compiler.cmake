# The compiler of the test programs, INFERBENCH_TEST_COMPILER.
#
# clang compiles a test in less than two thirds of the time of g++ (docs/building.md), and the tests
# are half of the build. Therefore clang compiles the test programs of a build with g++ if it is
# installed. The product, that is the program, the plugins and the libraries that the tests link,
# has the compiler of the build. -DINFERBENCH_TEST_COMPILER=OFF compiles the tests with that
# compiler, too.
#
# A build of CMake has one compiler for each language. cmake/with_clang is a compiler launcher, that
# is the command which CMake puts before the command of the compiler.
set(INFERBENCH_TEST_LAUNCHER)
string(TOUPPER "_${CMAKE_BUILD_TYPE}" config)
set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS${config}}")
# Sanitizers, coverage, profiles and optimisation at link time have libraries or object files of
# their compiler. CMAKE_CXX_COMPILER_ARG1 is set if the compiler is a command such as "ccache g++".
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_ARG1 OR CMAKE_CROSSCOMPILING
   OR INFERBENCH_SANITIZE OR flags MATCHES "-flto|-fsanitize|-coverage|-fprofile"
   OR CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_INTERPROCEDURAL_OPTIMIZATION${config})
  return()
endif()
find_program(INFERBENCH_TEST_COMPILER NAMES clang++-19 clang++
             DOC "The compiler of the test programs; OFF: that of the build")
if(NOT INFERBENCH_TEST_COMPILER)
  if(INFERBENCH_TEST_COMPILER MATCHES "NOTFOUND")
    message(${INFERBENCH_MISSING} "no clang++: ${CMAKE_CXX_COMPILER} compiles the tests")
  endif()
  return()
endif()

# Debian 12's clang 14 cannot compile the ranges of libstdc++ 12, and the user's flags may be flags
# that only g++ knows.
set(probe "${PROJECT_BINARY_DIR}/test_compiler_probe.cpp")
file(CONFIGURE OUTPUT "${probe}" CONTENT [[
#include <ranges>
#include <string>
int main() {
  const std::string text = "ab";
  for (const char c : text | std::views::filter([](char each) { return each > 'a'; })) return c;
}
]] @ONLY)
separate_arguments(flags UNIX_COMMAND "${flags}")
set(launcher "${PROJECT_SOURCE_DIR}/cmake/with_clang" "${INFERBENCH_TEST_COMPILER}"
             "${CMAKE_CXX_COMPILER}")
execute_process(COMMAND ${launcher} "${CMAKE_CXX_COMPILER}" ${flags} -std=c++20 -fsyntax-only
                        "${probe}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE reason)
if(NOT status EQUAL 0)
  set(refused "${INFERBENCH_TEST_COMPILER}")
  # The next run of CMake finds a clang that is installed later.
  unset(INFERBENCH_TEST_COMPILER CACHE)
  message(${INFERBENCH_MISSING} "${refused} cannot compile the tests, so ${CMAKE_CXX_COMPILER} "
                                "compiles them:\n${reason}")
  return()
endif()
set(INFERBENCH_TEST_LAUNCHER ${launcher} ${CMAKE_CXX_COMPILER_LAUNCHER})
