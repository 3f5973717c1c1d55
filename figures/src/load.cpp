#include "load.hpp"

#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <dlfcn.h>

namespace figures {
namespace {

namespace fs = std::filesystem;

constexpr const char* below_prefix = "lib/inferbench/inferbench-figures.so";

// The library in the nearest folder above the program: above bin in an installation, and above a
// test in the build folder.
fs::path library_file() {
  std::error_code ignored;
  fs::path at = fs::canonical("/proc/self/exe", ignored);
  while (at.has_relative_path()) {
    at = at.parent_path();
    if (fs::exists(at / below_prefix, ignored)) return at / below_prefix;
  }
  return {};
}

[[noreturn]] void cannot_draw(const std::string& why, const std::string& remedy) {
  throw std::runtime_error("PNG needs " + std::string(below_prefix) + ", which " + why + "; " +
                           remedy + ", or ask for svg and html instead of png");
}

const table& opened() {
  const std::string again = "install inferbench again";
  const fs::path file = library_file();
  if (file.empty()) cannot_draw("is not installed", again);
  // It stays open: fontconfig and cairo have static data.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* const said = ::dlerror();
    cannot_draw(std::string("cannot be loaded: ") + (said == nullptr ? file.c_str() : said),
                "install cairo (Debian and Ubuntu: apt-get install libcairo2)");
  }
  auto* const enter = reinterpret_cast<entry*>(::dlsym(library, entry_name));
  if (enter == nullptr) cannot_draw("is of another version: " + file.string(), again);
  const table* const out = enter();
  if (std::string_view(out->version) != INFERBENCH_VERSION)
    cannot_draw("is of version " + std::string(out->version) + " and not of " INFERBENCH_VERSION,
                again);
  return *out;
}

}  // namespace

const table& functions() {
  static const table& out = opened();
  return out;
}

}  // namespace figures
