// The processes that a test has started, recognised by a text in their environment.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "program/cli/process.hpp"

namespace inferbench::testing {

/// The ids of the processes whose environment has the text `mark`.
inline std::vector<std::string> processes_with(const std::string& mark) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string id = each.path().filename().string();
    if (id.find_first_not_of("0123456789") == std::string::npos &&
        read("/proc/" + id + "/environ").find(mark) != std::string::npos)
      out.push_back(id);
  }
  return out;
}

/// Returns when there is no such process: a process that was killed needs a moment to disappear.
inline void await_no_process_with(const std::string& mark) {
  while (!processes_with(mark).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace inferbench::testing
