# inferbench_add_rust_plugin(FILE KIND backend|dataset|reporter|tokenizer
#                            SOURCES root.rs [modules.rs...] [IDS [kind:]id...])
#
# Makes the plugin library FILE.so with rustc, without cargo and without crates. The library is
# built and installed in the same places as by inferbench_add_plugin(). The crate inferbench is
# the Rust layer of the SDK; the same rustc compiles it. The first of SOURCES is the root of the
# crate. The others are its modules: a change in them rebuilds the library. RUSTC names another
# compiler, RUSTFLAGS adds flags. The project needs no other language: LANGUAGES NONE.
#
# IDS are the names of the plugins in the library, if there are others than FILE, as for
# inferbench_add_plugin(): each name becomes a link to the library, in the folder of its kind.
# `dataset:b` is a plugin of another kind than KIND.
#
# rustc itself ensures that a cdylib exports only its #[no_mangle] functions. A library without an
# entry is an error of the build. Needs the function
# inferbench_plugin_link() of inferbench_add_plugin.cmake.

# The folder is beside the package, both in an install and in the build tree.
set(INFERBENCH_RUST_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../../inferbench/rust" CACHE INTERNAL "")
set(INFERBENCH_RUST_ENTRY "${CMAKE_CURRENT_LIST_DIR}/inferbench_rust_entry.cmake" CACHE INTERNAL "")

function(inferbench_add_rust_plugin file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "SOURCES;IDS")
  if(arg_UNPARSED_ARGUMENTS)
    string(JOIN " " unread ${arg_UNPARSED_ARGUMENTS})
    message(FATAL_ERROR "inferbench_add_rust_plugin(${file}): cannot read ${unread}; write SOURCES "
                        "before the files")
  endif()
  if(arg_KIND STREQUAL "engine")
    message(FATAL_ERROR "inferbench_add_rust_plugin(${file}): an engine is KIND backend")
  endif()
  if(NOT arg_KIND MATCHES "^(backend|dataset|reporter|tokenizer)$")
    message(FATAL_ERROR "inferbench_add_rust_plugin(${file}): KIND is backend, dataset, reporter "
                        "or tokenizer, not \"${arg_KIND}\"")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "inferbench_add_rust_plugin(${file}): no SOURCES")
  endif()
  find_program(RUSTC rustc REQUIRED DOC "The Rust compiler")

  set(target inferbench_${arg_KIND}_${file})
  set(folder "lib/inferbench/plugins/${arg_KIND}s")
  set(library "${PROJECT_BINARY_DIR}/${folder}/${file}.so")
  set(layer "${PROJECT_BINARY_DIR}/${target}")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}" "${layer}")
  file(GLOB parts CONFIGURE_DEPENDS "${INFERBENCH_RUST_FOLDER}/*.rs")
  string(REPLACE "-" "_" crate "${file}_${arg_KIND}")
  separate_arguments(flags UNIX_COMMAND "--edition 2021 -C opt-level=3 -C panic=unwind ${RUSTFLAGS}")

  # The messages of panics contain file names. The paths of the machine that built the library are
  # shortened, because they are useless elsewhere.
  list(APPEND flags "--remap-path-prefix=${CMAKE_CURRENT_SOURCE_DIR}=."
       "--remap-path-prefix=${INFERBENCH_RUST_FOLDER}=inferbench")

  add_custom_command(
    OUTPUT "${layer}/libinferbench.rlib"
    COMMAND "${RUSTC}" ${flags} --crate-type rlib --crate-name inferbench --out-dir "${layer}"
            "${INFERBENCH_RUST_FOLDER}/inferbench.rs"
    DEPENDS ${parts}
    COMMENT "Compiling the Rust layer"
    VERBATIM)
  list(TRANSFORM arg_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(GET arg_SOURCES 0 root)
  cmake_path(GET root FILENAME root_name)
  add_custom_command(
    OUTPUT "${library}"
    COMMAND
      "${RUSTC}" ${flags} --crate-type cdylib --crate-name "${crate}" -C strip=debuginfo
      --extern "inferbench=${layer}/libinferbench.rlib" -o "${library}" "${root}"
    COMMAND "${CMAKE_COMMAND}" "-DLIBRARY=${library}" "-DROOT=${root_name}" "-DKIND=${arg_KIND}" -P
            "${INFERBENCH_RUST_ENTRY}"
    DEPENDS ${arg_SOURCES} "${layer}/libinferbench.rlib"
    COMMENT "Compiling ${file}.so"
    VERBATIM)
  install(PROGRAMS "${library}" DESTINATION "${folder}" COMPONENT plugins)

  set(links "")
  foreach(each IN LISTS arg_IDS)
    inferbench_plugin_link(inferbench_add_rust_plugin "${file}" ${arg_KIND} "${each}")
    if(link)
      add_custom_command(
        OUTPUT "${link}"
        COMMAND "${CMAKE_COMMAND}" -E create_symlink "${link_target}" "${link}"
        DEPENDS "${library}"
        COMMENT "Linking ${each}"
        VERBATIM)
      list(APPEND links "${link}")
    endif()
  endforeach()
  add_custom_target(${target} ALL DEPENDS "${library}" ${links})
endfunction()
