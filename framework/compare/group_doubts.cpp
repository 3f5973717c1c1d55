#include "compare/group_doubts.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace inferbench::compare {

namespace {

constexpr double much_of_cache = 0.05;
constexpr std::size_t most_settings = 20;

std::string counted_runs(std::size_t count) {
  return count == 1 ? "1 run" : fmt::format("{} runs", count);
}

/// "2 of 8 runs of new", "the run of new"
std::string some_runs(const run_group& of, std::size_t count) {
  if (of.runs.size() == 1) return "the run of " + of.name;
  return fmt::format("{} of {} runs of {}", count, of.runs.size(), of.name);
}

std::size_t runs_that(const run_group& of, const std::function<bool(const measured_run&)>& are) {
  return static_cast<std::size_t>(std::ranges::count_if(of.runs, are));
}

/// The mean of the runs that state the value; nullopt if none does.
template <typename value_of>
std::optional<double> mean_share(const run_group& of, value_of&& value) {
  double sum = 0;
  std::size_t count = 0;
  for (const measured_run& each : of.runs)
    if (const std::optional<double> one = value(each)) {
      sum += *one;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::optional<double> failed_share_of(const run_group& of) {
  return mean_share(of, [](const measured_run& each) { return each.failed_share(); });
}

std::optional<double> cached_share_of(const run_group& of) {
  return mean_share(of, [](const measured_run& each) { return each.cached_share; });
}

bool fails_more_than(const run_group& base, const run_group& other, double same_within) {
  return failed_share_of(other).value_or(0) > failed_share_of(base).value_or(0) + same_within;
}

/// "base 0 %, new 3.5 %"
template <typename share_of_group>
std::string shares_text(std::span<const run_group> groups, share_of_group&& share) {
  const auto text = [&](const run_group& each) {
    const std::optional<double> found = share(each);
    return each.name + " " + (found ? fmt::format("{:.3g} %", 100 * *found) : "not stated");
  };
  return fmt::format("{}", fmt::join(groups | std::views::transform(text), ", "));
}

void add_failures(std::span<const run_group> groups, double same_within,
                  std::vector<std::string>& out) {
  const bool any = std::ranges::any_of(
      groups, [](const run_group& each) { return failed_share_of(each).value_or(0) > 0; });
  if (!any) return;
  out.push_back("requests failed: " + shares_text(groups, failed_share_of) +
                "; the latencies are those of the requests that succeeded");
  for (const run_group& each : groups.subspan(1))
    if (fails_more_than(groups.front(), each, same_within))
      out.push_back(fmt::format(
          "{} fails more requests than {}, by more than {:.3g} % of all: this is a difference that "
          "the latencies do not show",
          each.name, groups.front().name, 100 * same_within));
}

void add_caches(std::span<const run_group> groups, std::vector<std::string>& out) {
  double least = 1;
  double most = 0;
  for (const run_group& each : groups) {
    const std::optional<double> found = cached_share_of(each);
    if (!found) return;
    least = std::min(least, *found);
    most = std::max(most, *found);
  }
  if (most - least <= much_of_cache) return;
  out.push_back("the prefix cache answered different shares of the prompts: " +
                shares_text(groups, cached_share_of) +
                "; prompts of an earlier run look faster than they are (dataset.salt)");
}

settings_of_group settings_in(const run_group& of) {
  settings_of_group out;
  for (const measured_run& each : of.runs)
    out.push_back(&each.settings);
  return out;
}

}  // namespace

std::vector<setting_difference> differing_settings(std::span<const run_group> groups) {
  std::vector<settings_of_group> all;
  for (const run_group& each : groups)
    all.push_back(settings_in(each));
  return differences_of(all);
}

std::vector<std::string> doubts_of(std::span<const run_group> groups, double same_within) {
  std::vector<std::string> out;
  for (const run_group& each : groups) {
    const auto add = [&](const std::function<bool(const measured_run&)>& are, const char* what) {
      if (const std::size_t count = runs_that(each, are); count > 0)
        out.push_back(some_runs(each, count) + " " + what);
    };
    add([](const measured_run& run) { return run.completed_nothing(); }, "completed no request");
    add([](const measured_run& run) { return run.interrupted; },
        "ended before the end of the benchmark");
    add(
        [](const measured_run& run) {
          return run.verdict == "INVALID" || run.verdict == "SUSPECT";
        },
        "had a client that may not have kept up, so the figures may be those of the client");
    const std::vector<std::string> varying = varying_names(settings_in(each));
    if (!varying.empty())
      out.push_back(fmt::format(
          "the runs of {} had different settings, such as {}, so their deviation is not that of "
          "repetitions",
          each.name, base::one_line(varying.front())));
  }
  add_failures(groups, same_within, out);
  add_caches(groups, out);
  return out;
}

bool fails_more(std::span<const run_group> groups, double same_within) {
  return std::ranges::any_of(groups.subspan(1), [&](const run_group& each) {
    return fails_more_than(groups.front(), each, same_within);
  });
}

std::string groups_text(std::span<const run_group> groups) {
  std::string out;
  for (std::size_t i = 0; i < groups.size(); ++i)
    out += fmt::format("{:<9} {}: {} of {}\n", i == 0 ? "Base" : "Candidate", groups[i].name,
                       counted_runs(groups[i].runs.size()), name_of(groups[i].runs.front().of));
  return out;
}

std::string differences_text(std::span<const run_group> groups,
                             std::span<const setting_difference> differences) {
  if (differences.empty()) return {};
  std::string out = "Settings that differ:\n";
  for (const setting_difference& each :
       differences.first(std::min(differences.size(), most_settings))) {
    out += "  " + base::one_line(each.name) + ":";
    for (std::size_t i = 0; i < groups.size(); ++i)
      out += (i == 0 ? " " : "; ") + groups[i].name + " " + shown_values(each.values[i]);
    out += "\n";
  }
  if (differences.size() > most_settings)
    out += fmt::format("  and {} more (--json has all)\n", differences.size() - most_settings);
  return out;
}

}  // namespace inferbench::compare
