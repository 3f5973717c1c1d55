#include "run/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::run {

namespace {

struct scalar {
  const char* name;
  const char* label;  // same label as in the console report
};

constexpr std::array<scalar, 7> scalars{{
    {"completed", "Successful requests:"},
    {"failed", "Failed requests:"},
    {"request_throughput", "Request throughput (req/s):"},
    {"input_sequence_throughput", "Input throughput (inputs/s):"},
    {"request_goodput", "Request goodput (req/s):"},
    {"output_throughput", "Output token throughput (tok/s):"},
    {"total_token_throughput", "Total token throughput (tok/s):"},
}};

bool selected(const ifb_metric& m) {
  constexpr std::uint32_t both = IFB_METRIC_SUMMARY | IFB_METRIC_SELECTED;
  return (m.flags & both) == both;
}

/// A quantile (0..1) as the text of its percentile: "99" or "99.9".
std::string percentile_text(double q) {
  std::string out = base::shortest(std::round(q * 1e8) / 1e6);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace

void comparison::add(const std::string& label, double value) {
  auto at = std::ranges::find(rows_, label, &row::label);
  if (at == rows_.end()) at = rows_.insert(rows_.end(), {label, {}});
  at->values.push_back(value);
}

void comparison::add(const metrics::report& figures) {
  ++runs_;
  for (const scalar& one : scalars)
    if (const ifb_metric* m = figures.find(one.name)) add(one.label, m->value);
  for (const ifb_metric& m : figures.metrics()) {
    if (!selected(m)) continue;
    const std::string rest = fmt::format(" {} (ms):", m.label);
    add("Mean" + rest, m.value);
    add("Median" + rest, m.median);
    for (std::size_t i = 0; i < m.quantile_count; ++i)
      add("P" + percentile_text(m.quantiles[i].q) + rest, m.quantiles[i].value);
  }
}

std::string comparison::table() const {
  if (runs_ < 2) return {};
  std::string out = fmt::format("{:=^62}\n", fmt::format(" Comparison of {} runs ", runs_)) +
                    fmt::format("{:<40} {:>10} {:>10}\n", "", "mean", "deviation");
  for (const row& one : rows_) {
    double sum = 0;
    for (const double v : one.values)
      sum += v;
    const auto n = static_cast<double>(one.values.size());
    const double mean = sum / n;
    double squares = 0;
    for (const double v : one.values)
      squares += (v - mean) * (v - mean);
    const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    out += fmt::format("{:<40} {:>10.2f} {:>10.2f}\n", one.label, mean, deviation);
  }
  return out + fmt::format("{:=^62}\n", "");
}

}  // namespace inferbench::run
