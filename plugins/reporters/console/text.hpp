// The report on the terminal, as text. Up to the line of fifty `=` it is equal, byte for byte, to
// the report of `vllm bench serve`. Figures that upstream does not have come after that line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <inferbench/run_description_json.hpp>

#include "reporters/common/figures.hpp"

namespace reporters {

/// The first ten failed requests in the order of the schedule. The key is the place in the
/// schedule.
class first_errors {
 public:
  void add(std::uint64_t sequence, std::string_view error);
  [[nodiscard]] const std::map<std::uint64_t, std::string>& all() const noexcept { return kept_; }

 private:
  static constexpr std::size_t limit = 10;
  std::map<std::uint64_t, std::string> kept_;
};

/// Returns the lines before the report; empty if no request failed, or in a pooling run.
[[nodiscard]] std::string error_lines(const first_errors& errors, const ifb::run_description& run);

/// Returns upstream's two plots over the seconds of the run, in letters: output tokens, which
/// upstream counts as events of the streams, and requests in flight. Empty lines follow. Empty
/// without the fact `per_second`: a pooling run, or no request succeeded. `duration_s`: of the run.
[[nodiscard]] std::string second_plots(const json_value& facts, double duration_s);

/// Returns the lines from the title to the fifty `=`; each line ends with a newline.
[[nodiscard]] std::string upstream_report(const ifb::run_description& run, const figures& found,
                                          const json_value& facts);

/// Returns the block of vLLM's second client, 47 columns wide. It is about the part of the run in
/// which the server was kept full. Empty if the run does not have this part.
[[nodiscard]] std::string steady_report(const json_value& facts);

/// Returns the accounting, the latency from due time, the exact peak, the send lag, the burst, the
/// client's load and the failures by class. The client error of the latencies and the verdict on
/// the client follow at the end, and the goals. `certain`: --threshold-certain was given.
[[nodiscard]] std::string our_report(const figures& found, const ifb_summary& summary,
                                     const json_value& facts, bool certain);

}  // namespace reporters
