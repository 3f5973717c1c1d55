// Reads a journal back, one record at a time, in memory of one frame. Believes
// nothing: lengths and contents come from a file that a crash may have torn. One
// thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/fd.hpp"
#include "client/record.hpp"
#include "records/journal.hpp"

namespace inferbench::records {

/// Why reading stopped before the end of the file.
struct journal_damage {
  std::uint64_t records = 0;        // read before it
  std::uint64_t offset = 0;         // of the first byte that is not used
  std::uint64_t bytes_dropped = 0;  // from there to the end of the file
  std::string reason;               // "the last frame is cut off"

  /// "run.journal: the last frame is cut off at byte 4711; 12 records read, 33 bytes
  /// dropped"
  [[nodiscard]] std::string text(const std::filesystem::path& path) const;
};

class journal_reader {
 public:
  /// Throws base::error: cannot be read, is no journal, is of a newer format, or is
  /// damaged within the first frame.
  explicit journal_reader(const std::filesystem::path& path);

  [[nodiscard]] const run_information& run() const noexcept { return run_; }

  /// The next record, in the order of completion; false at the end or where the
  /// damage begins. Throws base::error when the file cannot be read any more.
  [[nodiscard]] bool next(client::record& out);

  // What follows holds once next() has returned false.

  /// Empty: the run died, or the end of the file is lost.
  [[nodiscard]] const std::optional<run_end>& end() const noexcept { return end_; }
  [[nodiscard]] const std::optional<journal_damage>& damage() const noexcept { return damage_; }
  /// The run did not come to its end: stopped, died, or the end of the file is lost.
  [[nodiscard]] bool interrupted() const noexcept { return !end_ || end_->interrupted; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

 private:
  enum class frame { complete, none, bad };

  frame read_frame();
  std::size_t read_some(char* into, std::size_t size);
  void stop(std::string reason);

  std::filesystem::path path_;
  base::fd file_;
  run_information run_;
  std::optional<run_end> end_;
  std::optional<journal_damage> damage_;
  std::string payload_;         // of the frame read last, kind byte first
  std::string reason_;          // why a frame is bad
  std::uint64_t offset_ = 0;    // of the frame read last
  std::uint64_t consumed_ = 0;  // bytes taken from the file
  std::uint64_t records_ = 0;
  bool over_ = false;
};

}  // namespace inferbench::records
