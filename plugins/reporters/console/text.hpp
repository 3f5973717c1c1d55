// The report on the terminal, as text. Up to the line of fifty `=` it is, byte for byte, the
// report of `vllm bench serve`; figures that it does not have come after that line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <inferbench/run_description_json.hpp>

#include "reporters/common/figures.hpp"

namespace reporters {

/// The ten failed requests that come first in the schedule; key: their place in it.
class first_errors {
 public:
  void add(std::uint64_t sequence, std::string_view error);
  [[nodiscard]] const std::map<std::uint64_t, std::string>& all() const noexcept { return kept_; }

 private:
  static constexpr std::size_t limit = 10;
  std::map<std::uint64_t, std::string> kept_;
};

/// The lines before the report; empty when nothing failed or in a pooling run.
[[nodiscard]] std::string error_lines(const first_errors& errors, const ifb::run_description& run);

/// From the title to the fifty `=`, each line ended.
[[nodiscard]] std::string upstream_report(const ifb::run_description& run, const figures& found,
                                          const json_value& facts);

/// The block of vLLM's second client about the part of the run in which the server was kept full,
/// 47 columns wide; empty if the run has no such part.
[[nodiscard]] std::string steady_report(const json_value& facts);

/// Accounting, latency from due time, exact peak, send lag, the burst, the client's load, failures
/// by class, and last the client error of the latencies and the verdict on the client.
[[nodiscard]] std::string our_report(const figures& found, const ifb_summary& summary,
                                     const json_value& facts);

}  // namespace reporters
