// Collects the events that a backend reports about one request, as lines: `token 0 answer "Hi"`,
// `token 0 audio "" audio/wav 4 bytes 52494646`, `usage 5 - 2 -`, `attribute name "value"`, `done
// stop`, `error -5 why`. Any thread may report, because the threads of an engine do so.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"
#include "check/outcome.hpp"

namespace inferbench::check {

class recorder {
 public:
  /// `how`: the lending of the table of functions, for example its tail.
  explicit recorder(lending how = {});
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  [[nodiscard]] const ifb_events* events() const noexcept { return events_; }
  [[nodiscard]] ifb_output* output() noexcept { return reinterpret_cast<ifb_output*>(this); }

  /// The lines so far.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// The number of calls of on_done and on_error.
  [[nodiscard]] int ends() const;
  /// Whether on_done was called.
  [[nodiscard]] bool done() const;
  /// The first line after an end; empty if there is no such line.
  [[nodiscard]] std::string after_end() const;

  /// The first mistake beside the number and the order of the events; its text is empty if there
  /// was no mistake.
  [[nodiscard]] finding odd() const;

  /// Makes `fault` the result of odd(), unless there is one already.
  void blame(finding fault);
  /// From now on texts that are not UTF-8 are no mistake: the server has sent such bytes, and a
  /// codec may pass them on. To be called between the calls of a codec.
  void excuse_texts() noexcept { texts_excused_ = true; }
  /// Adds a line of the kit itself, such as `failed -4 why` for a call that failed.
  void add(std::string line);

  /// Waits until the backend has reported an end. False if this takes longer than `limit`.
  [[nodiscard]] bool wait_for_end(std::chrono::milliseconds limit);

 private:
  friend struct heard;
  void hear(std::string line, bool end);
  bool judge_size(const char* name, std::uint32_t size, std::size_t least);
  void judge_reserved(const char* name, std::uint32_t value);
  void judge_text(const char* function, std::string_view text);

  lent_memory memory_;
  ifb_events* events_ = nullptr;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<std::string> lines_;
  int ends_ = 0;
  bool texts_excused_ = false;
  std::string after_end_;
  finding odd_{};
};

}  // namespace inferbench::check
