# Installs the component sdk of the build tree BUILD below WORK, builds the installed examples, which
# must be all of EXAMPLES, and a library with plugins of two kinds (TWO_KINDS), and checks that each
# library exports one symbol. Then, if the program INFERBENCH is built, installs everything. The
# installed program must find its own plugins, check the examples, measure a server (TGI_SERVER, run by
# PYTHON) with three examples together (together.toml), and run the engine and the library of two kinds
# without a server. Without rustc the examples in Rust are left out.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\nfailed (${status}):\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --component sdk --prefix "${WORK}/prefix")
set(examples "${WORK}/prefix/share/inferbench/examples")
file(GLOB files RELATIVE "${EXAMPLES}" "${EXAMPLES}/*.*" "${EXAMPLES}/template-backends/*.toml")
list(APPEND files README.md together.toml template-backends/tgi.toml)
foreach(file IN LISTS files)
  if(NOT EXISTS "${examples}/${file}")
    message(FATAL_ERROR "the component sdk has no ${examples}/${file}")
  endif()
endforeach()
# tests/sdk/documents checks what the installed documents name.
set(documents "${WORK}/prefix/share/inferbench/docs")
foreach(file plugin-guide plugin-abi plugin-abi-changes plugin-check template-backend run-description)
  if(NOT EXISTS "${documents}/${file}.md")
    message(FATAL_ERROR "the component sdk has no ${documents}/${file}.md")
  endif()
endforeach()

# The folder in which together.toml is used.
set(together "${WORK}/together")

find_program(RUSTC rustc)

# Builds an example and installs it in the folder that together.toml names.
function(build_example folder kind name)
  build_project("${examples}/${folder}" "${folder}" ${kind} ${name} ${ARGN})
  set(libraries "${libraries};${library}" PARENT_SCOPE)
endfunction()

