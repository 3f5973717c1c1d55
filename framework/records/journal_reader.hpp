// Reads a journal back, one record at a time; damaged parts are passed over (frames.hpp). One
// thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "client/record.hpp"
#include "records/frames.hpp"
#include "records/journal.hpp"

namespace inferbench::records {

/// The parts of a journal that could not be read.
struct journal_damage : frame_damage {
  std::uint64_t records = 0;  // read all the same

  /// "run.journal: a frame has a wrong checksum at byte 4711, and 2 more places are damaged; 12
  /// records read, 33 bytes dropped"
  [[nodiscard]] std::string text(const std::filesystem::path& path) const;
};

class journal_reader {
 public:
  /// Throws base::error: the file cannot be read, is not a journal, has a newer format, or is
  /// damaged within the first frame.
  explicit journal_reader(const std::filesystem::path& path);

  [[nodiscard]] const run_information& run() const noexcept { return run_; }

  /// The next record that can be read, in the order of completion; false at the end. Throws
  /// base::error when the file cannot be read any more.
  [[nodiscard]] bool next(client::record& out);

  // The functions below answer for the whole journal once next() has returned false.

  /// Nothing: the run died, or the end of the file is lost.
  [[nodiscard]] const std::optional<run_end>& end() const noexcept { return end_; }
  /// Nothing: all of the file was read.
  [[nodiscard]] std::optional<journal_damage> damage() const;
  /// The run was stopped or died before its end, or the end of the file is lost.
  [[nodiscard]] bool interrupted() const noexcept { return !end_ || end_->interrupted; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

 private:
  frame_source frames_;
  run_information run_;
  std::optional<run_end> end_;
  std::uint64_t records_ = 0;
  bool over_ = false;
};

}  // namespace inferbench::records
