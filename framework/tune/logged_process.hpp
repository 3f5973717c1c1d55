// A benchmark whose output is written to a file, as it comes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "supervise/supervised_process.hpp"
#include "tune/log_file.hpp"

namespace inferbench::tune {

/// Cannot outlive this process (supervise/supervised_process.hpp). Used by one thread.
class logged_process {
 public:
  /// Starts the program of `words`, without a shell. Throws base::error if the file cannot be
  /// opened or the program cannot be started.
  logged_process(const std::vector<std::string>& words, const std::filesystem::path& log);

  /// Waits until the program has ended and returns its wait status; the file is complete then.
  /// nullopt: `give_up` has returned true, and the program runs on until the object is destroyed.
  /// `give_up` is called some times a second; an exception that it throws passes on.
  [[nodiscard]] std::optional<int> awaited(const std::function<bool()>& give_up);
  /// The last lines of both streams (supervised_process::last_lines()).
  [[nodiscard]] std::string last_lines(std::size_t lines) const {
    return process_.last_lines(lines);
  }
  /// As log_file::problem().
  [[nodiscard]] int log_problem() const noexcept { return log_.problem(); }

 private:
  log_file log_;
  supervise::supervised_process process_;  // last: its thread writes to the file
};

}  // namespace inferbench::tune
