# inferbench_check_plugin(FILE KIND kind [ARGUMENTS arguments...])
#
# Adds the test check_KIND_FILE, which runs `inferbench plugin check` on the plugin library FILE.
# ARGUMENTS are for example `--set path=lines.txt` and `--transcripts folder`; paths are relative to
# the folder of the calling CMakeLists.txt. If the program is not found (INFERBENCH_PROGRAM), the
# test is not added, and a message reports this.
function(inferbench_check_plugin file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "ARGUMENTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inferbench_check_plugin(${file}): cannot read ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT INFERBENCH_PROGRAM)
    message(STATUS "inferbench is not found: no test check_${arg_KIND}_${file}; say where it is "
                   "with -DINFERBENCH_PROGRAM=")
    return()
  endif()
  add_test(
    NAME check_${arg_KIND}_${file}
    COMMAND "${INFERBENCH_PROGRAM}" plugin check
            "${PROJECT_BINARY_DIR}/lib/inferbench/plugins/${arg_KIND}s/${file}.so" ${arg_ARGUMENTS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
