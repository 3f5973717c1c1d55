#include "limit/search.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace inferbench::limit {
namespace {

void check(const search_settings& s) {
  if (!(s.lo > 0) || !std::isfinite(s.hi))
    throw base::error("the loads of the search must be above 0 and finite");
  if (!(s.hi > s.lo)) throw base::error("the highest load must be above the lowest");
  if (s.whole && (s.lo != std::floor(s.lo) || s.hi != std::floor(s.hi)))
    throw base::error("the lowest and the highest load must be whole numbers");
  if (!(s.precision > 0)) throw base::error("the precision of the search must be above 0");
  if (s.probes == 0) throw base::error("the search needs at least one probe");
}

constexpr std::size_t failures_before_lo = 3;

/// `value` rounded to a power of ten that is not above `unit`.
double with_unit_below(double value, double unit) {
  const double power = std::floor(std::log10(unit));
  // A division by a power of ten gives the double that a person would write.
  if (power < 0) return std::round(value * std::pow(10, -power)) / std::pow(10, -power);
  return std::round(value / std::pow(10, power)) * std::pow(10, power);
}

}  // namespace

std::string_view name_of(conclusion value) noexcept {
  switch (value) {
    case conclusion::exact: return "exact";
    case conclusion::hi_passed: return "hi_passed";
    case conclusion::nothing_passed: return "nothing_passed";
    case conclusion::probes_used: return "probes_used";
    case conclusion::open: break;
  }
  return "open";
}

search::search(const search_settings& settings) : settings_(settings) { check(settings); }

std::optional<double> search::next() const { return following().load; }

void search::add(double load, verdict outcome) { tried_.push_back({load, outcome}); }

/// The load in the middle of a gap, or nullopt if the gap is as small as asked for.
std::optional<double> search::between(double low, double high) const {
  const double middle = std::sqrt(low * high);
  if (!settings_.whole) {
    if (high <= low * (1 + settings_.precision)) return std::nullopt;
    const double rounded = with_unit_below(middle, middle * settings_.precision / 10);
    return rounded > low && rounded < high ? rounded : middle;
  }
  if (high - low <= 1) return std::nullopt;
  return std::clamp(std::round(middle), low + 1, high - 1);
}

std::optional<double> search::smallest_failed() const {
  std::optional<double> out;
  for (const probed_load& each : tried_)
    if (each.outcome == verdict::failed) out = std::min(out.value_or(each.load), each.load);
  return out;
}

std::optional<double> search::largest_passed() const {
  const std::optional<double> failed = smallest_failed();
  std::optional<double> out;
  for (const probed_load& each : tried_)
    if (each.outcome == verdict::passed && (!failed || each.load < *failed))
      out = std::max(out.value_or(each.load), each.load);
  return out;
}

search_result search::result() const {
  search_result out;
  out.limit = largest_passed();
  out.upper_end = smallest_failed();
  out.why = following().why;
  for (const probed_load& each : tried_)
    if (each.outcome == verdict::undecided && each.load > out.limit.value_or(0) &&
        (!out.upper_end || each.load < *out.upper_end))
      out.undecided.push_back(each.load);
  std::sort(out.undecided.begin(), out.undecided.end());
  out.undecided.erase(std::unique(out.undecided.begin(), out.undecided.end()), out.undecided.end());
  return out;
}

search::step search::following() const {
  if (tried_.empty()) return {settings_.hi, conclusion::open};
  const std::optional<double> passed = largest_passed();
  const std::optional<double> failed = smallest_failed();
  if (passed && *passed >= settings_.hi) return {std::nullopt, conclusion::hi_passed};

  // The gap reaches from the largest load that passed to the smallest above it that did not.
  double top = settings_.hi;
  double undecided = 0;
  bool lo_tried = false;
  for (const probed_load& each : tried_) {
    if (each.outcome != verdict::passed && each.load > passed.value_or(0))
      top = std::min(top, each.load);
    if (each.outcome == verdict::undecided && each.load < failed.value_or(0))
      undecided = std::max(undecided, each.load);
    lo_tried = lo_tried || each.load <= settings_.lo;
  }
  if (!passed && lo_tried) return {std::nullopt, conclusion::nothing_passed};

  const bool used = tried_.size() >= settings_.probes;
  const auto probe = [&](double load) {
    return used ? step{std::nullopt, conclusion::probes_used} : step{load, conclusion::open};
  };
  // The last probe is for the lowest load too: a search without a limit should at least say whether
  // there is a load that passes.
  if (!passed && (tried_.size() >= failures_before_lo || tried_.size() + 1 >= settings_.probes))
    return probe(settings_.lo);
  if (const auto middle = between(passed.value_or(settings_.lo), top)) return probe(*middle);
  if (!passed) return probe(settings_.lo);
  if (used || !(undecided > *passed)) return {std::nullopt, conclusion::exact};
  // The limit is found. The probes that are left over try the load above it again, if it is
  // undecided, and then look for a smaller load that fails.
  const auto at_top = [&](const probed_load& each) { return each.load == top; };
  const bool is_undecided = !failed || top < *failed;
  if (is_undecided && std::count_if(tried_.begin(), tried_.end(), at_top) == 1)
    return {top, conclusion::open};
  if (failed)
    if (const auto middle = between(undecided, *failed)) return {middle, conclusion::open};
  return {std::nullopt, conclusion::exact};
}

}  // namespace inferbench::limit
