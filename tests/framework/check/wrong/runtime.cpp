// A library in C++ that links with another library in C++. It has no plugin: the tests examine how
// it was linked.
#include <stdexcept>
#include <string>

#include <inferbench/abi.h>

extern "C" int count_of(const char* text);

extern "C" const ifb_library* IFB_CALL inferbench_plugin_v1_rc2(uint32_t, uint32_t minor) {
  try {
    if (count_of("text") < 0) throw std::runtime_error(std::string(minor, 'x'));
  } catch (const std::exception&) {
  }
  return nullptr;
}
