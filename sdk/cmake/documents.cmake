# inferbench_copy_documents(FOLDER files...)
#
# Makes FOLDER anew from documents of this repository. FOLDER is the folder share/inferbench/docs of
# an install. Links to the SDK lead to its installed files. Links to other files of the repository
# become plain text, because the files are not installed; so the text of such a link must not be a
# path (tests/sdk/documents).
function(inferbench_copy_documents folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  file(REMOVE_RECURSE "${folder}")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" text)
    string(REPLACE "](../sdk/" "](sdk/" text "${text}")
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\(\\.\\./[^)\n]*\\)" "\\1" text "${text}")
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\((architecture|building|performance)\\.md[^)\n]*\\)" "\\1" text
                         "${text}")
    string(REPLACE "](sdk/include/" "](../../../include/" text "${text}")
    string(REPLACE "](sdk/" "](../" text "${text}")
    cmake_path(GET file FILENAME name)
    file(WRITE "${folder}/${name}" "${text}")
  endforeach()
endfunction()
