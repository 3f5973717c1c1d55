// The worker's answer to one batch: the frames from began to done, checked and turned into the
// report for the host. No I/O.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>

#include "clock_tie.hpp"
#include "messages.hpp"

namespace python_engine {

/// Used by one thread at a time. The report points into this object and into `memory`.
class batch_answer {
 public:
  /// Nothing of `batch` is kept.
  batch_answer(const ifb_batch& batch, std::uint64_t number, const clock_tie& clock,
               ifb::arena memory);

  /// Takes the next frame: began, tokens, ended, results or done. Returns true if the answer is
  /// complete. Throws violation (IFB_E_PROTOCOL) if the frame breaks the protocol, and failure with
  /// IFB_E_REMOTE if the engine returned fewer results than there are items.
  bool take(const frame& in);

  /// Valid after take() has returned true.
  [[nodiscard]] const ifb_batch_report& report() const noexcept { return report_; }
  /// A remark for the user about the answer, or empty.
  [[nodiscard]] const std::string& warning() const noexcept { return warning_; }
  /// The frame that the worker has to send next, for messages: "began", "ended", "done".
  [[nodiscard]] const char* awaited() const noexcept;

 private:
  enum class stage : std::uint8_t { prepares, runs, reports };

  void take_began(const frame& in);
  void take_tokens(const frame& in);
  void take_ended(const frame& in);
  void take_results(const frame& in);
  void take_done(const frame& in);
  void add_result(const json_place& from);
  void check_counts(const json_place& from, std::size_t item, const result_message& result);
  [[nodiscard]] ifb_measure_list kept(const std::vector<measure_message>& measures) const;
  [[nodiscard]] ifb_str kept(std::string_view text) const;

  std::uint64_t number_;
  std::size_t outputs_;  // of each item
  bool beams_;
  bool stamps_;
  clock_tie clock_;
  ifb::arena memory_;
  stage stage_ = stage::prepares;
  std::uint64_t began_ = 0;  // times of the worker's clock
  std::uint64_t first_stamp_ = 0;
  std::uint64_t last_stamp_ = 0;
  std::vector<ifb_batch_result> results_;
  std::size_t arrived_ = 0;                     // results that have arrived
  std::vector<std::uint32_t> counted_;          // tokens of events: item * outputs_ + output
  std::vector<std::vector<std::uint64_t>> at_;  // times of events by item, on the host's clock
  std::uint64_t uncounted_ = 0;                 // outputs whose events have too few tokens
  ifb_batch_report report_{};
  std::string warning_;
};

}  // namespace python_engine
