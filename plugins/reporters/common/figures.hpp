// Figures by their names, and the names of percentiles.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "json_value.hpp"

namespace reporters {

/// Borrows the metrics of a summary for the length of a call.
class figures {
 public:
  explicit figures(const ifb_summary& summary) : all_(ifb::metrics_of(summary)) {}

  [[nodiscard]] ifb::strided<ifb_metric> all() const noexcept { return all_; }

  /// nullptr: the run has no such figure.
  [[nodiscard]] const ifb_metric* find(std::string_view name) const noexcept {
    for (const ifb_metric& m : all_)
      if (name == m.name) return &m;
    return nullptr;
  }
  /// 0 if the run has no such figure.
  [[nodiscard]] double value(std::string_view name) const noexcept {
    const ifb_metric* m = find(name);
    return m == nullptr ? 0.0 : m->value;
  }

 private:
  ifb::strided<ifb_metric> all_;
};

[[nodiscard]] inline bool has(const ifb_metric& m, std::uint32_t flags) noexcept {
  return (m.flags & flags) == flags;
}

/// Whether upstream prints it: selected, and summarised by upstream's rule.
[[nodiscard]] inline bool selected(const ifb_metric& m) noexcept {
  return has(m, std::uint32_t{IFB_METRIC_SUMMARY} | IFB_METRIC_SELECTED | IFB_METRIC_UPSTREAM);
}

/// "99", "99.9": the percentile as the user wrote it. Its division by 100 has changed the last
/// digit, which is not among the twelve digits used here.
[[nodiscard]] inline std::string percentile_name(double q) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", q * 100.0);
  std::string out;
  ifb::append_python_float(out, std::strtod(text, nullptr));
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

/// The value of that percentile (0..100), if the metric has it.
[[nodiscard]] inline std::optional<double> percentile(const ifb_metric& m, double p) noexcept {
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    if (std::abs(each.q * 100.0 - p) < 1e-9) return each.value;
  return std::nullopt;
}

/// The list of acceptance rates by position (fractions) among the facts of a summary;
/// nullptr: the server has none.
[[nodiscard]] inline const json_value* position_rates(const json_value& facts) {
  const json_value* rates = find(find(facts, "spec_decode"), "per_position_acceptance_rates");
  return rates != nullptr && rates->IsArray() ? rates : nullptr;
}

}  // namespace reporters
