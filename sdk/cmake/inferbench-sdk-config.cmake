# find_package(inferbench-sdk): the target inferbench::sdk (headers) and the
# functions inferbench_add_plugin() and inferbench_add_rust_plugin().
include("${CMAKE_CURRENT_LIST_DIR}/inferbench-sdk-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_add_plugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_add_rust_plugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_check_plugin.cmake")

# The program that checks plugins: the one beside this SDK, else any other.
find_program(INFERBENCH_PROGRAM inferbench HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
             DOC "The program inferbench, which checks plugins")
