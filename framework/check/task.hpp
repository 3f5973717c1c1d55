// One test on one plugin, and its way from the parent to the child process that runs it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::check {

/// The task of a child process.
struct task {
  std::filesystem::path file;  // absolute, links resolved
  std::string test;
  ifb_kind kind = 0;  // 0: the library as a whole
  std::string id{};
  std::vector<std::pair<std::string, std::string>>
      settings{};                       // option, and value as on a command line
  std::filesystem::path transcripts{};  // folder, or empty
  std::filesystem::path folder{};       // for files of the test
  std::chrono::milliseconds limit{10'000};
};

[[nodiscard]] std::string to_json(const task& given);
/// Throws base::error where `text` does not come from to_json.
[[nodiscard]] task task_from_json(const std::string& text);

}  // namespace inferbench::check
