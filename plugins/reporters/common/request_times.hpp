// The times of one request, for reports with one line for each request. Pure functions; the records
// are borrowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <inferbench/abi.h>

namespace reporters {

/// The figures of one request, by the formulas of docs/run-description.md. Only requests that
/// succeeded have ttft, tpot and e2el, so their means are those of the report.
struct request_latencies {
  std::optional<std::uint64_t> ttft_ns;
  std::optional<double> tpot_ns;  // requests with two or more output tokens
  std::optional<std::uint64_t> e2el_ns;
  std::optional<std::uint64_t> longest_gap_ns;  // between two events; requires the stamps
};

/// `pooling`: the answers are no streams, so e2el ends with the answer.
[[nodiscard]] request_latencies latencies_of(const ifb_record& record, bool pooling);

/// Returns the class of a status, as in the fact `errors`: "ok", "remote", "timeout", "internal".
[[nodiscard]] std::string_view status_class(ifb_status status) noexcept;

/// Returns whether an attribute is a part of the answer's text, which reports contain only if the
/// user wants texts.
[[nodiscard]] inline bool is_text_attribute(std::string_view name) noexcept {
  return name == "reasoning" || name == "tool_call";
}

/// Returns the time from `from` to the stamp `to`, which may be negative; nullopt if `to` did not
/// happen (0).
[[nodiscard]] inline std::optional<std::int64_t> relative(std::uint64_t to,
                                                          std::uint64_t from) noexcept {
  if (to == 0) return std::nullopt;
  return static_cast<std::int64_t>(to - from);
}

}  // namespace reporters
