#include "calibration/accuracy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "metrics/statistics.hpp"

namespace inferbench::calibration {

namespace {

constexpr std::array judged_percentiles{50.0, 99.0};

// Subtracts before the conversion to double: stamps have more digits than a double.
double ms(std::uint64_t later, std::uint64_t earlier) {
  return static_cast<double>(static_cast<std::int64_t>(later - earlier)) / 1e6;
}

error_figures figures_of(std::vector<double>& values) {
  if (values.empty()) return {};
  const metrics::statistics found = metrics::describe(values, judged_percentiles);
  return {found.mean, found.quantiles[0], found.quantiles[1], found.maximum};
}

}  // namespace

void truth_comparison::pairs::add(double measured_ms, double real_ms, double least_ms,
                                  double most_ms) {
  error.push_back(measured_ms - real_ms);
  measured.push_back(measured_ms);
  real.push_back(real_ms);
  least.push_back(least_ms);
  most.push_back(most_ms);
}

error_figures truth_comparison::pairs::finish(double& p99_difference, checked_figures& checked) {
  const error_figures seen = figures_of(measured);
  const error_figures low = figures_of(least);
  const error_figures high = figures_of(most);
  p99_difference = seen.p99 - figures_of(real).p99;
  const auto outside = [](double value, double from, double to) {
    return std::max({value - to, from - value, 0.0});
  };
  checked.measured = seen;
  checked.proven = {outside(seen.mean, low.mean, high.mean), outside(seen.p50, low.p50, high.p50),
                    outside(seen.p99, low.p99, high.p99), 0};
  return figures_of(error);
}

bool truth_comparison::add(const client::record& seen, const served& written) {
  std::vector<std::uint64_t> at = pooling_ ? std::vector{seen.end_ns} : seen.tokens.absolute();
  const std::vector<std::uint64_t>& real = written.event_ns;
  const std::vector<std::uint64_t>& after = written.written_ns;
  const std::size_t role = written.role_event ? 1 : 0;
  if (real.empty() || at.size() != real.size() + role) {
    ++out_.mismatched;
    return false;
  }
  ++out_.streams;
  out_.events += real.size();
  const std::uint64_t start = seen.start_ns;
  const auto add_time = [&](pairs& to, std::uint64_t seen_at, std::uint64_t from,
                            std::uint64_t until) {
    to.add(ms(seen_at, start), ms(from, start), ms(from, start), ms(until, start));
  };
  if (!pooling_) add_time(ttft_, at.front(), real.front(), after.front());
  add_time(e2el_, at.back(), real.back(), after.back());
  at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(role));
  for (std::size_t k = 0; k < real.size(); ++k) {
    delay_.push_back(ms(at[k], real[k]));
    if (at[k] < real[k]) ++out_.early_events;
    if (k > 0)
      itl_.add(ms(at[k], at[k - 1]), ms(real[k], real[k - 1]), ms(real[k], after[k - 1]),
               ms(after[k], real[k - 1]));
  }
  return true;
}

accuracy truth_comparison::finish() {
  out_.ttft = ttft_.finish(out_.p99_ttft, out_.ttft_checked);
  out_.itl = itl_.finish(out_.p99_itl, out_.itl_checked);
  out_.e2el = e2el_.finish(out_.p99_e2el, out_.e2el_checked);
  out_.delay = figures_of(delay_);
  return out_;
}

void write(ifb::json_writer& out, const error_figures& figures) {
  out.begin_object();
  out.member("mean", figures.mean);
  out.member("p50", figures.p50);
  out.member("p99", figures.p99);
  out.member("max", figures.max);
  out.end_object();
}

}  // namespace inferbench::calibration
