# Generates a project of KIND in LANGUAGE (`inferbench plugin new KIND NAME`) with INFERBENCH, and
# with each of TOOLCHAINS (language:name=program=flags, separated by |, flags by @) builds it against
# the SDK of the build tree BUILD, checks the library, runs the test of the project, which is the
# command in its README, and uses the installed plugin in a run against the simulator. A plugin that
# opens a file must name the file if it cannot open it.

cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\nfailed (${status}):\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

if(NOT EXISTS "${INFERBENCH}")
  message("SKIPPED: ${INFERBENCH} is not built")
  return()
endif()

# The parts of this name become a file name, an identifier and a type.
set(name "acme-2_x")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${INFERBENCH}" plugin new ${KIND} ${name} --lang ${LANGUAGE} --directory "${WORK}/source")
if(NOT output MATCHES "cmake -S [^\n]*\n  ctest --test-dir [^\n]*\n  inferbench [^\n]*${name}.so[^\n]*\n$")
  message(FATAL_ERROR "the last lines are not the three commands:\n${output}")
endif()
file(GLOB_RECURSE files "${WORK}/source/*")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  if("${file} ${text}" MATCHES "my.example|MyExample")
    message(FATAL_ERROR "${file} still has the template's name")
  endif()
endforeach()

# The kind of the plugin. An engine is a backend.
set(plugin_kind "${KIND}")
if(KIND STREQUAL "engine")
  set(plugin_kind backend)
endif()

# The configuration file of a run with this plugin and built-in plugins for everything else.
set(requests 8)
set(use_backend openai)
set(use_dataset random)
set(use_tokenizer bytes)
set(use_${plugin_kind} ${name})
set(dataset "input-len = 20\noutput-len = 4")
if(KIND STREQUAL "dataset")
  set(dataset "path = \"${WORK}/source/lines.txt\"\noutput-len = 4")
endif()
set(scorer "")
set(tokens_of_answer 4)
if(KIND STREQUAL "scorer")
  # The simulator answers with the only choice, in five tokens. The answer is right for one of the
  # four questions.
  set(use_backend openai-chat)
  set(use_dataset custom)
  set(dataset "path = \"${WORK}/source/questions.jsonl\"\nskip-chat-template = true")
  set(scorer "\n[backend.extra-body.structured_outputs]\nchoice = [\"The answer is 90.\"]\n\n[scorer]\nuse = \"${name}\"\n")
  set(tokens_of_answer 5)
endif()
set(reporters "[[reporter]]\nuse = \"json\"\nresult-filename = \"result.json\"\nsave-detailed = true\n")
if(KIND STREQUAL "reporter")
  string(APPEND reporters "\n[[reporter]]\nuse = \"${name}\"\nfile = \"requests.csv\"\n")
endif()
set(model "model = \"simulated\"")
if(KIND STREQUAL "engine")
  set(model "") # an engine without a server needs no model
