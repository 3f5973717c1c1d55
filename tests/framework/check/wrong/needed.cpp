// A shared library that runtime.cpp links with. It uses the shared C++ standard library.
#include <string>
#include <vector>

extern "C" __attribute__((visibility("default"))) int count_of(const char* text) {
  std::vector<std::string> all(3, text);
  return static_cast<int>(all.back().size());
}
