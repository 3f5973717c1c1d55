#include "experiment/sweep_progress.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sweep/level.hpp"

namespace inferbench::experiment {

namespace {

struct shown_figure {
  const char* key;  // in the result
  const char* name;
  const char* unit;
};

constexpr std::array<shown_figure, 5> shown_figures{{
    {"request_throughput", "", "req/s"},
    {"median_ttft_ms", "median TTFT ", "ms"},
    {"p99_tpot_ms", "p99 TPOT ", "ms"},
    {"avg_cold_startup_time", "mean cold start ", "s"},
    {"avg_warm_startup_time", "mean warm start ", "s"},
}};

/// Three digits, or all digits of the whole part: 2660 and not 2.66e+03.
std::string short_number(double value) {
  constexpr double four_digits = 1000;
  return value < four_digits ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::string figures_text(const ifb::json_value& result) {
  if (sweep::completed_nothing(result)) return "no request completed";
  std::string out;
  for (const shown_figure& each : shown_figures) {
    const ifb::json_value* const value = ifb::find(result, each.key);
    if (value == nullptr || !value->IsNumber()) continue;
    if (!out.empty()) out += ", ";
    out += each.name + short_number(value->GetDouble()) + " " + each.unit;
  }
  return out;
}

sweep_progress::sweep_progress(const base::clock& clock, bool redrawn,
                               std::function<void(const std::string&)> show)
    : clock_(clock), redrawn_(redrawn), show_(std::move(show)) {}

void sweep_progress::set_left(std::optional<std::size_t> runs) {
  left_ = runs;
  if (!began_) began_ = clock_.now();
}

void sweep_progress::begin(const sweep_position& at) {
  at_ = at;
  running_ = true;
  run_began_ = clock_.now();
  if (!began_) began_ = run_began_;
  shown_ = run_began_;
  if (redrawn_) show_(line());
}

void sweep_progress::tick() {
  if (!redrawn_ || clock_.now() - shown_ < base::ns_per_s) return;
  shown_ = clock_.now();
  show_(line());
}

void sweep_progress::end(const ifb::json_value* result) {
  running_ = false;
  ++done_;
  if (left_) left_ = *left_ - std::min<std::size_t>(*left_, 1);
  if (result != nullptr) last_ = figures_text(*result);
  show_(line());
}

// All runs count as equally long. The time that a server needed to start is part of the mean.
std::optional<std::uint64_t> sweep_progress::seconds_left() const {
  if (!left_ || done_ == 0) return std::nullopt;
  const std::uint64_t now = clock_.now();
  const std::uint64_t until = running_ ? run_began_ : now;
  const std::uint64_t each = (until - *began_) / done_;
  const std::uint64_t all = each * *left_;
  const std::uint64_t passed = running_ ? std::min(now - run_began_, each) : 0;
  return (all - std::min(passed, all)) / base::ns_per_s;
}

std::string sweep_progress::line() const {
  std::string out = fmt::format("combination {} of {}", at_.combination, at_.combinations);
  if (!at_.level.empty()) out += ", " + at_.level;
  out += at_.run == 0 ? ", warm-up" : fmt::format(", run {} of {}", at_.run, at_.runs);
  if (const auto left = seconds_left())
    out += fmt::format(", {:02}:{:02}:{:02} left", *left / 3600, *left / 60 % 60, *left % 60);
  if (!last_.empty()) out += "; last: " + last_;
  return out;
}

}  // namespace inferbench::experiment
