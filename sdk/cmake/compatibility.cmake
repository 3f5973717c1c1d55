# inferbench_sdk_compatibility(VERSION OUT)
#
# Sets OUT to the COMPATIBILITY of write_basic_package_version_file() for the version VERSION of the
# SDK. From version 1.0 on, a project that asks for an older minor version accepts the SDK, because
# the contract only grows within a major version. Before 1.0 any minor version may change the
# contract, so a project accepts only the minor version that it asks for.
function(inferbench_sdk_compatibility version out)
  if(version VERSION_LESS 1)
    set(${out} SameMinorVersion PARENT_SCOPE)
  else()
    set(${out} SameMajorVersion PARENT_SCOPE)
  endif()
endfunction()
