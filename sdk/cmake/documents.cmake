# inferbench_copy_documents(FOLDER files...)
#
# Makes FOLDER anew from documents of this repository. FOLDER is the folder share/inferbench/docs of
# an install. Links to the SDK lead to its installed files, and links to other files of the
# repository become plain text, because the files are not installed.
function(inferbench_copy_documents folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  file(REMOVE_RECURSE "${folder}")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" text)
    string(REPLACE "](../sdk/include/" "](../../../include/" text "${text}")
    string(REPLACE "](../sdk/" "](../" text "${text}")
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\(\\.\\./bench/[^)\n]*\\)" "\\1" text "${text}")
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\((architecture|building)\\.md[^)\n]*\\)" "\\1" text "${text}")
    cmake_path(GET file FILENAME name)
    file(WRITE "${folder}/${name}" "${text}")
  endforeach()
endfunction()
