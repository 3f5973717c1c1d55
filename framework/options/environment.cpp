#include "options/environment.hpp"

#include <random>

#include <unistd.h>

namespace inferbench::options {

environment environment::of_process() {
  environment out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line = *entry;
    const auto at = line.find('=');
    if (at != std::string_view::npos)
      out.variables.emplace(line.substr(0, at), line.substr(at + 1));
  }
  out.random = [] { return static_cast<std::uint32_t>(std::random_device{}()); };
  return out;
}

const std::string* environment::find(std::string_view name) const {
  const auto at = variables.find(name);
  return at == variables.end() ? nullptr : &at->second;
}

std::string environment::expand(std::string_view path) const {
  const std::string* home = find("HOME");
  if (home != nullptr && path.starts_with('~') && (path.size() == 1 || path[1] == '/'))
    return *home + std::string(path.substr(1));
  return std::string(path);
}

}  // namespace inferbench::options
