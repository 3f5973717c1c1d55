# Builds PROJECT three times against the SDK of the build tree BUILD: versions 1 and 3 of its
# library with COMPILER1 and FLAGS1, version 2 with COMPILER2 and FLAGS2. The plugins 2 and 3
# contain the C++ runtime. The three plugins are reporters of the same run; each must use only its
# own library. 1 and 3 are built with the same compiler, so that g++'s unique symbols could
# conflict.

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

file(REMOVE_RECURSE "${WORK}")
set(runtime1 OFF)
set(runtime2 ON)
set(runtime3 ON)
set(COMPILER3 "${COMPILER1}")
set(FLAGS3 "${FLAGS1}")
foreach(version 1 2 3)
  run("${CMAKE_COMMAND}" -S "${PROJECT}" -B "${WORK}/${version}" "-DCMAKE_PREFIX_PATH=${BUILD}"
      "-DCMAKE_CXX_COMPILER=${COMPILER${version}}" "-DCMAKE_CXX_FLAGS=-Werror ${FLAGS${version}}"
      "-DVERSION=${version}" "-DRUNTIME_INSIDE=${runtime${version}}")
  run("${CMAKE_COMMAND}" --build "${WORK}/${version}")
  set(library${version} "${WORK}/${version}/lib/inferbench/plugins/reporters/clash${version}.so")
  run("${NM}" -D --defined-only "${library${version}}")
  string(STRIP "${output}" symbols)
  if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1_rc2$")
    message(FATAL_ERROR "exported beside the entry:\n${symbols}")
  endif()
endforeach()
# The plugin contains the runtime, so it must not need a C++ library.
run("${CMAKE_COMMAND}" -E env readelf -d "${library2}")
if(output MATCHES "lib(std)?c\\+\\+")
  message(FATAL_ERROR "${library2} needs a C++ library:\n${output}")
endif()

# In both orders, because the order of loading must not matter.
foreach(first 1 3)
  math(EXPR last "4 - ${first}")
  set(order ${first} 2 ${last})
  set(at "${WORK}/run${first}")
  file(MAKE_DIRECTORY "${at}")
  set(job "[backend]\nuse = \"openai\"\nmodel = \"simulated\"\n\n[tokenizer]\nuse = \"bytes\"\n\n"
          "[dataset]\nuse = \"random\"\ninput-len = 8\noutput-len = 2\nnum-prompts = 6\n")
  foreach(version IN LISTS order)
    list(APPEND job "\n[[reporter]]\nuse = \"${library${version}}\"\nfile = \"${version}.txt\"\n")
  endforeach()
  list(JOIN job "" job)
  file(WRITE "${at}/job.toml" "${job}")
  run("${CMAKE_COMMAND}" -E chdir "${at}" "${PYTHON}" "${TOOLS}/with_simulator.py" "${INFERBENCH}"
      "${INFERBENCH}" run job.toml --set "server.base-url={url}")
  foreach(version 1 2 3)
    file(READ "${at}/${version}.txt" said)
    set(wanted "version: ${version}\nmade ${version}001 ${version}001\ncalls ${version}01\nrequests 6\nsound\n")
    if(NOT said STREQUAL wanted)
      message(FATAL_ERROR "plugin ${version} in order ${order} says\n${said}instead of\n${wanted}")
    endif()
  endforeach()
endforeach()
