# Checks which projects find an SDK of which version: runs the version file that the SDK of a
# version would have with the version that a project asks for. Needs nothing built.
cmake_minimum_required(VERSION 3.25)
include(CMakePackageConfigHelpers)
include("${SDK}/cmake/compatibility.cmake")

# Sets `accepted` to whether an SDK of version `sdk` is found by a project that asks for `wanted`.
function(accepts sdk wanted)
  inferbench_sdk_compatibility(${sdk} compatibility)
  write_basic_package_version_file(
    "${WORK}/version.cmake"
    VERSION ${sdk}
    COMPATIBILITY ${compatibility} ARCH_INDEPENDENT)
  string(REPLACE "." ";" parts "${wanted}.0")
  list(GET parts 0 PACKAGE_FIND_VERSION_MAJOR)
  list(GET parts 1 PACKAGE_FIND_VERSION_MINOR)
  set(PACKAGE_FIND_NAME inferbench-sdk)
  set(PACKAGE_FIND_VERSION "${wanted}")
  include("${WORK}/version.cmake")
  set(accepted "${PACKAGE_VERSION_COMPATIBLE}" PARENT_SCOPE)
endfunction()

foreach(pair 0.1.0=0.1 0.1.7=0.1 0.2.0=0.2 1.0.0=1.0 1.1.0=1.0 1.9.3=1.2 2.0.0=2.0)
  string(REPLACE "=" ";" pair "${pair}")
  accepts(${pair})
  if(NOT accepted)
    message(FATAL_ERROR "an SDK and a project that asks for it do not fit: ${pair}")
  endif()
endforeach()
foreach(pair 0.2.0=0.1 0.1.0=0.2 1.0.0=0.1 1.0.0=1.1 2.0.0=1.0 1.5.0=2.0)
  string(REPLACE "=" ";" pair "${pair}")
  accepts(${pair})
  if(accepted)
    message(FATAL_ERROR "an SDK accepts a project that asks for another: ${pair}")
  endif()
endforeach()
