// A server or a benchmark whose output is written to a file, as it comes.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::tune {

struct logged_program {
  std::vector<std::string> words = {};      // the program and its arguments; no shell
  std::vector<std::string> variables = {};  // NAME=value
  std::filesystem::path log = {};           // created, or emptied
};

/// Cannot outlive this process (supervise/supervised_process.hpp). Used by one thread.
class logged_process {
 public:
  /// Throws base::error if the file cannot be opened or the program cannot be started.
  explicit logged_process(const logged_program& what);

  /// The wait status if the program has ended by `deadline`; the file is complete then.
  [[nodiscard]] std::optional<int> wait_until(supervise::supervised_process::time_point deadline);
  /// The last lines of both streams (supervised_process::last_lines()).
  [[nodiscard]] std::string last_lines(std::size_t lines) const {
    return process_.last_lines(lines);
  }
  /// "; the last lines of its output:" and the lines, or "; it has printed nothing".
  [[nodiscard]] std::string last_lines_clause() const;
  /// The errno of the first write to the file that failed; 0: none.
  [[nodiscard]] int write_problem() const noexcept { return write_problem_; }

 private:
  void write(std::string_view text) noexcept;

  base::fd log_;
  std::atomic<int> write_problem_ = 0;
  supervise::supervised_process process_;  // last: its thread writes to the file
};

/// Waits until the program has ended and returns its wait status; nullopt: `give_up` has returned
/// true, and the program runs on until its object is destroyed. `give_up` is called some times a
/// second; an exception that it throws passes on.
[[nodiscard]] std::optional<int> awaited(logged_process& what,
                                         const std::function<bool()>& give_up);

}  // namespace inferbench::tune
