#include "metrics/steady_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "metrics/outcome.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {
namespace {

double seconds_of(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

// A journal may contain any number. Converting a double that does not fit would be undefined
// behaviour, so it is limited here.
std::uint64_t whole_number(double value) {
  constexpr double most = 1e18;
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, most)) : 0;
}

std::uint64_t least_window_ns(const context& run) {
  if (run.steady_state.min_window_ns) return *run.steady_state.min_window_ns;
  constexpr double least_s = 10;
  return whole_number(std::max(least_s, run.duration_s / 10) * 1e9);
}

void write_times(ifb::json_writer& out, const char* name, const statistics& found) {
  out.member(fmt::format("mean_{}_ms", name), found.mean);
  out.member(fmt::format("median_{}_ms", name), found.median);
}

}  // namespace

bool has_steady_state(const context& run) noexcept {
  return run.steady_state.wanted && run.max_concurrency && std::isinf(run.request_rate);
}

std::uint64_t steady_threshold(const context& run) noexcept {
  const double share = run.steady_state.threshold * static_cast<double>(*run.max_concurrency);
  return whole_number(std::max(1.0, std::ceil(share)));
}

steady_window find_steady_window(const std::vector<span>& spans, std::uint64_t threshold) {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
  begins.reserve(spans.size());
  ends.reserve(spans.size());
  for (const auto& [begin, end] : spans) {
    begins.push_back(begin);
    ends.push_back(end);
  }
  std::ranges::sort(begins);
  std::ranges::sort(ends);
  steady_window out;
  out.threshold = threshold;
  const auto wanted = static_cast<std::int64_t>(threshold);
  std::int64_t open = 0;  // -1 for an instant at which an empty span ends before it begins
  bool reached = false;
  for (std::size_t b = 0, e = 0; e < ends.size();) {
    if (b < begins.size() && begins[b] < ends[e]) {
      if (++open == wanted && !reached) {
        reached = true;
        out.begin = begins[b];
      }
      out.peak = std::max(out.peak, static_cast<std::uint64_t>(std::max<std::int64_t>(open, 0)));
      ++b;
    } else {
      if (--open == wanted - 1 && reached) out.end = ends[e];
      ++e;
    }
  }
  if (!reached) out.begin = out.end = 0;
  return out;
}

steady_state::steady_state(const context& run, const std::vector<span>& successes)
    : run_(run),
      window_(find_steady_window(successes, steady_threshold(run))),
      total_(successes.size()) {
  if (!successes.empty())
    first_start_ = std::ranges::min_element(successes, {}, &span::begin)->begin;
}

void steady_state::add(const span& served, std::uint64_t first, std::uint32_t input,
                       std::uint32_t output) {
  if (window_.holds(served.end)) ++completed_;
  if (!window_.holds(served.begin)) return;
  ++started_;
  input_ += input;
  if (run_.pooling) return;
  ttft_.push_back(ms(served.begin, first));
  if (output > 1) tpot_.push_back(ms(first, served.end) / static_cast<double>(output - 1));
}

std::string steady_state::missing() const {
  if (window_.end == 0)
    return fmt::format(
        "{} requests at once, {} of the {} of --max-concurrency, were never reached; "
        "the most were {}",
        window_.threshold, base::shortest(run_.steady_state.threshold), *run_.max_concurrency,
        window_.peak);
  if (started_ == 0 || completed_ == 0)
    return fmt::format("no request {} while {} were under way", started_ == 0 ? "started" : "ended",
                       window_.threshold);
  return {};
}

std::string steady_state::to_json() {
  if (!missing().empty()) return "null";
  const std::uint64_t length = window_.end - window_.begin;
  const double s = seconds_of(length);
  const std::uint64_t least = least_window_ns(run_);
  ifb::json_writer out;
  out.begin_object();
  out.key("window");
  out.begin_object();
  out.member("start_s", seconds_of(window_.begin - first_start_));
  out.member("end_s", seconds_of(window_.end - first_start_));
  out.member("duration_s", s);
  out.member("target_concurrency", *run_.max_concurrency);
  out.member("threshold", run_.steady_state.threshold);
  out.member("threshold_abs", window_.threshold);
  out.member("observed_peak", window_.peak);
  out.member("requests_started_in_window", started_);
  out.member("requests_completed_in_window", completed_);
  out.member("requests_total", total_);
  out.key("warning");
  if (length < least)
    out.string(fmt::format("the window of {:.2f} s is shorter than {:.2f} s: take more requests", s,
                           seconds_of(least)));
  else
    out.null();
  out.end_object();
  out.member("request_throughput", rate(number(completed_), s));
  out.member("input_throughput", rate(number(input_), s));
  out.member("output_throughput", rate(number(events_), s));
  out.member("total_token_throughput", rate(number(input_ + events_), s));
  if (!run_.pooling) {
    const statistics ttft = describe(ttft_, run_.percentiles);
    write_times(out, "ttft", ttft);
    out.key("percentiles_ttft_ms");
    out.begin_array();
    for (std::size_t i = 0; i < run_.percentiles.size(); ++i) {
      out.begin_array();
      out.number(run_.percentiles[i]);
      out.number(ttft.quantiles[i]);
      out.end_array();
    }
    out.end_array();
    constexpr std::array percentiles{90.0, 99.0};
    const statistics tpot = describe(tpot_, percentiles);
    write_times(out, "tpot", tpot);
    out.member("p90_tpot_ms", tpot.quantiles[0]);
    out.member("p99_tpot_ms", tpot.quantiles[1]);
  }
  out.end_object();
  return out.take();
}

}  // namespace inferbench::metrics
