# find_package(inferbench-sdk): the target inferbench::sdk (headers) and the
# function inferbench_add_plugin().
include("${CMAKE_CURRENT_LIST_DIR}/inferbench-sdk-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_add_plugin.cmake")
