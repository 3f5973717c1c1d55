#include "metrics/summaries.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace inferbench::metrics {
namespace {

/// The percentiles of the user, and the percentiles that this program's own part of the console
/// report prints.
std::vector<double> with(std::vector<double> percentiles, std::initializer_list<double> more) {
  for (const double p : more)
    if (std::ranges::find(percentiles, p) == percentiles.end()) percentiles.push_back(p);
  return percentiles;
}

}  // namespace

std::optional<summary> summary_of(const definition& row, const context& run) {
  if ((row.flags & IFB_METRIC_SUMMARY) == 0) return std::nullopt;
  const standing in = row.in(run);
  if (in == standing::absent) return std::nullopt;
  if ((row.flags & IFB_METRIC_UPSTREAM) == 0)
    return summary{&row, false, with(run.percentiles, {50.0, 90.0, 99.0}), row.shown};
  const bool selected =
      in == standing::selectable &&
      std::ranges::find(run.selected, std::string_view(row.name)) != run.selected.end();
  if (selected) return summary{&row, true, run.percentiles, printed::all};
  return summary{&row, false, with(run.percentiles, {99.0}), row.shown};
}

std::vector<summary> summaries_of(const context& run, definitions from) {
  std::vector<summary> out;
  for (const definition& row : from)
    if (auto found = summary_of(row, run)) out.push_back(*std::move(found));
  return out;
}

}  // namespace inferbench::metrics
