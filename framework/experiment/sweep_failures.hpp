// The failures of an experiment: the exceptions that pass through it, and the files that describe
// them (--continue-on-error, and servers that do not start).
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "sweep/item.hpp"

namespace inferbench::experiment {

/// A benchmark run without a usable result. The types are named like the Python exceptions that
/// upstream's tools know: "CalledProcessError" (an exit status that is not 0), "FileNotFoundError"
/// (no program, or no result file), "PermissionError" and "OSError" (the program cannot be
/// started), "ValueError" (the file is no result), "RuntimeError".
class failed_run : public base::error {
 public:
  /// `last_lines`: of the benchmark's output; may be empty.
  failed_run(std::string type, const std::string& message, std::string last_lines = {})
      : error(message), type_(std::move(type)), last_lines_(std::move(last_lines)) {}
  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  /// The message, and the last lines.
  [[nodiscard]] std::string whole_text() const {
    return message() +
           (last_lines_.empty() ? "" : "; the last lines of its output:\n" + last_lines_);
  }

 private:
  std::string type_;
  std::string last_lines_;
};

/// A server that did not start, or has ended.
class failed_server : public base::error {
 public:
  using base::error::error;
};

/// The user stops the sweep.
class stopped_sweep : public base::error {
 public:
  stopped_sweep() : error("interrupted") {}
};

/// "run=0.failure.json" beside "run=0.json".
[[nodiscard]] std::filesystem::path failure_file_of(const std::filesystem::path& result);
/// "SERVE-NAME-failure.json"
[[nodiscard]] std::string server_failure_file(const sweep::item& serve);

/// The contents of both files: JSON with 2 blanks for a level and a line end.
[[nodiscard]] std::string failure_text(int run_number, const std::string& type,
                                       const std::string& error, const sweep::item& serve,
                                       const sweep::item& bench);
[[nodiscard]] std::string server_failure_text(const std::string& error, const sweep::item& serve);

}  // namespace inferbench::experiment
