// Writes what was found in each image, video and sound, for tests of a client. The file has JSON
// lines, which docs/simulator.md describes.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "simulator/media_check.hpp"
#include "simulator/media_queue.hpp"

namespace inferbench::simulator {

/// Appends the line of one medium of `job`, including the line ending.
void append_line(std::string& out, const media_job& job, const sent_medium& medium,
                 const media_verdict& verdict);

/// One thread.
class media_facts_file {
 public:
  /// Creates or empties the file. Throws base::error if this fails. An empty path: nothing is
  /// written.
  explicit media_facts_file(const std::string& path);

  [[nodiscard]] bool wanted() const noexcept { return static_cast<bool>(file_); }
  /// Writes `lines`. After the first failure, error() returns the reason, and nothing is written
  /// any more.
  void write(std::string_view lines);
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  std::string path_;
  base::fd file_;
  std::string error_;
};

}  // namespace inferbench::simulator
