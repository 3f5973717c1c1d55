# The compiler of the test programs, INFERBENCH_TEST_COMPILER.
#
# clang compiles a test in less than two thirds of the time of g++ (docs/building.md), and the tests
# are half of the build. Therefore clang compiles the test programs of a build with g++ if it is
# installed. The product, that is the program, the plugins and the libraries that the tests link, has
# the compiler of the build. -DINFERBENCH_TEST_COMPILER=OFF compiles the tests with that compiler, too.
#
# A build of CMake has one compiler for each language. cmake/with_clang is a compiler launcher, that is
# the command which CMake puts before the command of the compiler.
set(INFERBENCH_TEST_LAUNCHER)
# The flags of a sanitizer, and object files for optimisation at link time, are the compiler's own.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR INFERBENCH_SANITIZE
   OR CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_CXX_FLAGS MATCHES "-flto")
  return()
endif()
find_program(INFERBENCH_TEST_COMPILER NAMES clang++-19 clang++
             DOC "The compiler of the test programs; OFF: that of the build")
if(NOT INFERBENCH_TEST_COMPILER)
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
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
set(launcher "${CMAKE_CURRENT_LIST_DIR}/with_clang" "${INFERBENCH_TEST_COMPILER}"
             "${CMAKE_CXX_COMPILER}")
execute_process(COMMAND ${launcher} "${CMAKE_CXX_COMPILER}" ${flags} -std=c++20 -fsyntax-only
                        "${probe}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(NOT status EQUAL 0)
  message(STATUS "${INFERBENCH_TEST_COMPILER} cannot compile the tests; ${CMAKE_CXX_COMPILER} does")
  return()
endif()
set(INFERBENCH_TEST_LAUNCHER ${launcher} ${CMAKE_CXX_COMPILER_LAUNCHER})
