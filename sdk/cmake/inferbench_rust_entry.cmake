# For internal use, by inferbench_add_rust_plugin.cmake: ends with an error, and removes LIBRARY, if
# LIBRARY does not have the entry function that plugin.map exports. rustc links a library without an
# entry, because it exports what the sources mark. ROOT and KIND: the root of the crate and the kind
# of the plugin, for the message.
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/plugin.map" line REGEX "global:")
string(REGEX MATCH "inferbench_plugin_[a-z0-9_]+" entry "${line}")
# The name of an exported symbol is a text of the file.
file(STRINGS "${LIBRARY}" found REGEX "${entry}" LIMIT_COUNT 1)
if(NOT found)
  file(REMOVE "${LIBRARY}")
  cmake_path(GET LIBRARY FILENAME name)
  message(FATAL_ERROR "${name} does not export ${entry}: end ${ROOT} with "
                      "inferbench::plugins!(inferbench::${KIND}::of::<TYPE>());")
endif()
