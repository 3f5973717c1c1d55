#include "limit/wording.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace inferbench::limit {
namespace {

std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }

std::string load_text(const search_record& search, double load) {
  return fmt::format("{:.10g}{}", load, search.load_unit);
}

std::string why_text(const probe_evidence& probe) {
  switch (probe.why) {
    case ending::dependence: return "requests depend on each other more than the warm-up showed";
    case ending::requests: return "the largest number of requests was reached";
    case ending::time: return "its time was over";
    case ending::stopped: return "it was stopped";
    case ending::data: return "there were no more requests that could be judged";
    case ending::client: return "the client did not keep up";
    case ending::server: return "the server does not answer any more";
    case ending::estimated: return "the interval of an estimate contains its limit";
    case ending::proved: break;
    case ending::open: return "it has not ended";
  }
  return "";
}

/// The bounds that the counts of independent requests give; a bound that the share itself has
/// reached says nothing new.
std::string bounds_text(const part_evidence& p) {
  std::string out;
  if (p.outcome != verdict::failed)
    out = p.would_pass ? fmt::format("up to {} would have passed", percent(*p.would_pass))
                       : "no share would have passed";
  if (p.outcome == verdict::passed && !p.would_pass) return out;
  if (!out.empty()) out += ", and ";
  return out + (p.would_fail ? fmt::format("from {} on would have failed", percent(*p.would_fail))
                             : "no share would have failed");
}

std::string share_text(const part_evidence& p) {
  if (p.independent == 0) return p.what.goal + ": no request counted before the probe ended";
  std::string out =
      fmt::format("{}: {} of {} independent requests were over, {} allowed", p.what.goal,
                  percent(p.share()), p.independent, percent(p.what.allowed));
  // The decision needs the evidence of the chain as well, of which no bound is known.
  if (p.outcome == verdict::undecided && p.would_pass && p.share() <= *p.would_pass)
    return out +
           "; that is enough if requests are independent, and not yet if neighbours depend on "
           "each other as much as assumed";
  out += "; if requests are independent, " + bounds_text(p);
  if (p.outcome == verdict::undecided && p.more_needed && *p.more_needed > 0)
    out += fmt::format("; at least {:.0f} more would be needed to decide at this share",
                       *p.more_needed);
  if (p.outcome == verdict::undecided && !p.more_needed)
    out += "; no number of requests decides at this share";
  return out;
}

std::string estimate_text(const part_evidence& p) {
  if (!p.estimate)
    return p.what.goal + ": not estimated, because the probe ended before its planned requests";
  return fmt::format("{}: estimated {:.5g} {} +- {:.3g} from {} batches, not certified",
                     p.what.goal, *p.estimate, p.what.unit, *p.half_width, p.batches);
}

const probe_record* probe_at(const search_record& search, double load, verdict outcome) {
  for (const probe_record& each : search.probes)
    if (each.load == load && each.evidence.outcome == outcome) return &each;
  return nullptr;
}

/// The probe on which the conclusion rests: of the limit; without a limit, of the lowest load.
const probe_record* decisive(const search_record& search) {
  if (search.result.limit) return probe_at(search, *search.result.limit, verdict::passed);
  const probe_record* out = nullptr;
  for (const probe_record& each : search.probes)
    if (out == nullptr || each.load < out->load) out = &each;
  return out;
}

/// Whether the probe has parts that are shares, or parts that are not.
bool has(const probe_evidence& probe, bool shares) {
  return std::any_of(probe.parts.begin(), probe.parts.end(), [&](const part_evidence& each) {
    return (each.what.kind == part_kind::share) == shares;
  });
}

/// Whether a part of the goal is a mean or a rate.
bool is_estimated(const search_record& search) {
  return !search.probes.empty() && has(search.probes.front().evidence, false);
}

std::string first_line(const search_record& search) {
  const search_result& r = search.result;
  const std::string lo = load_text(search, search.settings.lo);
  const std::string hi = load_text(search, search.settings.hi);
  const std::string& name = search.load_name;
  const bool unended = r.why == conclusion::open;
  const std::string so_far = unended ? " so far; the search has not ended" : "";
  const std::string limit = is_estimated(search) ? "limit (estimated)" : "limit";
  if (r.why == conclusion::hi_passed)
    return fmt::format("{}: at least {}, the highest {} of the search; a higher end would find it",
                       limit, hi, name);
  if (r.limit)
    return fmt::format("{}: {}, the largest {} that met the goal{}", limit,
                       load_text(search, *r.limit), name, so_far);
  if (r.why != conclusion::nothing_passed)
    return fmt::format("limit: none, because no {} has met the goal{}", name, so_far);
  const bool failed = probe_at(search, search.settings.lo, verdict::failed) != nullptr;
  if (failed)
    return fmt::format("limit: none, because no {} from {} to {} met the goal; {} already failed",
                       name, lo, hi, lo);
  return fmt::format("limit: none, because even the lowest {}, {}, did not pass; it was undecided",
                     name, lo);
}

