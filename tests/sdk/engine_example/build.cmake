# Installs the component sdk of the build tree BUILD below WORK, builds EXAMPLE against it, and
# checks the result: two names of one library that exports one symbol.

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
# Builds a copy, so that the build cannot use files beside the example.
file(COPY "${EXAMPLE}/" DESTINATION "${WORK}/source")
run("${CMAKE_COMMAND}" --install "${BUILD}" --component sdk --prefix "${WORK}/prefix")

run("${CMAKE_COMMAND}" -S "${WORK}/source" -B "${WORK}/build" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=-Werror ${SANITIZE}"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/prefix")

foreach(name echo-engine echo-engine-blocking)
  set(library "${WORK}/prefix/lib/inferbench/plugins/backends/${name}.so")
  if(NOT EXISTS "${library}")
    message(FATAL_ERROR "the example installed no ${library}")
  endif()
  run("${NM}" -D --defined-only "${library}")
  string(STRIP "${output}" symbols)
  if(NOT symbols MATCHES "^[0-9a-f]+ T inferbench_plugin_v1_rc2$")
    message(FATAL_ERROR "exported beside the entry:\n${symbols}")
  endif()
endforeach()
