# The target inferbench::json: RapidJSON, headers only, for inferbench/json_reader.hpp. Sets
# inferbench_json_FOUND and, if it is false, inferbench_json_MISSING to the reason.
#
# clang 19 and later cannot compile release 1.1.0 of RapidJSON, which distributions contain: a class
# has an assignment operator that assigns to constant members. No program can call this operator,
# so the build tree gets a copy of RapidJSON without it.

if(NOT TARGET inferbench_json)
  find_package(RapidJSON QUIET)
  find_path(INFERBENCH_RAPIDJSON rapidjson/document.h HINTS ${RAPIDJSON_INCLUDE_DIRS}
                                                            ${RapidJSON_INCLUDE_DIRS}
            DOC "The folder that holds rapidjson/document.h")
  if(INFERBENCH_RAPIDJSON)
    set(inferbench_json_copy "${PROJECT_BINARY_DIR}/rapidjson-include")
    # The copy is made again if its stamp names another folder or another document.h.
    file(SHA256 "${INFERBENCH_RAPIDJSON}/rapidjson/document.h" inferbench_json_source)
    string(PREPEND inferbench_json_source "${INFERBENCH_RAPIDJSON} ")
    set(inferbench_json_copied "")
    if(EXISTS "${inferbench_json_copy}/stamp")
      file(READ "${inferbench_json_copy}/stamp" inferbench_json_copied)
    endif()
    if(NOT inferbench_json_copied STREQUAL inferbench_json_source)
      file(REMOVE_RECURSE "${inferbench_json_copy}")
      file(COPY "${INFERBENCH_RAPIDJSON}/rapidjson" DESTINATION "${inferbench_json_copy}")
      file(READ "${inferbench_json_copy}/rapidjson/document.h" inferbench_json_text)
      string(REGEX REPLACE "[^\n]*GenericStringRef& operator=\\(const GenericStringRef& rhs\\) {[^\n]*\n" ""
             inferbench_json_text "${inferbench_json_text}")
      file(WRITE "${inferbench_json_copy}/rapidjson/document.h" "${inferbench_json_text}")
      file(WRITE "${inferbench_json_copy}/stamp" "${inferbench_json_source}")
    endif()
    # If they are system headers, they cause no warnings.
    add_library(inferbench_json INTERFACE)
    add_library(inferbench::json ALIAS inferbench_json)
    target_include_directories(inferbench_json SYSTEM INTERFACE "${inferbench_json_copy}")
  endif()
endif()

if(TARGET inferbench_json)
  set(inferbench_json_FOUND TRUE)
else()
  set(inferbench_json_FOUND FALSE)
  set(inferbench_json_MISSING
      "inferbench/json_reader.hpp needs the headers of RapidJSON. Install rapidjson-dev (Debian, \
Ubuntu), rapidjson-devel (Fedora) or rapidjson (Homebrew, conda, vcpkg), or say where they are with \
-DINFERBENCH_RAPIDJSON=FOLDER, which holds rapidjson/document.h")
endif()