# Builds the project in the folder `from`, and installs it in the folder that together.toml names.
# Builds a copy, so that the build cannot use files beside the project.
function(build_project from folder kind name)
  file(COPY "${from}/" DESTINATION "${WORK}/${folder}/source")
  set(at "${WORK}/${folder}/build")
  run("${CMAKE_COMMAND}" -S "${WORK}/${folder}/source" -B "${at}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
      "-DINFERBENCH_PROGRAM=${INFERBENCH}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  file(STRINGS "${at}/CMakeCache.txt" found REGEX "^inferbench-sdk_DIR")
  if(NOT found MATCHES "=${WORK}/prefix/")
    message(FATAL_ERROR "${folder} took another SDK: ${found}")
  endif()
  run("${CMAKE_COMMAND}" --build "${at}")
  run("${CMAKE_COMMAND}" --install "${at}" --prefix "${together}/built")
  set(library "${together}/built/lib/inferbench/plugins/${kind}s/${name}.so")
  if(NOT EXISTS "${library}")
    message(FATAL_ERROR "${folder} installed no ${library}")
  endif()
  run("${NM}" -D --defined-only "${library}")
  string(STRIP "${output}" symbols)
  if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1_rc2$")
    message(FATAL_ERROR "${folder} exports beside the entry:\n${symbols}")
  endif()
  if(EXISTS "${INFERBENCH}")
    run("${CMAKE_CTEST_COMMAND}" --test-dir "${at}" --output-on-failure)
    if(NOT output MATCHES "check_${kind}_${name}" OR NOT output MATCHES "0 tests failed out of 1")
      message(FATAL_ERROR "the test of ${folder} did not run:\n${output}")
    endif()
  endif()
  set(library "${library}" PARENT_SCOPE)
endfunction()

set(libraries "")
build_example(tgi-backend backend tgi "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=-Werror")
build_example(c-dataset dataset tsv "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_C_FLAGS=-Werror")
if(RUSTC)
  build_example(rust-reporter reporter prometheus "-DRUSTC=${RUSTC}" "-DRUSTFLAGS=-D warnings")
  # The engine is a backend, too, so it is not part of together.toml.
  set(used_together ${libraries})
  build_example(rust-engine backend rust-echo "-DRUSTC=${RUSTC}" "-DRUSTFLAGS=-D warnings")
  list(GET libraries -1 echo)
  set(libraries ${used_together})
else()
  message("SKIPPED: the examples in Rust, there is no rustc for them")
endif()
list(REMOVE_ITEM libraries "")

# The backend that signs its requests is not part of together.toml, either. Optimisation, which takes
# half of the time, is tested with the backend of TGI.
set(quickly "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=-Werror"
            "-DCMAKE_CXX_FLAGS_RELEASE=-O0")
build_project("${examples}/sigv4-backend" sigv4-backend backend sigv4 ${quickly})
set(sigv4 "${library}")

# The reporters of live figures and of several runs; RapidJSON is a part of the SDK's component json.
build_project("${examples}/live-reporter" live-reporter reporter status ${quickly})
build_project("${examples}/table-reporter" table-reporter reporter tsv-table ${quickly})

# The dataset of the library is found by the name of a link in the folder of datasets.
build_project("${TWO_KINDS}" two_kinds backend both ${quickly})
foreach(place "${WORK}/two_kinds/build" "${together}/built")
  set(folder "${place}/lib/inferbench/plugins")
  file(REAL_PATH "${folder}/datasets/both-rows.so" found)
  file(REAL_PATH "${folder}/backends/both.so" wanted)
  if(NOT found STREQUAL wanted OR NOT EXISTS "${found}")
    message(FATAL_ERROR "${folder}/datasets/both-rows.so is ${found}, not ${wanted}")
  endif()
endforeach()

if(NOT EXISTS "${INFERBENCH}")
  message(STATUS "${INFERBENCH} is not built: the program is not tried")
  return()
endif()

# Installs the whole build. The program must find its own plugins relative to its location, without
# help from environment variables.
set(prefix "${WORK}/whole")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
file(MAKE_DIRECTORY "${WORK}/empty")
set(program "${CMAKE_COMMAND}" -E env --unset=INFERBENCH_PLUGIN_PATH "HOME=${WORK}/empty"
            "XDG_DATA_HOME=${WORK}/empty" "${prefix}/bin/inferbench")
file(GLOB installed RELATIVE "${prefix}/lib/inferbench/plugins" "${prefix}/lib/inferbench/plugins/*/*.so")
if(NOT installed)
  message(FATAL_ERROR "no plugin was installed below ${prefix}")
endif()
run(${program} plugin list)
set(listed "${output}")
foreach(file IN LISTS installed)
  cmake_path(GET file STEM name)
  if(NOT listed MATCHES "\n    ${name} +[0-9t]" OR listed MATCHES "cannot be used")
    message(FATAL_ERROR "plugin list does not list ${name}, or not as usable:\n${listed}")
  endif()
  run(${program} plugin show "${name}")
  if(NOT output MATCHES "\n  file        ${prefix}/lib/inferbench/plugins/")
    message(FATAL_ERROR "plugin ${name} comes from elsewhere:\n${output}")
  endif()
endforeach()

# Signs each request right before it is sent: the server (SIGV4_SERVER) refuses a signature that is
# older than three seconds, and the last request is sent after five. The key of $OPENAI_API_KEY must
# not replace the signature.
set(signed 20)
run("${PYTHON}" "${SIGV4_SERVER}" --check-vectors)
run("${CMAKE_COMMAND}" -E env OPENAI_API_KEY=other AWS_ACCESS_KEY_ID=AKIDEXAMPLE
    AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY "${PYTHON}" "${SIGV4_SERVER}"
    ${program} serve --backend "${sigv4}" --base-url "{url}/base" --model m --tokenizer-mode bytes
    --dataset-name random --random-input-len 8 --random-output-len 4 --num-prompts ${signed}
    --request-rate 4 --burstiness inf)
if(NOT output MATCHES "answered ${signed}, refused 0\n")
  message(FATAL_ERROR "the server did not get ${signed} requests with a good signature:\n${output}")
endif()
if(NOT output MATCHES "Cost of backend sigv4:[^\n]* per signature")
  message(FATAL_ERROR "the run does not print the cost of sign:\n${output}")
endif()

# The program also finds its templates and prints the location of its SDK.
run(${program} plugin new dataset acme --lang c --directory "${WORK}/new")
if(NOT output MATCHES "-DCMAKE_PREFIX_PATH=${prefix}[ \n]" OR NOT EXISTS "${WORK}/new/acme.c")
  message(FATAL_ERROR "plugin new of the installed program says\n${output}")
endif()

list(GET libraries 0 library)
run(${program} plugin show "${library}")
foreach(expected tgi 1.0.0 endpoint extra-body /generate_stream)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "plugin show does not say ${expected}:\n${output}")
  endif()
