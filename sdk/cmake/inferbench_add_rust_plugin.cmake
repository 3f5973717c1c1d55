# inferbench_add_rust_plugin(FILE KIND backend|dataset|reporter|tokenizer
#                            SOURCES root.rs [modules.rs...])
#
# Makes the plugin library FILE.so with rustc alone, no cargo and no crates, where
# inferbench_add_plugin() would put it, and installs it in the same way. The crate inferbench is
# the Rust layer of the SDK, compiled by the same rustc. The first of SOURCES is the root of
# the crate; the others are its modules, named so that a change of them is noticed. RUSTC
# names another compiler, RUSTFLAGS adds flags. The project needs no other language:
# LANGUAGES NONE.
#
# rustc itself sees to it that a cdylib exports its #[no_mangle] functions and no more.

# Beside the package, in an install as in the build tree.
set(INFERBENCH_RUST_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../../inferbench/rust" CACHE INTERNAL "")

function(inferbench_add_rust_plugin file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "inferbench_add_rust_plugin(${file}): cannot read ${arg_UNPARSED_ARGUMENTS}")
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

  # Messages of panics name files; those of the machine that built them are of no use.
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
  add_custom_command(
    OUTPUT "${library}"
    COMMAND
      "${RUSTC}" ${flags} --crate-type cdylib --crate-name "${crate}" -C strip=debuginfo
      --extern "inferbench=${layer}/libinferbench.rlib" -o "${library}" "${root}"
    DEPENDS ${arg_SOURCES} "${layer}/libinferbench.rlib"
    COMMENT "Compiling ${file}.so"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS "${library}")
  install(PROGRAMS "${library}" DESTINATION "${folder}" COMPONENT plugins)
endfunction()
