#include "run/accuracy.hpp"

#include <array>
#include <cstddef>

#include "metrics/statistics.hpp"

namespace inferbench::run {

namespace {

constexpr std::array percentiles{50.0, 99.0};

// Differences before they become floating: stamps have more digits than a double.
double ms(std::uint64_t later, std::uint64_t earlier) {
  return static_cast<double>(static_cast<std::int64_t>(later - earlier)) / 1e6;
}

error_figures figures_of(std::vector<double>& values) {
  if (values.empty()) return {};
  const metrics::statistics found = metrics::describe(values, percentiles);
  return {found.mean, found.quantiles[0], found.quantiles[1], found.maximum};
}

}  // namespace

void comparison::pairs::add(double measured_ms, double real_ms) {
  error.push_back(measured_ms - real_ms);
  measured.push_back(measured_ms);
  real.push_back(real_ms);
}

error_figures comparison::pairs::finish(double& p99_difference) {
  p99_difference = figures_of(measured).p99 - figures_of(real).p99;
  return figures_of(error);
}

void comparison::add(const client::record& seen, const served& written) {
  std::vector<std::uint64_t> at = seen.tokens.absolute();
  const std::vector<std::uint64_t>& real = written.event_ns;
  const std::size_t role = written.chat ? 1 : 0;
  if (real.empty() || at.size() != real.size() + role) {
    ++out_.mismatched;
    return;
  }
  ++out_.streams;
  out_.events += real.size();
  const std::uint64_t start = seen.start_ns;
  ttft_.add(ms(at.front(), start), ms(real.front(), start));
  e2el_.add(ms(at.back(), start), ms(real.back(), start));
  at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(role));
  for (std::size_t k = 0; k < real.size(); ++k) {
    delay_.push_back(ms(at[k], real[k]));
    if (at[k] < real[k]) ++out_.early_events;
    if (k > 0) itl_.add(ms(at[k], at[k - 1]), ms(real[k], real[k - 1]));
  }
}

accuracy comparison::finish() {
  out_.ttft = ttft_.finish(out_.p99_ttft);
  out_.itl = itl_.finish(out_.p99_itl);
  out_.e2el = e2el_.finish(out_.p99_e2el);
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

}  // namespace inferbench::run
