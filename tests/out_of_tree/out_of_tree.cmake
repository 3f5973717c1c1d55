# Installs the component sdk of the build tree BUILD below WORK, configures and builds
# EXAMPLE against it, and looks at the library that comes out: one exported symbol. Then,
# where the program INFERBENCH is built, installs everything, and has the installed program
# find its own plugins and measure a server (TGI_SERVER, run by PYTHON) with the example.

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
# A copy: nothing beside the example may be in reach of its build.
file(COPY "${EXAMPLE}/" DESTINATION "${WORK}/source")

run("${CMAKE_COMMAND}" --install "${BUILD}" --component sdk --prefix "${WORK}/prefix")

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
run("${CMAKE_COMMAND}" -S "${WORK}/source" -B "${WORK}/build" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=-Werror ${flags}"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
file(STRINGS "${WORK}/build/CMakeCache.txt" found REGEX "^inferbench-sdk_DIR")
if(NOT found MATCHES "=${WORK}/prefix/")
  message(FATAL_ERROR "the example took another SDK: ${found}")
endif()
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix")

set(library "${WORK}/prefix/lib/inferbench/plugins/backends/tgi.so")
if(NOT EXISTS "${library}")
  message(FATAL_ERROR "the example installed no ${library}")
endif()
run("${NM}" -D --defined-only "${library}")
string(STRIP "${output}" symbols)
if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1$")
  message(FATAL_ERROR "exported beside the entry:\n${symbols}")
endif()

if(NOT EXISTS "${INFERBENCH}")
  message(STATUS "${INFERBENCH} is not built: the program is not tried")
  return()
endif()

# All of the build, installed: the program must find its own plugins from where it is, with
# nothing in the environment that leads to them.
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
  if(NOT listed MATCHES "\n  ${name} " OR listed MATCHES "cannot be used")
    message(FATAL_ERROR "plugin list does not list ${name}, or not as usable:\n${listed}")
  endif()
  run(${program} plugin show "${name}")
  if(NOT output MATCHES "\n  file        ${prefix}/lib/inferbench/plugins/")
    message(FATAL_ERROR "plugin ${name} comes from elsewhere:\n${output}")
  endif()
endforeach()

run(${program} plugin show "${library}")
foreach(expected tgi 1.0.0 endpoint extra-body /generate_stream)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "plugin show does not say ${expected}:\n${output}")
  endif()
endforeach()

# The example, used: loaded by its path, against a server that speaks its protocol.
set(requests 12)
set(input 7)
set(length 5)
set(result "${WORK}/result.json")
run("${PYTHON}" "${TGI_SERVER}" ${program} serve --backend "${library}" --base-url "{url}" --model tgi
    --tokenizer-mode bytes --random-input-len ${input} --random-output-len ${length}
    --num-prompts ${requests} --max-concurrency 4 --extra-body.seed 1 --disable-tqdm --save-result
    --save-detailed --result-filename "${result}")
# Each request once, and none beside them but /metrics before and after, which it has not.
if(NOT output MATCHES "answered ${requests}, refused 2\n")
  message(FATAL_ERROR "the server did not get ${requests} good requests:\n${output}")
endif()

file(READ "${result}" json)
function(expect wanted)
  string(JSON found ERROR_VARIABLE problem GET "${json}" ${ARGN})
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${ARGN} of the result is ${found}, not ${wanted} ${problem}")
  endif()
endfunction()
math(EXPR inputs "${requests} * ${input}")
math(EXPR outputs "${requests} * ${length}")
expect(${requests} num_prompts)
expect(${requests} completed)
expect(0 failed)
expect(${inputs} total_input_tokens)
expect(${outputs} total_output_tokens)
math(EXPR last "${requests} - 1")
foreach(i RANGE ${last})
  expect("" errors ${i})
  expect(" a a a a a" generated_texts ${i})
  expect(${length} output_lens ${i})
endforeach()

file(SHA256 "${library}" digest)
set(plugins inferbench environment plugins)
string(JSON count LENGTH "${json}" ${plugins})
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON file GET "${json}" ${plugins} ${i} file)
  if(file STREQUAL library)
    expect(tgi ${plugins} ${i} id)
    expect(${digest} ${plugins} ${i} sha256)
    set(recorded TRUE)
  elseif(NOT file MATCHES "^${prefix}/")
    message(FATAL_ERROR "a plugin of the run comes from elsewhere: ${file}")
  endif()
endforeach()
if(NOT recorded)
  message(FATAL_ERROR "the result does not name ${library}:\n${json}")
endif()
