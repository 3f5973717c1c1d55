// Runs the test kit as users do, with `inferbench plugin check`.
#pragma once

#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace inferbench::check {

struct ended {
  int status = 0;
  std::string output;
};

/// Runs `inferbench plugin check` with these arguments.
inline ended run(const std::string& arguments) {
  ended out;
  // These tests do not check faulty plugins for leaks. Without atexit_sleep_ms a child that leaves
  // threads behind ends a second later.
  const std::string command =
      "ASAN_OPTIONS=\"$ASAN_OPTIONS detect_leaks=0\" TSAN_OPTIONS=\"$TSAN_OPTIONS "
      "atexit_sleep_ms=0\" " INFERBENCH_BINARY " plugin check " +
      arguments + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> block{};
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    out.output.append(block.data(), got);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

/// A plugin of tests/framework/check/wrong.
inline std::string wrong(const std::string& name) { return WRONG_PLUGINS "/" + name + ".so"; }

}  // namespace inferbench::check
