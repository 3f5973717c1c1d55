// Reads a journal, one record at a time. Damaged parts are skipped (frames.hpp). One thread at a
// time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "client/record.hpp"
#include "records/frames.hpp"
#include "records/journal.hpp"

namespace inferbench::records {

/// The parts of a journal that could not be read.
struct journal_damage : frame_damage {
  std::uint64_t records = 0;  // number of records that were read in spite of the damage

  /// A sentence: "run.journal: a frame has a wrong checksum at byte 4711, and 2 more places are
  /// damaged; 12 records read, 33 bytes dropped".
  [[nodiscard]] std::string text(const std::filesystem::path& path) const;
};

class journal_reader {
 public:
  /// Throws base::error if the file cannot be read, is not a journal, has a newer format, or is
  /// damaged in the first frame.
  explicit journal_reader(const std::filesystem::path& path);

  [[nodiscard]] const run_information& run() const noexcept { return run_; }

  /// Sets a function that next() calls for each observation of a server that comes before the
  /// record which it returns, and for each after the last record. Without a function, observations
  /// are skipped.
  void on_observation(std::function<void(const observation&)> take) { observed_ = std::move(take); }

  /// Reads the next undamaged record, in the order of completion. Returns false at the end. Throws
  /// base::error if reading the file fails.
  [[nodiscard]] bool next(client::record& out);

  // The results of the functions below are complete after next() has returned false.

  /// nullopt if the run did not end normally, or if the end of the file is lost.
  [[nodiscard]] const std::optional<run_end>& end() const noexcept { return end_; }
  /// nullopt if the whole file was read.
  [[nodiscard]] std::optional<journal_damage> damage() const;
  /// Whether the run was stopped or killed before its end, or the end of the file is lost.
  [[nodiscard]] bool interrupted() const noexcept { return !end_ || end_->interrupted; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

 private:
  frame_source frames_;
  run_information run_;
  std::optional<run_end> end_;
  std::function<void(const observation&)> observed_;
  std::uint64_t records_ = 0;
  bool over_ = false;
};

}  // namespace inferbench::records
