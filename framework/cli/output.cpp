#include "cli/output.hpp"

#include <cstdio>

#include "cli/commands.hpp"

namespace inferbench::cli {

base::output& standard_output() noexcept {
  static base::output out(stdout);
  return out;
}

void tell(std::string_view text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

int print_usage(const char* text, bool misused) {
  if (misused)
    tell(text);
  else
    print("{}", text);
  return misused ? refused : done;
}

}  // namespace inferbench::cli
