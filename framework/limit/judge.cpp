#include "limit/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace inferbench::limit {
namespace {

bool is_inside(double value) { return value > 0 && value < 1; }

void check(const std::vector<part>& parts, const judge_settings& settings) {
  if (parts.empty()) throw base::error("the search has no goal", "name at least one");
  for (const part& each : parts) {
    if (each.kind == part_kind::share && !is_inside(each.allowed))
      throw base::error("goal '" + each.goal + "': the allowed share must be between 0 and 1",
                        "no number of requests proves a share of 0");
    if (each.kind == part_kind::share) continue;
    if (!std::isfinite(each.limit))
      throw base::error("goal '" + each.goal + "': the limit must be a number");
    if (settings.planned < settings.least_warm_up + least_for_estimate)
      throw base::error(
          "goal '" + each.goal + "': " + std::to_string(settings.planned) +
              " requests are too few to estimate it",
          "plan at least " + std::to_string(settings.least_warm_up + least_for_estimate));
  }
  if (!is_inside(settings.alpha))
    throw base::error("the chance of a wrong limit must be between 0 and 1");
  if (settings.probes == 0) throw base::error("the search needs at least one probe");
  if (!(settings.assumed_correlation >= 0 && settings.assumed_correlation < 1))
    throw base::error("the assumed correlation must be at least 0 and below 1");
  if (!(settings.least_step >= 1)) throw base::error("the least step must be at least 1");
}

}  // namespace

judge::judge(const std::vector<part>& parts, const judge_settings& settings)
    : settings_(settings), parts_(parts.size()) {
  check(parts, settings);
  const double probes = static_cast<double>(settings.probes);
  const double count = static_cast<double>(parts.size());
  const share_trial::bounds needed{std::log(probes / settings.alpha),
                                   std::log(probes * count / settings.alpha),
                                   settings.assumed_correlation};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == part_kind::share)
      shares_.emplace_back(parts[i], i, needed);
    else
      estimates_.emplace_back(parts[i], i, settings.alpha / (probes * count));
  }
  if (settings.least_warm_up == 0) end_warm_up();
}

bool judge::is_warm() const {
  const auto warm = [](const share_trial& each) { return each.is_warm(); };
  // A probe with an estimate keeps to its plan: its warm-up has the planned length.
  return requests_ >= settings_.least_warm_up &&
         (!estimates_.empty() || std::all_of(shares_.begin(), shares_.end(), warm));
}

bool judge::add(std::span<const observation> request) {
  if (ended() || request.size() != parts_) return false;
  ++requests_;
  if (!warm_) {
    for (share_trial& each : shares_)
      if (request[each.index()].has_side) each.add_warm_up(request[each.index()].over);
    for (batch_trial& each : estimates_)
      each.add_warm_up(request[each.index()]);
    if (is_warm())
      end_warm_up();
    else if (requests_ >= settings_.most_requests)
      finish(verdict::undecided, ending::requests);
    return !ended();
  }
  const bool counts = --until_counted_ == 0;
  if (counts) {
    until_counted_ = step_;
    ++counted_;
  }
  for (share_trial& each : shares_)
    if (request[each.index()].has_side) each.add(request[each.index()].over, counts);
  for (batch_trial& each : estimates_)
    each.add(request[each.index()]);
  look();
  return !ended();
}

void judge::end_warm_up() {
  warm_ = true;
  warm_up_ = requests_;
  double time = settings_.least_step;
  for (share_trial& each : shares_) {
    each.end_warm_up();
    time = std::max(time, each.warm_up_correlation());
  }
  // A quarter more than a whole number is within the error of a correlation time.
  step_ = static_cast<std::size_t>(std::max(1.0, std::ceil(time - 0.25)));
  until_counted_ = step_;
  for (share_trial& each : shares_)
    each.set_step(step_);
  for (batch_trial& each : estimates_)
    each.plan(settings_.planned - warm_up_);
}

void judge::look() {
  bool passed = true;
  bool estimated = false;
  for (const share_trial& each : shares_) {
    if (each.outcome() == verdict::failed) return finish(verdict::failed, ending::proved);
    passed = passed && each.outcome() == verdict::passed;
  }
  for (const batch_trial& each : estimates_) {
    if (each.outcome() == verdict::failed) return finish(verdict::failed, ending::estimated);
    passed = passed && each.outcome() == verdict::passed;
    // An estimate is made once, so a probe whose estimate does not decide can only end.
    estimated = estimated || (each.complete() && each.outcome() == verdict::undecided);
  }
  if (passed && requests_ >= settings_.least_requests) {
    const auto depends = [](const share_trial& each) { return each.depends_more(); };
    if (std::any_of(shares_.begin(), shares_.end(), depends))
      return finish(verdict::undecided, ending::dependence);
    return finish(verdict::passed, shares_.empty() ? ending::estimated : ending::proved);
  }
  if (estimated) return finish(verdict::undecided, ending::estimated);
  const bool enough_counted =
      counted_ >= settings_.most_counted && requests_ >= settings_.least_requests;
  if (enough_counted || requests_ >= settings_.most_requests)
    finish(verdict::undecided, ending::requests);
}

void judge::end(ending why) {
  if (!ended()) finish(verdict::undecided, why);
}

void judge::finish(verdict outcome, ending why) {
  outcome_ = outcome;
  why_ = why;
}

probe_evidence judge::evidence() const {
  probe_evidence out;
  out.outcome = outcome_;
  out.why = why_;
  out.requests = requests_;
  out.warm_up = warm_up_;
  out.step = step_;
  out.alpha = settings_.alpha;
  out.probes = settings_.probes;
  out.assumed_correlation = settings_.assumed_correlation;
  out.parts.resize(parts_);
  for (const share_trial& each : shares_)
    out.parts[each.index()] = each.evidence();
  for (const batch_trial& each : estimates_)
    out.parts[each.index()] = each.evidence();
  return out;
}

}  // namespace inferbench::limit
