// One test on one plugin, and its transfer from the parent to the child process that runs the test.
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
  std::filesystem::path file;  // absolute path without symbolic links
  std::string test;
  ifb_kind kind = 0;  // 0: the library as a whole
  std::string id{};
  std::vector<std::pair<std::string, std::string>> settings{};  // pairs of an option's name and its
                                                                // value, as on a command line
  std::filesystem::path transcripts{};  // folder of recorded exchanges, or empty
  std::filesystem::path folder{};       // temporary folder for files of the test
  std::chrono::milliseconds limit{10'000};
};

[[nodiscard]] std::string to_json(const task& given);
/// Throws base::error if `text` was not written by to_json().
[[nodiscard]] task task_from_json(const std::string& text);

}  // namespace inferbench::check