std::string interval_line(const search_record& search) {
  const search_result& r = search.result;
  const std::string& name = search.load_name;
  if (!r.upper_end) {
    if (!r.limit)
      return fmt::format("interval: unknown, because no {} passed and none failed", name);
    return fmt::format("interval: {} and above; no {} failed, so it has no upper end",
                       load_text(search, *r.limit), name);
  }
  const probe_record* failed = probe_at(search, *r.upper_end, verdict::failed);
  const std::string from = r.limit ? load_text(search, *r.limit) + " to" : "below";
  const std::size_t count = failed == nullptr ? 0 : failed->evidence.independent();
  const bool estimated = failed != nullptr && failed->evidence.why == ending::estimated;
  return fmt::format("interval: {} {}, the smallest {} that failed, after {} {}", from,
                     load_text(search, *r.upper_end), name, count,
                     estimated ? "batches" : "independent requests");
}

std::string undecided_line(const search_record& search, double load) {
  const probe_record* probe = probe_at(search, load, verdict::undecided);
  return fmt::format("undecided: {}, counted as not passed: {}", load_text(search, load),
                     probe == nullptr ? "its probe is unknown" : why_text(probe->evidence));
}

std::string missed_line(const search_record& search) {
  const search_result& r = search.result;
  if (r.why == conclusion::hi_passed) return "missed: every limit above the highest load";
  if (!r.limit && !r.upper_end) return "missed: any limit, because nothing was proved";
  if (!r.limit) return fmt::format("missed: any limit below {}", load_text(search, *r.upper_end));
  if (r.upper_end && search.settings.whole && *r.upper_end - *r.limit == 1)
    return "missed: nothing, because the limit and the upper end are adjacent";
  const std::string limit = load_text(search, *r.limit);
  const std::string where =
      r.upper_end ? fmt::format("between {} and {}", limit, load_text(search, *r.upper_end))
                  : "above " + limit;
  return fmt::format("missed: any {} {} that meets the goal", search.load_name, where);
}

std::vector<std::string> error_lines(const probe_evidence& probe) {
  std::vector<std::string> out;
  if (has(probe, true)) {
    const double run = 1 / (1 - probe.assumed_correlation);
    const std::string assumed =
        probe.assumed_correlation > 0
            ? fmt::format(
                  "neighbours have a correlation of at most {:.3g} (runs of {:.3g} slow "
                  "requests on average), or as much as the probe showed",
                  probe.assumed_correlation, run)
            : std::string("requests are as independent as the warm-up showed");
    out.push_back(
        fmt::format("error: a chance of at most {} that the limit is too high, and as much that "
                    "the upper end is "
                    "too low, over {} probes, if {}",
                    percent(probe.alpha), probe.probes, assumed));
  }
  if (has(probe, false))
    out.emplace_back(
        "error: means and rates are estimated, so their chance of error is not certified");
  return out;
}

/// A doubt if the probes next to the limit depended on each other more than the probe of the limit
/// allowed for. A failed probe tells nothing, because a queue that grows is a trend.
std::string doubt_line(const search_record& search, const probe_evidence& at_limit) {
  const double assumed = (1 + at_limit.assumed_correlation) / (1 - at_limit.assumed_correlation);
  const double allowed = std::max(static_cast<double>(at_limit.step), assumed);
  double seen = 0;
  for (const probe_record& each : search.probes)
    if (each.evidence.outcome == verdict::undecided)
      for (const part_evidence& part : each.evidence.parts)
        seen = std::max(seen, part.correlation);
  if (!(seen > allowed)) return {};
  return fmt::format(
      "doubt: an undecided probe had a correlation time of {:.3g} requests, and the probe of the "
      "limit allowed for {:.3g}; the limit may be too high",
      seen, allowed);
}

}  // namespace

std::string part_text(const part_evidence& part) {
  return part.what.kind == part_kind::share ? share_text(part) : estimate_text(part);
}

std::string probe_line(const search_record& search, const probe_record& probe) {
  const probe_evidence& e = probe.evidence;
  std::string out =
      fmt::format("{}: {}", load_text(search, probe.load), std::string_view(name_of(e.outcome)));
  if (e.outcome == verdict::undecided) out += fmt::format(", because {}", why_text(e));
  for (const part_evidence& each : e.parts)
    // The parts that did not decide a failure are left to the page.
    if (e.outcome != verdict::failed || each.outcome == verdict::failed)
      out += "; " + part_text(each);
  return out;
}

std::vector<std::string> conclusion_lines(const search_record& search) {
  std::vector<std::string> out{first_line(search)};
  const probe_record* probe = decisive(search);
  if (probe != nullptr)
    for (const part_evidence& each : probe->evidence.parts)
      out.push_back(
          fmt::format("rests on: {}: {}", load_text(search, probe->load), part_text(each)));
  if (search.result.why != conclusion::hi_passed) out.push_back(interval_line(search));
  for (const double load : search.result.undecided)
    out.push_back(undecided_line(search, load));
  if (probe != nullptr && (search.result.limit || search.result.upper_end)) {
    for (std::string& line : error_lines(probe->evidence))
      out.push_back(std::move(line));
    if (std::string doubt = doubt_line(search, probe->evidence);
        search.result.limit && !doubt.empty())
      out.push_back(std::move(doubt));
  }
  out.push_back(missed_line(search));
  return out;
}

}  // namespace inferbench::limit