endif()
file(WRITE "${WORK}/job.toml" "[backend]
use = \"${use_backend}\"
${model}

[tokenizer]
use = \"${use_tokenizer}\"

[dataset]
use = \"${use_dataset}\"
num-prompts = ${requests}
${dataset}

[load]
max-concurrency = 4
${scorer}
${reporters}")

file(READ "${WORK}/job.toml" job)
string(REGEX REPLACE "(lines\\.txt|requests\\.csv)" "nowhere/\\1" job "${job}")
file(WRITE "${WORK}/missing.toml" "${job}")
file(STRINGS "${WORK}/source/README.md" check REGEX "^    inferbench plugin check ")

function(expect wanted)
  string(JSON found ERROR_VARIABLE problem GET "${json}" ${ARGN})
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${toolchain}: ${ARGN} of the result is ${found}, not ${wanted} ${problem}")
  endif()
endfunction()

set(tried "")
string(REPLACE "|" ";" TOOLCHAINS "${TOOLCHAINS}")
foreach(toolchain IN LISTS TOOLCHAINS)
  if(NOT toolchain MATCHES "^([^:]+):([^=]+)=([^=]+)=(.*)$" OR NOT CMAKE_MATCH_1 STREQUAL LANGUAGE)
    continue()
  endif()
  set(compiler "${CMAKE_MATCH_2}")
  set(at "${WORK}/${compiler}")
  set(program "${CMAKE_MATCH_3}")
  string(REPLACE "@" " " flags "${CMAKE_MATCH_4}")
  set(language_C++ "-DCMAKE_CXX_COMPILER=${program}" "-DCMAKE_CXX_FLAGS=-Werror ${flags}")
  if(NOT compiler STREQUAL "gcc")
    # Optimisation, which takes half of the time, is tested with g++.
    list(APPEND language_C++ "-DCMAKE_CXX_FLAGS_RELEASE=-O0")
  endif()
  set(language_C "-DCMAKE_C_COMPILER=${program}" "-DCMAKE_C_FLAGS=-Werror ${flags}")
  set(language_RUST "-DRUSTC=${program}" "-DRUSTFLAGS=-D warnings")
  string(TOUPPER "${LANGUAGE}" upper)
  run("${CMAKE_COMMAND}" -S "${WORK}/source" -B "${at}/build" "-DCMAKE_PREFIX_PATH=${BUILD}"
      "-DINFERBENCH_PROGRAM=${INFERBENCH}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${language_${upper}})
  file(STRINGS "${at}/build/CMakeCache.txt" found REGEX "^inferbench-sdk_DIR")
  if(NOT found MATCHES "=${BUILD}/")
    message(FATAL_ERROR "the project took another SDK: ${found}")
  endif()
  run("${CMAKE_COMMAND}" --build "${at}/build")
  # A second build must not compile anything.
  run("${CMAKE_COMMAND}" --build "${at}/build")
  if(output MATCHES "Building|Compiling")
    message(FATAL_ERROR "built again without a reason:\n${output}")
  endif()
  run("${CMAKE_COMMAND}" --install "${at}/build" --prefix "${at}/prefix")

  set(library "${at}/prefix/lib/inferbench/plugins/${plugin_kind}s/${name}.so")
  run("${NM}" -D --defined-only "${library}")
  string(STRIP "${output}" symbols)
  if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1_rc2$")
    message(FATAL_ERROR "${toolchain}: exported beside the entry:\n${symbols}")
  endif()
  run("${INFERBENCH}" plugin show "${library}")
  if(NOT output MATCHES "^${plugin_kind} ${name} 0\\.1\\.0: ")
    message(FATAL_ERROR "${toolchain}: plugin show says\n${output}")
  endif()

  # Runs inferbench plugin check.
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${at}/build" --output-on-failure)
  if(NOT output MATCHES "check_${plugin_kind}_${name}" OR NOT output MATCHES "100% tests passed, 0 tests failed out of 1")
    message(FATAL_ERROR "${toolchain}: the project's test did not run:\n${output}")
  endif()
  separate_arguments(words UNIX_COMMAND "${check}")
  list(TRANSFORM words REPLACE "^build/" "${at}/build/")
  list(POP_FRONT words)
  list(JOIN words "\" \"" words)
  file(READ "${at}/build/CTestTestfile.cmake" tests)
  string(FIND "${tests}" "\"${INFERBENCH}\" \"${words}\")" found)
  if(found LESS 0)
    message(FATAL_ERROR "${toolchain}: the README says\n${check}\nand the project's tests are\n${tests}")
  endif()

  set(measure "${CMAKE_COMMAND}" -E chdir "${at}" "${PYTHON}" "${TOOLS}/with_simulator.py"
              "${INFERBENCH}" "${INFERBENCH}" run)
  set(measure_with --plugin-dir "${at}/prefix/lib/inferbench/plugins" --set "server.base-url={url}")
  if(KIND MATCHES "dataset|reporter")
    execute_process(COMMAND ${measure} "${WORK}/missing.toml" ${measure_with} RESULT_VARIABLE status
                    OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(status EQUAL 0 OR NOT out MATCHES "cannot [a-z ]*[^\n]*nowhere/[^\n]*: (No such file or directory|there is no folder nowhere)")
      message(FATAL_ERROR "${toolchain}: a file that is not there (${status}):\n${out}")
    endif()
  endif()

  run(${measure} "${WORK}/job.toml" ${measure_with})
  file(READ "${at}/result.json" json)
  expect(${requests} completed)
  expect(0 failed)
  math(EXPR tokens "${tokens_of_answer} * ${requests}")
  expect(${tokens} total_output_tokens)
  file(SHA256 "${library}" digest)
  if(NOT json MATCHES "\"${digest}\"")
    message(FATAL_ERROR "${toolchain}: the result does not name the plugin")
  endif()
  if(KIND STREQUAL "tokenizer")
    # Random prompts are shorter by the one token that the model adds, as this tokenizer reports.
    math(EXPR tokens "(20 - 1) * ${requests}")
    expect(${tokens} total_input_tokens)
  elseif(KIND STREQUAL "dataset")
    # Five of the six lines are used, the empty line is skipped, and three lines occur twice.
    if(NOT output MATCHES "an empty line")
      message(FATAL_ERROR "${toolchain}: nothing was said of the empty line:\n${output}")
    endif()
    # The plugin counts the 20 bytes of the first line with the tokenizer of the run.
    run("${INFERBENCH}" dataset show --dataset-name "${library}" --dataset-path "${WORK}/source/lines.txt"
        --tokenizer-mode bytes --num-prompts 1 --disable-shuffle)
    if(NOT output MATCHES "\"prompt_len\": 20,")
      message(FATAL_ERROR "${toolchain}: the prompt is not counted:\n${output}")
    endif()
  elseif(KIND STREQUAL "reporter")
    file(STRINGS "${at}/requests.csv" lines)
    list(LENGTH lines count)
    math(EXPR wanted "${requests} + 1")
    list(GET lines 1 line)
    if(NOT count EQUAL wanted OR NOT line MATCHES "^[0-7],0,20,4,[0-9.]+,[0-9.]+$")
      message(FATAL_ERROR "${toolchain}: requests.csv is not as expected:\n${lines}")
    endif()
    if(NOT output MATCHES "requests\\.csv")
      message(FATAL_ERROR "${toolchain}: the run does not say where the file is:\n${output}")
    endif()
  elseif(KIND STREQUAL "scorer")
    # Each of the four questions occurs twice.
    set(scores inferbench facts scores ${name})
    expect(${requests} ${scores} scored)
    expect(0 ${scores} unscored)
    expect(0.25 ${scores} mean)
    expect(6 ${scores} reasons "another number")
  endif()
  list(APPEND tried "${compiler}")
endforeach()

if(NOT tried)
  message("SKIPPED: no compiler for ${LANGUAGE}")
endif()
message(STATUS "tried with ${tried}")