endforeach()

# Uses the examples together against a server with TGI's protocol.
set(requests 4)
file(COPY "${examples}/c-dataset" DESTINATION "${together}")
file(READ "${examples}/together.toml" job)
if(NOT RUSTC)
  string(REGEX REPLACE "\\[\\[reporter\\]\\]\nuse = \"prometheus.*" "" job "${job}")
endif()
file(WRITE "${together}/together.toml" "${job}")
run("${CMAKE_COMMAND}" -E chdir "${together}" "${PYTHON}" "${TGI_SERVER}" ${program} run together.toml
    --set "server.base-url={url}")
# The server gets each request once, and no others except /metrics, which it does not have.
if(NOT output MATCHES "answered ${requests}, refused [12]\n")
  message(FATAL_ERROR "the server did not get ${requests} good requests:\n${output}")
endif()
if(NOT output MATCHES "1 row skipped: no prompt, tab and number \\(first: line 3\\)")
  message(FATAL_ERROR "nothing was said of the line that is none:\n${output}")
endif()

file(READ "${together}/result.json" json)
function(expect wanted)
  string(JSON found ERROR_VARIABLE problem GET "${json}" ${ARGN})
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${ARGN} of the result is ${found}, not ${wanted} ${problem}")
  endif()
endfunction()
expect(${requests} num_prompts)
expect(${requests} completed)
expect(0 failed)
# Each of the four valid lines is used once. The prompt lengths are the server's counts of bytes;
# the lines contain the answer lengths.
math(EXPR inputs "20 + 47 + 38 + 26")
math(EXPR outputs "16 + 8 + 32 + 12")
expect(${inputs} total_input_tokens)
expect(${outputs} total_output_tokens)
math(EXPR last_request "${requests} - 1")
foreach(i RANGE ${last_request})
  expect("" errors ${i})
  string(JSON length GET "${json}" output_lens ${i})
  string(REPEAT " a" ${length} text)
  expect("${text}" generated_texts ${i})
endforeach()

