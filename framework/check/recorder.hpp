// What a backend reports of one request, as lines: `token 0 answer "Hi"`, `usage 5 - 2 -`,
// `attribute name "value"`, `done stop`, `error -5 why`. [any] thread may report, as an
// engine does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

class recorder {
 public:
  /// `how`: whether the table of functions has a tail.
  explicit recorder(lending how = {});
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  [[nodiscard]] const ifb_events* events() const noexcept { return events_; }
  [[nodiscard]] ifb_output* output() noexcept { return reinterpret_cast<ifb_output*>(this); }

  /// So far.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// Times that on_done or on_error were called.
  [[nodiscard]] int ends() const;
  /// The first line that came after an end; empty: none.
  [[nodiscard]] std::string after_end() const;

  /// What is wrong with the structs of an event; empty: nothing.
  [[nodiscard]] std::string odd() const;

  /// A line of the kit's own, such as `failed -4 why`: the call failed.
  void add(std::string line);

  /// False when the end has not come until then.
  [[nodiscard]] bool wait_for_end(std::chrono::milliseconds limit);

 private:
  friend struct heard;
  void hear(std::string line, bool end);
  void judge_size(const char* name, std::uint32_t size, std::size_t least);

  lent_memory memory_;
  ifb_events* events_ = nullptr;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<std::string> lines_;
  int ends_ = 0;
  std::string after_end_;
  std::string odd_;
};

}  // namespace inferbench::check
