// The library that runtime.cpp needs: a shared library that uses the shared C++ library.
#include <string>
#include <vector>

extern "C" __attribute__((visibility("default"))) int count_of(const char* text) {
  std::vector<std::string> all(3, text);
  return static_cast<int>(all.back().size());
}
