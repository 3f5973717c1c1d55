# Builds PROJECT, a library with a backend and a dataset in Rust, against the SDK of the build tree
# BUILD and installs it below WORK. The library must have a link in the folder of the other kind, and
# a run of INFERBENCH must find and use both plugins.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\nfailed (${status}):\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

find_program(RUSTC rustc)
if(NOT RUSTC OR NOT EXISTS "${INFERBENCH}")
  message("SKIPPED: no rustc, or ${INFERBENCH} is not built")
  return()
endif()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${CMAKE_COMMAND}" -S "${PROJECT}" -B "${WORK}/build" "-DCMAKE_PREFIX_PATH=${BUILD}"
    "-DRUSTC=${RUSTC}" "-DRUSTFLAGS=-D warnings" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${WORK}/build")
# A second build must not do anything.
run("${CMAKE_COMMAND}" --build "${WORK}/build")
if(output MATCHES "Compiling|Linking")
  message(FATAL_ERROR "built again without a reason:\n${output}")
endif()
run("${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix")

set(plugins "${WORK}/prefix/lib/inferbench/plugins")
foreach(link backends/acme-too datasets/acme-rows)
  file(READ_SYMLINK "${plugins}/${link}.so" to)
  cmake_path(ABSOLUTE_PATH to BASE_DIRECTORY "${plugins}/${link}/.." NORMALIZE)
  if(NOT to STREQUAL "${plugins}/backends/acme.so")
    message(FATAL_ERROR "${link}.so is a link to ${to}")
  endif()
endforeach()
run("${NM}" -D --defined-only "${plugins}/backends/acme.so")
string(STRIP "${output}" symbols)
if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1_rc2$")
  message(FATAL_ERROR "exported beside the entry:\n${symbols}")
endif()

# The dataset is endless and is read on several threads. Each backend returns the prompt.
set(requests 200)
math(EXPR last "${requests} - 1")
foreach(backend acme acme-too)
  file(WRITE "${WORK}/job.toml" "[backend]
use = \"${backend}\"

[tokenizer]
use = \"bytes\"

[dataset]
use = \"acme-rows\"
num-prompts = ${requests}

[load]
max-concurrency = 4

[[reporter]]
use = \"json\"
result-filename = \"${backend}.json\"
save-detailed = true
")
  run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${INFERBENCH}" run job.toml --plugin-dir "${plugins}")
  file(READ "${WORK}/${backend}.json" json)
  foreach(expected "completed=${requests}" "failed=0" "generated_texts;0=row 0" "generated_texts;7=row 7"
                   "generated_texts;${last}=row ${last}")
    string(REGEX MATCH "^(.*)=(.*)$" found "${expected}")
    set(wanted "${CMAKE_MATCH_2}")
    string(JSON found ERROR_VARIABLE problem GET "${json}" ${CMAKE_MATCH_1})
    if(NOT found STREQUAL wanted)
      message(FATAL_ERROR "${expected} of the result of ${backend} is ${found} ${problem}")
    endif()
  endforeach()
endforeach()
