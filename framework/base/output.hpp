// Writes text for the user to a standard stream. The class remembers the first write that fails
// (the disk is full, the reader is gone, the stream is closed). The program reports it once, at its
// end.
#pragma once

#include <atomic>
#include <cstdio>
#include <string_view>

namespace inferbench::base {

/// Any thread may write; the texts of two calls are not mixed.
class output {
 public:
  /// `to` must outlive this object.
  explicit output(std::FILE* to) noexcept : to_(to) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  /// Writes `text`, which may stay in a buffer. Does nothing after the first failure.
  void write(std::string_view text) noexcept;
  /// Writes the buffer to the file.
  void flush() noexcept;
  /// Calls flush(), and asks the system whether all data was stored: some network file systems
  /// report a full disk only at that time. Call it once, at the end.
  void finish() noexcept;

  /// True if text that was passed to write() is lost.
  [[nodiscard]] bool failed() const noexcept { return reason_ != 0; }
  /// The errno of the first failure, or 0.
  [[nodiscard]] int reason() const noexcept { return reason_; }

 private:
  void fail() noexcept;

  std::FILE* to_;
  std::atomic<int> reason_ = 0;
};

/// Gives each closed standard stream a descriptor that can be neither read nor written. Otherwise a
/// file or socket that is opened later would get the number of the stream, and text for the stream
/// would be written to the file. Call it before any file is opened.
void occupy_closed_streams() noexcept;

}  // namespace inferbench::base
