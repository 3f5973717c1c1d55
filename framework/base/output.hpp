// Text for whoever started the program, which arrives or is known not to: a full disk, a reader
// that is gone and a stream that is closed are seen here, and told once, at the end of the program.
#pragma once

#include <atomic>
#include <cstdio>
#include <string_view>

namespace inferbench::base {

/// Any thread; what one call writes is not mixed with what another does.
class output {
 public:
  /// `to` must outlive it.
  explicit output(std::FILE* to) noexcept : to_(to) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  /// May stay in a buffer. After the first failure nothing is written any more.
  void write(std::string_view text) noexcept;
  /// Hands on what is in the buffer.
  void flush() noexcept;
  /// As flush(), and asks the system whether it has kept all: some disks on a network say only
  /// then that they are full. To be called once, at the end.
  void finish() noexcept;

  /// Something written here is lost.
  [[nodiscard]] bool failed() const noexcept { return reason_ != 0; }
  /// Why: the errno of the first failure, or 0.
  [[nodiscard]] int reason() const noexcept { return reason_; }

 private:
  void fail() noexcept;

  std::FILE* to_;
  std::atomic<int> reason_ = 0;
};

/// Gives standard streams that are closed a descriptor that can be neither read nor written: a
/// file or a socket opened later would else take their place, and get what is printed. Before
/// anything is opened.
void occupy_closed_streams() noexcept;

}  // namespace inferbench::base
