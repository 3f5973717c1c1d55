#include "limit/share_trial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "limit/needed.hpp"

namespace inferbench::limit {
namespace {

using finding = confidence::share_watch::finding;

constexpr std::size_t informative_over = 20;
constexpr double expected_over = 5;

/// The factor by which a correlation time may be larger than the step. The time of a series with
/// few runs of requests over the limit is known with a relative error of about 1 / sqrt(runs), the
/// error of the mean length of a run; two such errors are allowed.
double tolerance(std::size_t runs) {
  return 1 + 2 / std::sqrt(std::max(1.0, static_cast<double>(runs)));
}

/// A queue that grows without an end is a trend, and a trend has the correlation time of the whole
/// probe. Its later half is steadier. There a correlation time of this many requests is assumed at
/// least, since a half that is all over the limit does not show its own: 500 slow requests in a row
/// at p90, and 300 at p99, are then a failure and not a stall.
constexpr double longest_memory = 100;

/// Looks that are 1.6 % apart delay a verdict by no more than that, and are cheap.
std::size_t following_look(std::size_t count) { return count + 1 + count / 64; }

}  // namespace

share_trial::share_trial(part what, std::size_t index, const bounds& needed)
    : what_(std::move(what)),
      index_(index),
      needed_(needed),
      assumed_(needed.correlation),
      counted_(what_.allowed, needed.ln_pass, needed.ln_fail) {}

void share_trial::add_warm_up(bool over) {
  warm_up_.add(over);
  last_warm_up_ = over;
}

bool share_trial::is_warm() const noexcept {
  return warm_up_.over() >= informative_over ||
         static_cast<double>(warm_up_.count()) * what_.allowed >= expected_over;
}

void share_trial::end_warm_up() {
  warm_up_time_ = warm_up_.correlation_time();
  chain_ = chain_counts(last_warm_up_);
}

void share_trial::set_step(std::size_t step) {
  step_ = step;
  // The correlation of a first-order series with this correlation time.
  const auto time = static_cast<double>(step);
  assumed_ = std::max(needed_.correlation, (time - 1) / (time + 1));
}

void share_trial::add(bool over, bool counts) {
  all_.add(over);
  chain_.add(over);
  if (std::has_single_bit(all_.count())) {
    later_half_ = std::move(since_last_);
    since_last_ = {};
  }
  since_last_.add(over);
  later_half_.add(over);
  const finding found = counts ? counted_.add(over) : finding::open;
  if (outcome_ == verdict::failed) return;
  counted_less_ = counted_less_ || found == finding::less;
  counted_more_ = counted_more_ || found == finding::more;
  if (outcome_ == verdict::undecided && counted_less_ && all_.count() >= next_pass_look_)
    look_for_pass();
  if (counted_more_ && all_.count() >= next_failure_look_) look_for_failure();
}

void share_trial::look_for_pass() {
  const double now = ln_chain_less(chain_, what_.allowed, assumed_);
  if (now >= needed_.ln_pass) outcome_ = verdict::passed;
  const double missing = (needed_.ln_pass - now) / -std::log1p(-what_.allowed);
  next_pass_look_ = std::max(following_look(all_.count()),
                             all_.count() + static_cast<std::size_t>(std::max(0.0, missing)));
}

void share_trial::look_for_failure() {
  next_failure_look_ = following_look(all_.count());
  if (ln_chain_more(chain_, what_.allowed, assumed_) < needed_.ln_fail) return;
  if (depends_more() && !failing_all_the_same()) return;
  outcome_ = verdict::failed;
}

bool share_trial::depends_more() const {
  return all_.correlation_time() > static_cast<double>(step_) * tolerance(chain_.runs());
}

std::optional<share_trial::thinned> share_trial::failing_all_the_same() const {
  const auto failing = [this](const confidence::over_series& series,
                              double least) -> std::optional<thinned> {
    const double time = std::max(least, series.correlation_time());
    const thinned out{static_cast<double>(series.count()) / time,
                      static_cast<double>(series.over()) / time};
    if (confidence::ln_evidence_more(out.count, out.over, what_.allowed) < needed_.ln_fail)
      return std::nullopt;
    return out;
  };
  if (const auto all = failing(all_, 1)) return all;
  return failing(later_half_, longest_memory);
}

part_evidence share_trial::evidence() const {
  part_evidence out;
  out.what = what_;
  out.outcome = outcome_;
  out.independent = counted_.count();
  out.over = counted_.over();
  out.raw_over = all_.over();
  out.warm_up_correlation = warm_up_time_;
  out.correlation = all_.correlation_time();
  out.ln_less = counted_.ln_less();
  out.ln_more = counted_.ln_more();
  out.ln_chain_less = ln_chain_less(chain_, what_.allowed, assumed_);
  out.ln_chain_more = ln_chain_more(chain_, what_.allowed, assumed_);
  if (outcome_ == verdict::failed && depends_more())
    // The counts that proved the failure in spite of the dependence.
    if (const std::optional<thinned> fewer = failing_all_the_same()) {
      out.independent = static_cast<std::size_t>(fewer->count);
      out.over = std::min(out.independent, static_cast<std::size_t>(std::lround(fewer->over)));
    }
  const auto n = static_cast<double>(out.independent);
  out.would_pass = passing_share(n, what_.allowed, needed_.ln_pass);
  out.would_fail = failing_share(n, what_.allowed, needed_.ln_fail);
  // The counts of the proof are no whole numbers, so their rounded share may seem too small.
  if (outcome_ == verdict::failed)
    out.would_fail = std::min(out.would_fail.value_or(1), out.share());
  if (outcome_ == verdict::undecided)
    out.more_needed = more_needed(n, out.share(), what_.allowed, needed_.ln_pass, needed_.ln_fail);
  return out;
}

}  // namespace inferbench::limit
