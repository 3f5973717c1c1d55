// Finds figures by their names, and names percentiles.
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

/// Refers to the metrics of a summary, which must outlive it.
class figures {
 public:
  explicit figures(const ifb_summary& summary) : all_(ifb::metrics_of(summary)) {}

  [[nodiscard]] ifb::strided<ifb_metric> all() const noexcept { return all_; }

  /// Returns nullptr if the run does not have this figure.
  [[nodiscard]] const ifb_metric* find(std::string_view name) const noexcept {
    for (const ifb_metric& m : all_)
      if (name == m.name) return &m;
    return nullptr;
  }
  /// Returns 0 if the run does not have this figure.
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

/// Returns whether upstream prints statistics of the metric: it has them, the user selected it, and
/// it is a figure of upstream.
[[nodiscard]] inline bool selected(const ifb_metric& m) noexcept {
  return has(m, std::uint32_t{IFB_METRIC_SUMMARY} | IFB_METRIC_SELECTED | IFB_METRIC_UPSTREAM);
}

/// Returns the percentile as the user wrote it: "99", "99.9". The host divided the number by 100,
/// which may have changed its last digit. Twelve digits are used here, so the change does not
/// appear.
[[nodiscard]] inline std::string percentile_name(double q) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", q * 100.0);
  std::string out;
  ifb::append_python_float(out, std::strtod(text, nullptr));
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

/// Returns the value of the percentile `p` (0 to 100), if the metric has it.
[[nodiscard]] inline std::optional<double> percentile(const ifb_metric& m, double p) noexcept {
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    if (std::abs(each.q * 100.0 - p) < 1e-9) return each.value;
  return std::nullopt;
}

/// Returns the list of acceptance rates by position (fractions) from the facts of a summary;
/// nullptr if the server does not report them.
[[nodiscard]] inline const json_value* position_rates(const json_value& facts) {
  const json_value* rates = find(find(facts, "spec_decode"), "per_position_acceptance_rates");
  return rates != nullptr && rates->IsArray() ? rates : nullptr;
}

}  // namespace reporters
