#include "comparison/comparison_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comparison/number_text.hpp"
#include "comparison/text_table.hpp"

namespace inferbench::comparison {
namespace {

using text_row = std::vector<std::string>;

template <typename writer>
std::string text_or_dash(const std::optional<double>& value, writer&& write) {
  return value ? write(*value) : "-";
}

text_row title_row(const comparison_result& all, const candidate_result& of) {
  return {"metric",
          base::one_line(all.base),
          base::one_line(of.name),
          "change",
          fmt::format("{:.4g} % interval", (1 - all.settings.error_rate) * 100),
          "p (Holm)",
          of.paired() ? "block deviation" : "run deviation",
          "finds 80 % / 90 %",
          "verdict"};
}

text_row row_of(const compared_metric& metric, const metric_result& of) {
  const std::string unit = metric.unit.empty() ? "" : " (" + metric.unit + ")";
  return {metric.title + unit,
          text_or_dash(of.base_value, value_text),
          text_or_dash(of.other_value, value_text),
          text_or_dash(of.ratio, change_text),
          of.low ? change_text(*of.low) + " to " + change_text(*of.high) : "-",
          text_or_dash(of.p_holm, chance_text),
          text_or_dash(of.deviation, share_text),
          of.found_80 ? share_text(*of.found_80) + " / " + share_text(*of.found_90) : "-",
          std::string(name_of(of.outcome))};
}

std::string heading(const comparison_result& all, const candidate_result& of) {
  const std::string base = base::one_line(all.base), other = base::one_line(of.name);
  if (of.paired())
    return fmt::format("{} against {}: {} of four runs", other, base, counted(of.blocks, "block"));
  return fmt::format("{} against {}: {} of {}, {} of {}, not paired", other, base,
                     counted(of.base_runs, "run"), base, of.other_runs, other);
}

void append_legend(const comparison_result& all, const candidate_result& of,
                   std::vector<std::string>& to) {
  to.push_back(
      fmt::format("p is corrected for {} ({} x {}). \"finds\" is the smallest true difference that "
                  "such a comparison finds with a chance of 80 % and of 90 %.",
                  counted(all.tests(), "test"), counted(all.metrics.size(), "metric"),
                  counted(all.candidates.size(), "candidate")));
  if (!of.paired())
    to.emplace_back(
        "The runs are not paired: if the machine changed between the groups, the change is part "
        "of the differences. `compare --run` makes blocks, in which it cancels.");
}

/// The number of blocks or runs that would tell, as a clause.
std::string needed_text(const candidate_result& of, const metric_result& metric) {
  const std::string_view noun = of.paired() ? "block" : "run";
  const std::string_view where = of.paired() ? "" : " of each group";
  if (!metric.needed)
    return fmt::format("at this difference and deviation more than {}{} would be needed",
                       counted(most_needed, noun), where);
  std::string out =
      fmt::format("a comparison with about {}{}", counted(*metric.needed, noun), where);
  if (of.paired() && *metric.needed > of.blocks)
    out += fmt::format(" ({} more)", *metric.needed - of.blocks);
  return out + " would tell with a chance of 80 %";
}

/// Whether as many blocks as these can be significant by the sign-flip test at all.
bool sign_flip_can_tell(const comparison_result& all, const candidate_result& of) {
  return std::exp2(1 - static_cast<double>(of.blocks)) <= all.settings.error_rate;
}

void append_notes(const comparison_result& all, const candidate_result& of, std::size_t index,
                  std::vector<std::string>& to) {
  const metric_result& metric = of.metrics[index];
  const std::string& title = all.metrics[index].title;
  if (!metric.untested.empty()) {
    if (!of.descriptive())
      to.push_back(
          fmt::format("{}: not compared, because {}.", title, base::one_line(metric.untested)));
    return;
  }
  if (metric.outcome == verdict::cannot_tell)
    to.push_back(fmt::format("{}: cannot tell; {}.", title, needed_text(of, metric)));
  if (!metric.found_80)
    to.push_back(fmt::format(
        "{}: the values do not vary, so p is the chance of this order of the runs.", title));
  const bool differs = metric.outcome == verdict::faster || metric.outcome == verdict::slower;
  if (differs && metric.p_sign_flip && *metric.p_sign_flip > all.settings.error_rate &&
      sign_flip_can_tell(all, of))
    to.push_back(
        fmt::format("{}: {} by Student's t, but the sign-flip test gives p = {}; look for a block "
                    "that differs from all others.",
                    title, name_of(metric.outcome), chance_text(*metric.p_sign_flip)));
}

void append_candidate(const comparison_result& all, const candidate_result& of,
                      std::vector<std::string>& to) {
  to.push_back(heading(all, of));
  std::vector<text_row> rows{title_row(all, of)};
  for (std::size_t i = 0; i < of.metrics.size(); ++i)
    rows.push_back(row_of(all.metrics[i], of.metrics[i]));
  for (std::string& line : table_lines(rows))
    to.push_back(std::move(line));
  if (!of.descriptive()) append_legend(all, of, to);
  for (std::size_t i = 0; i < of.metrics.size(); ++i)
    append_notes(all, of, i, to);
  to.push_back(conclusion_line(all, of));
}

}  // namespace

std::vector<std::string> comparison_lines(const comparison_result& result) {
  std::vector<std::string> out;
  for (const candidate_result& candidate : result.candidates) {
    if (!out.empty()) out.emplace_back();
    append_candidate(result, candidate, out);
  }
  return out;
}

}  // namespace inferbench::comparison
