# inferbench_add_plugin(FILE KIND backend|dataset|reporter|tokenizer|scorer SOURCES files...
#                       [IDS [kind:]id...] [LINK libraries...] [STATIC_RUNTIME])
#
# Makes the plugin library FILE.so as target inferbench_KIND_FILE, in
# ${PROJECT_BINARY_DIR}/lib/inferbench/plugins/KINDs, and installs it below the
# prefix in the same place.
#
# IDS             the names of the plugins in the library, if there are others than
#                 FILE. Each name becomes a link to the library, because the host
#                 finds a plugin by the name of its file. `dataset:b` is a plugin of
#                 another kind than KIND; its link lies in the folder of its kind
# LINK            libraries; prefer static libraries
# STATIC_RUNTIME  links the C++ runtime into the library. Not for a library that
#                 links a shared C++ library, because there would be two runtimes.
#                 The variable INFERBENCH_STATIC_RUNTIME does this for all plugins.
#
# A plugin must export only its entry. Hidden visibility is not enough for this,
# because templates of the standard library have default visibility. g++ marks
# their static variables so that the whole process shares them, in whatever way
# the library was loaded. Two plugins would then share these variables. The
# version script prevents this.

set(INFERBENCH_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/plugin.map" CACHE INTERNAL "")

# For internal use: reads EACH, an element of the IDS of the library FILE of the kind KIND. Sets `link`
# to the path of its link in the build tree and `link_target` to the library, relative to the folder
# of the link; makes the folder and installs the link. `link` is empty if EACH is the library itself.
function(inferbench_plugin_link caller file kind each)
  if(NOT each MATCHES "^((backend|dataset|reporter|tokenizer|scorer):)?([^:]+)$")
    message(FATAL_ERROR "${caller}(${file}): IDS are names, or KIND:NAME with the kind backend, "
                        "dataset, reporter, tokenizer or scorer, not \"${each}\"")
  endif()
  set(kind_of_link "${CMAKE_MATCH_2}")
  set(id "${CMAKE_MATCH_3}")
  set(to "../${kind}s/${file}.so")
  if(NOT kind_of_link OR kind_of_link STREQUAL kind)
    if(id STREQUAL file)
      set(link "" PARENT_SCOPE)
      return()
    endif()
    set(kind_of_link "${kind}")
    set(to "${file}.so")
  endif()
  set(folder "lib/inferbench/plugins/${kind_of_link}s")
  set(path "${PROJECT_BINARY_DIR}/${folder}/${id}.so")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
  install(FILES "${path}" DESTINATION "${folder}" COMPONENT plugins)
  set(link "${path}" PARENT_SCOPE)
  set(link_target "${to}" PARENT_SCOPE)
endfunction()

function(inferbench_add_plugin file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC_RUNTIME" "KIND" "SOURCES;IDS;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    string(JOIN " " unread ${arg_UNPARSED_ARGUMENTS})
    message(FATAL_ERROR "inferbench_add_plugin(${file}): cannot read ${unread}; write SOURCES "
                        "before the files")
  endif()
  if(arg_KIND STREQUAL "engine")
    message(FATAL_ERROR "inferbench_add_plugin(${file}): an engine is KIND backend")
  endif()
  if(NOT arg_KIND MATCHES "^(backend|dataset|reporter|tokenizer|scorer)$")
    message(FATAL_ERROR "inferbench_add_plugin(${file}): KIND is backend, dataset, reporter, "
                        "tokenizer or scorer, not \"${arg_KIND}\"")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "inferbench_add_plugin(${file}): no SOURCES")
  endif()

  set(target inferbench_${arg_KIND}_${file})
  set(folder "lib/inferbench/plugins/${arg_KIND}s")

  add_library(${target} MODULE ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY INFERBENCH_PLUGIN_TARGETS ${target})
  target_link_libraries(${target} PRIVATE inferbench::sdk ${arg_LINK})
  # A project may use only the language C.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages)
    target_compile_features(${target} PRIVATE cxx_std_20)
  endif()
  if("C" IN_LIST languages)
    target_compile_features(${target} PRIVATE c_std_99)
  endif()
  set_target_properties(
    ${target}
    PROPERTIES OUTPUT_NAME "${file}"
               PREFIX ""
               SUFFIX ".so"
               C_EXTENSIONS OFF
               CXX_EXTENSIONS OFF
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}"
               LINK_DEPENDS "${INFERBENCH_PLUGIN_MAP}")
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections
                                           $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  # Without --no-undefined-version, a library whose sources define no entry would be linked. mold
  # only warns.
  target_link_options(${target} PRIVATE "LINKER:--version-script=${INFERBENCH_PLUGIN_MAP}"
                      LINKER:--no-undefined-version LINKER:--gc-sections)

  # The runtime of a sanitizer is in the program. clang leaves the plugin's references to this
  # runtime undefined.
  get_directory_property(options COMPILE_OPTIONS)
  if(NOT "${options} ${CMAKE_CXX_FLAGS} ${CMAKE_C_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${target} PRIVATE LINKER:-z,defs)
    if(arg_STATIC_RUNTIME OR INFERBENCH_STATIC_RUNTIME)
      target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
    endif()
  endif()

  install(TARGETS ${target} LIBRARY DESTINATION "${folder}" COMPONENT plugins)

  foreach(each IN LISTS arg_IDS)
    inferbench_plugin_link(inferbench_add_plugin "${file}" ${arg_KIND} "${each}")
    if(link)
      add_custom_command(
        TARGET ${target}
        POST_BUILD
        COMMAND "${CMAKE_COMMAND}" -E create_symlink "${link_target}" "${link}"
        BYPRODUCTS "${link}"
        VERBATIM)
    endif()
  endforeach()
endfunction()
