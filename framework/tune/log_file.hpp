// The file that gets the output of a server or of a benchmark, as it comes.
#pragma once

#include <atomic>
#include <filesystem>
#include <string_view>

#include "base/fd.hpp"

namespace inferbench::tune {

/// One thread writes; any thread asks for the problem.
class log_file {
 public:
  /// Creates or empties the file. Throws base::error if it cannot be opened.
  explicit log_file(const std::filesystem::path& file);

  void write(std::string_view text) noexcept;
  /// The errno of the first write that failed, after which nothing is written; 0: none.
  [[nodiscard]] int problem() const noexcept { return problem_; }

 private:
  base::fd file_;
  std::atomic<int> problem_ = 0;
};

}  // namespace inferbench::tune
