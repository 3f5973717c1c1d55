# find_package(inferbench-sdk) provides the target inferbench::sdk (headers) and the functions
# inferbench_add_plugin() and inferbench_add_rust_plugin(). The component json adds the target
# inferbench::json (inferbench/json_reader.hpp).
include("${CMAKE_CURRENT_LIST_DIR}/inferbench-sdk-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_add_plugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_add_rust_plugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/inferbench_check_plugin.cmake")

# The program that checks plugins: the program beside this SDK; if there is none, any other.
find_program(INFERBENCH_PROGRAM inferbench HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
             DOC "The program inferbench, which checks plugins")

foreach(component IN LISTS inferbench-sdk_FIND_COMPONENTS)
  set(inferbench-sdk_${component}_FOUND FALSE)
  set(missing "there is no component ${component}, only json")
  if(component STREQUAL "json")
    include("${CMAKE_CURRENT_LIST_DIR}/inferbench_json.cmake")
    set(inferbench-sdk_json_FOUND ${inferbench_json_FOUND})
    set(missing "${inferbench_json_MISSING}")
  endif()
  if(inferbench-sdk_FIND_REQUIRED_${component} AND NOT inferbench-sdk_${component}_FOUND)
    set(inferbench-sdk_FOUND FALSE)
    set(inferbench-sdk_NOT_FOUND_MESSAGE "${missing}")
  endif()
endforeach()
