# A folder of plugins/ with a CMakeLists.txt is a plugin, or a static library that plugins link,
# made from all its source files. USES lists the other folders whose code it uses, as in its #include
# lines (`USES common/hub` for #include "common/hub/repository.hpp"): it links only these, and
# tests/layering/plugins_test.cpp compares the #include lines with this list. LINK lists the system
# libraries that it uses.

# The calling folder's path below plugins/, and the target of a folder.
function(plugins_path out)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/plugins"
             OUTPUT_VARIABLE path)
  set(${out} "${path}" PARENT_SCOPE)
endfunction()
function(plugins_targets out)
  set(targets)
  foreach(path IN LISTS ARGN)
    string(REPLACE "/" "_" target "plugins_${path}")
    list(APPEND targets ${target})
  endforeach()
  set(${out} "${targets}" PARENT_SCOPE)
endfunction()

# For internal use: how a target of the calling folder is compiled (see inferbench_compile()). The
# tests of backends, tokenizers and the template engine try very many inputs. Datasets, scorers
# and reporters run on other threads than the workers that send and receive, and so do the readers
# of their files; JSON is fast, because a result can have a million requests.
function(plugins_compile target)
  plugins_path(path)
  set(speed)
  if(path MATCHES "^(backends/|tokenizers/|common/jinja)")
    set(speed HOT)
  elseif(path MATCHES "^((datasets|scorers|reporters)/|common/(hub|toml)$)"
         AND NOT path MATCHES "^reporters/(common|json|jsonl)$")
    set(speed COLD)
  endif()
  inferbench_compile(${target} ${speed})
endfunction()

# For internal use: a static library of these sources, or an interface library if there are none.
function(plugins_static target sources uses libraries)
  plugins_targets(folders ${uses})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    # inferbench_add_plugin() explains these options, which the plugins have, too.
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections
                                             $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    plugins_compile(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/plugins")
  target_link_libraries(${target} ${scope} inferbench::sdk ${folders} ${libraries})
endfunction()

# plugins_library([USES folders...] [LINK libs...])
#
# Builds the folder as the static library plugins_PATH, for instance plugins_common_hub.
function(plugins_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "USES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plugins_library(): cannot read ${arg_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  plugins_path(path)
  plugins_targets(target ${path})
  plugins_static(${target} "${sources}" "${arg_USES}" "${arg_LINK}")
endfunction()

# plugins_module(FILE [IDS id...] [USES folders...] [LINK libs...] [ENTRY file])
#
# Builds the folder as the plugin FILE.so; the parent folder determines its kind. With ENTRY, only
# that file is the plugin, and all others are a static library, plugins_PATH, which tests can call
# without a plugin.
function(plugins_module file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ENTRY" "IDS;USES;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plugins_module(${file}): cannot read ${arg_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  plugins_path(path)
  string(REGEX REPLACE "s/.*" "" kind "${path}")
  if(kind STREQUAL "engine")  # the plugin ABI has no kind `engine`: an engine is a backend
    set(kind backend)
  endif()
  plugins_targets(folders ${arg_USES})
  if(arg_ENTRY)
    plugins_targets(library ${path})
    list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${arg_ENTRY}")
    plugins_static(${library} "${sources}" "${arg_USES}" "${arg_LINK}")
    set(sources ${arg_ENTRY})
    set(folders ${library})
    set(arg_LINK)
  endif()
  inferbench_add_plugin(${file} KIND ${kind} SOURCES ${sources} IDS ${arg_IDS}
                        LINK ${folders} ${arg_LINK})
  target_include_directories(inferbench_${kind}_${file} PRIVATE "${PROJECT_SOURCE_DIR}/plugins")
  plugins_compile(inferbench_${kind}_${file})
endfunction()

# plugins_embed(TARGET PAGE): inferbench_embed() with the namespace of the reporters.
function(plugins_embed target page)
  inferbench_embed(${target} reporters ${page})
endfunction()
