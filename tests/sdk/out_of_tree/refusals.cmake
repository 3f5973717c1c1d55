# Checks the errors for calls of inferbench_add_plugin() and inferbench_add_rust_plugin() that
# cannot work, and that a library without an entry is not built. SDK: the folder sdk of the source
# tree. WORK: a folder for files. C_COMPILER: the compiler for the library.
cmake_minimum_required(VERSION 3.25)

# A call that ends the script: CALL is set in the child.
if(DEFINED CALL)
  include("${SDK}/cmake/inferbench_add_plugin.cmake")
  include("${SDK}/cmake/inferbench_add_rust_plugin.cmake")
  cmake_language(EVAL CODE "${CALL}")
  return()
endif()

function(refused call text)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DSDK=${SDK}" "-DCALL=${call}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    RESULT_VARIABLE status ERROR_VARIABLE out)
  # CMake breaks long messages into lines.
  string(REGEX REPLACE "[ \n]+" " " out "${out}")
  if(status EQUAL 0 OR NOT out MATCHES "${text}")
    message(FATAL_ERROR "${call}\ndoes not end with \"${text}\" (${status}):\n${out}")
  endif()
endfunction()

foreach(function inferbench_add_plugin inferbench_add_rust_plugin)
  refused("${function}(mine KIND engine SOURCES mine.c)" "\\(mine\\): an engine is KIND backend")
  refused("${function}(mine KIND metric SOURCES mine.c)" "\\(mine\\): KIND is backend, dataset")
  refused("${function}(mine KIND backend mine.c other.c)"
          "\\(mine\\): cannot read mine.c other.c. write SOURCES before the files")
  refused("${function}(mine KIND backend)" "\\(mine\\): no SOURCES")
endforeach()

# rustc would link a library without an entry.
foreach(text "nothing" "inferbench_plugin_v1_rc2")
  file(WRITE "${WORK}/mine.so" "${text}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DLIBRARY=${WORK}/mine.so" -DROOT=mine.rs -DKIND=reporter -P
            "${SDK}/cmake/inferbench_rust_entry.cmake"
    RESULT_VARIABLE status ERROR_VARIABLE out)
  string(REGEX REPLACE "[ \n]+" " " out "${out}")
  set(wanted "")
  if(text STREQUAL "nothing")
    set(wanted "mine.so does not export inferbench_plugin_v1_rc2: end mine.rs with inferbench::plugins!.inferbench::reporter::of::<TYPE>...;")
  endif()
  if(NOT out MATCHES "${wanted}" OR (status EQUAL 0 AND wanted) OR (NOT status EQUAL 0 AND NOT wanted))
    message(FATAL_ERROR "the check of the entry says (${status}):\n${out}")
  endif()
endforeach()

# The flags of the environment could choose a linker that only warns.
set(ENV{LDFLAGS} "")
file(WRITE "${WORK}/without/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(without LANGUAGES C)
add_library(inferbench::sdk INTERFACE IMPORTED)
include(\"${SDK}/cmake/inferbench_add_plugin.cmake\")
inferbench_add_plugin(mine KIND backend SOURCES mine.c)
")
file(WRITE "${WORK}/without/mine.c" "int forgotten(void) { return 1; }\n")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${WORK}/without" -B "${WORK}/without/build"
          "-DCMAKE_C_COMPILER=${C_COMPILER}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE out
  ERROR_VARIABLE out)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the project cannot be configured:\n${out}")
endif()
execute_process(
  COMMAND "${CMAKE_COMMAND}" --build "${WORK}/without/build"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE out
  ERROR_VARIABLE out)
if(status EQUAL 0 OR NOT out MATCHES "inferbench_plugin_v1_rc2")
  message(FATAL_ERROR "a library without an entry is linked (${status}):\n${out}")
endif()
