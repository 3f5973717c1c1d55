# sdk/rust/abi.rs must be the output of write_abi.py for abi.h.
execute_process(
  COMMAND "${PYTHON}" "${SDK}/rust/write_abi.py" "${SDK}/include/inferbench/abi.h"
  OUTPUT_FILE "${WORK}/abi.rs"
  RESULT_VARIABLE status
  ERROR_VARIABLE error)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "write_abi.py does not understand abi.h:\n${error}")
endif()
file(READ "${WORK}/abi.rs" wanted)
file(READ "${SDK}/rust/abi.rs" found)
if(NOT wanted STREQUAL found)
  message(FATAL_ERROR "sdk/rust/abi.rs is not what abi.h says; run\n"
                      "  sdk/rust/write_abi.py sdk/include/inferbench/abi.h > sdk/rust/abi.rs")
endif()