set(plugins inferbench environment plugins)
string(JSON count LENGTH "${json}" ${plugins})
math(EXPR last "${count} - 1")
set(missing ${libraries})
foreach(i RANGE ${last})
  string(JSON file GET "${json}" ${plugins} ${i} file)
  if(file IN_LIST libraries)
    file(SHA256 "${file}" digest)
    expect(${digest} ${plugins} ${i} sha256)
    list(REMOVE_ITEM missing "${file}")
  elseif(NOT file MATCHES "^${prefix}/")
    message(FATAL_ERROR "a plugin of the run comes from elsewhere: ${file}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "the result does not name ${missing}:\n${json}")
endif()

if(RUSTC)
  file(READ "${together}/result.prom" prom)
  foreach(line "# TYPE inferbench_ttft_ms summary" "inferbench_ttft_ms{run=\"three languages\",quantile=\"0.99\"} "
               "inferbench_ttft_ms_count{run=\"three languages\"} ${requests}\n"
               "inferbench_requests{run=\"three languages\",status=\"0\"} ${requests}\n")
    string(FIND "${prom}" "${line}" at)
    if(at LESS 0)
      message(FATAL_ERROR "result.prom does not say ${line}:\n${prom}")
    endif()
  endforeach()
  if(EXISTS "${together}/result.prom.part")
    message(FATAL_ERROR "the unfinished file is still there")
  endif()
endif()

# Uses the two plugins of one library, which are of different kinds, in one run.
file(WRITE "${together}/two_kinds.toml" "[plugin]
dir = [\"built/lib/inferbench/plugins\"]

[backend]
use = \"both\"

[tokenizer]
use = \"bytes\"

[dataset]
use = \"both-rows\"
num-prompts = 3

[[reporter]]
use = \"json\"
result-filename = \"two_kinds.json\"
save-detailed = true
")
run("${CMAKE_COMMAND}" -E chdir "${together}" ${program} run two_kinds.toml)
file(READ "${together}/two_kinds.json" json)
expect(3 completed)
expect(3 total_output_tokens)
expect("row 2" generated_texts 2)

if(NOT RUSTC)
  return()
endif()

# The engine answers without a server: it returns the requested number of words at its pace.
file(WRITE "${together}/echo.toml" "[plugin]
dir = [\"built/lib/inferbench/plugins\"]

[backend]
use = \"rust-echo\"
ttft = \"40ms\"
itl = \"3ms\"

[tokenizer]
use = \"bytes\"

[dataset]
use = \"tsv\"
path = \"c-dataset/prompts.tsv\"
num-prompts = ${requests}
disable-shuffle = true

[load]
max-concurrency = 2

[[reporter]]
use = \"json\"
result-filename = \"echo.json\"
save-detailed = true
")
run("${CMAKE_COMMAND}" -E chdir "${together}" ${program} run echo.toml)
file(READ "${together}/echo.json" json)
expect(${requests} completed)
expect(0 failed)
# There is no server, so the dataset has counted the prompts.
expect(${inputs} total_input_tokens)
expect(${outputs} total_output_tokens)
# The answers to the four lines. After its last word a prompt begins again.
set(sky "Why is the sky blue?")
set(poem "Write a short poem about a lighthouse.")
set(pump "How does a heat pump work?")
expect("${sky}${sky}${sky}Why " generated_texts 0)
expect("Name three rivers of Europe, the longest first." generated_texts 1)
expect("${poem}${poem}${poem}${poem}Write a short poem " generated_texts 2)
expect("${pump}${pump}" generated_texts 3)
# There is one event per token. The engine's thread may wake up late, but no word comes too early:
# 40 ms for the first word, and 3 ms for each further word.
set(i 0)
foreach(earliest 0.085 0.061 0.133 0.073)
  string(JSON ttft GET "${json}" ttfts ${i})
  string(JSON latency GET "${json}" latencies ${i})
  string(JSON gaps LENGTH "${json}" itls ${i})
  string(JSON tokens GET "${json}" output_lens ${i})
  math(EXPR events "${gaps} + 1")
  if(ttft LESS 0.04 OR latency LESS earliest OR NOT events EQUAL tokens)
    message(FATAL_ERROR "answer ${i} of the engine: ${ttft} s to the first of ${tokens} tokens, in "
                        "${events} events, and ${latency} s to the last")
  endif()
  math(EXPR i "${i} + 1")
endforeach()

# A cancelled request ends long before its first word.
file(REMOVE "${together}/echo.json")
run("${CMAKE_COMMAND}" -E chdir "${together}" ${program} run echo.toml --set backend.ttft=10000s
    --set server.first-byte-timeout=20ms)
file(READ "${together}/echo.json" json)
expect(0 completed)
expect(${requests} failed)
foreach(i RANGE ${last_request})
  expect("no byte of an answer after 0.02 s (--first-byte-timeout)" errors ${i})
endforeach()
