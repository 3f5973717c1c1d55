#include "comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "points.hpp"
#include "reporters/common/facts.hpp"
#include "reporters/common/statistics.hpp"
#include "text.hpp"

namespace reporters {
namespace {

constexpr std::size_t most_differences = 40;
constexpr std::size_t value_width = 120;

constexpr std::string_view not_certified = "(not certified)";

/// The figures of the comparison that are one number.
constexpr std::array<std::string_view, 5> numbers{"request_throughput", "input_sequence_throughput",
                                                  "request_goodput", "output_throughput",
                                                  "total_token_throughput"};

bool is_compared(const ifb_metric& m, std::string_view statistic) {
  if (!has(m, IFB_METRIC_SUMMARY)) return std::ranges::find(numbers, m.name) != numbers.end();
  if (!has(m, IFB_METRIC_UPSTREAM) || m.count == 0) return false;
  return statistic == "mean" || statistic == "median" ||
         (statistic.starts_with('p') && statistic != "p50");
}

std::string capital(std::string_view statistic) {
  if (!statistic.starts_with('p')) return std::string(statistic);
  return "P" + std::string(statistic.substr(1));
}

/// Returns " (x 1.05)": how many times the first value.
std::string ratio_text(double value, double first) {
  if (!(first > 0) || !(value >= 0)) return {};
  return " (x " + readable_number(value / first) + ")";
}

/// Empty if no interval was computed. A bound on one side is written as in the report of one run.
std::string interval_text(const ifb_interval& of) {
  if (!(of.confidence > 0)) return {};
  const bool below = std::isfinite(of.low), above = std::isfinite(of.high);
  if (!below && !above) return std::string(not_certified);
  if (!below) return "(<= " + readable_number(of.high) + ")";
  if (!above) return "(>= " + readable_number(of.low) + ")";
  return "[" + readable_number(of.low) + ", " + readable_number(of.high) + "] at " +
         percentile_name(of.confidence) + " %";
}

std::string count_of(const ifb_metric* m) { return m == nullptr ? "" : readable_count(m->value); }

}  // namespace

markdown_comparison::markdown_comparison(const ifb_table& table, std::string title)
    : name_(ifb::view(table.name)), command_(ifb::view(table.command)), title_(std::move(title)) {}

void markdown_comparison::add_figures(side& to, const ifb_summary& summary) {
  for (const ifb_metric& m : ifb::metrics_of(summary)) {
    const std::string unit = m.unit == nullptr || std::string_view(m.unit) == "1"
                                 ? ""
                                 : " (" + std::string(m.unit) + ")";
    for_each_statistic(m, [&](std::string_view statistic, double value) {
      if (!is_compared(m, statistic)) return;
      const bool one = statistic == "value";
      to.figures.push_back(
          {statistic_name(m.name, statistic),
           (one ? std::string(m.title) : std::string(m.label) + " " + capital(statistic)) + unit,
           value,
           one ? 0 : m.count,
           {}});
    });
  }
}

void markdown_comparison::add_intervals(side& to, const ifb_table_run& run) {
  for (const ifb_interval& each : ifb::intervals_of(run)) {
    const std::string name = statistic_name(each.name, each.statistic);
    const auto at = std::ranges::find(to.figures, name, &figure::name);
    if (at == to.figures.end()) continue;
    at->interval = interval_text(each);
    if (each.confidence > 0 && !(std::isfinite(each.low) && std::isfinite(each.high)))
      to.confidence = each.confidence;
  }
}

void markdown_comparison::add(const ifb_table_run& run) {
  side& to = sides_.emplace_back();
  settings_.emplace_back();
  to.label = ifb::view(run.label);
  to.source = ifb::view(run.source);
  for (const ifb_field& each : ifb::axes_of(run))
    to.axes.emplace_back(ifb::view(each.name), ifb::view(each.value));
  if (run.run != nullptr) {
    if (to.label.empty()) to.label = ifb::view(run.run->name);
    settings_.back() =
        settings_of(ifb::view(run.run->config_json), ifb::view(run.run->environment_json));
  }
  if (run.summary == nullptr) return;
  const figures found(*run.summary);
  const rapidjson::Document facts = parse_object(ifb::view(run.summary->facts_json));
  to.verdict = client_verdict(facts);
  to.completed = count_of(found.find("completed"));
  to.failed = count_of(found.find("failed"));
  if (const auto part = recorded_part_of(facts))
    to.remarks +=
        std::string(part->damaged ? " (journal damaged: " : " (journal without an end: ") +
        std::to_string(part->known) + " of " + std::to_string(part->planned) + " requests known)";
  if ((run.summary->flags & IFB_SUMMARY_INTERRUPTED) != 0) to.remarks += " (stopped early)";
  add_figures(to, *run.summary);
  add_intervals(to, run);
}

std::string markdown_comparison::overview() const {
  std::vector<std::string> head{"Run", "Source"};
  std::vector<std::string> axes;
  for (const side& each : sides_)
    for (const auto& [name, json] : each.axes)
      if (std::ranges::find(axes, name) == axes.end()) axes.push_back(name);
  for (const std::string& each : axes)
    head.push_back(markdown_text(each));
  head.insert(head.end(), {"Client", "Succeeded", "Failed"});
  markdown_table table(head, 2);
  for (const side& each : sides_) {
    std::vector<std::string> row{markdown_text(each.label) + each.remarks,
                                 each.source.empty() ? "" : markdown_code(each.source)};
    for (const std::string& axis : axes) {
      const auto at = std::ranges::find(each.axes, axis, [](const auto& a) { return a.first; });
      row.push_back(at == each.axes.end() ? "" : axis_text(at->second));
    }
    row.insert(row.end(), {each.verdict.empty() ? "unknown" : markdown_text(each.verdict),
                           each.completed, each.failed});
    table.add(std::move(row));
  }
  return table.text() + "\n";
}

std::string markdown_comparison::figure_table() const {
  std::vector<std::string> head{"Figure"};
  for (const side& each : sides_)
    head.push_back(markdown_text(each.label));
  markdown_table table(head);
  std::vector<const figure*> rows;  // in the order in which the runs have them
  for (const side& each : sides_)
    for (const figure& f : each.figures)
      if (std::ranges::none_of(rows, [&](const figure* r) { return r->name == f.name; }))
        rows.push_back(&f);
  for (const figure* wanted : rows) {
    std::vector<std::string> row{markdown_text(wanted->label)};
    const figure* first = nullptr;
    for (const side& each : sides_) {
      const auto at = std::ranges::find(each.figures, wanted->name, &figure::name);
      if (at == each.figures.end()) {
        row.emplace_back();
        continue;
      }
      std::string cell = readable_number(at->value);
      if (&each == &sides_.front())
        first = &*at;
      else if (first != nullptr)
        cell += ratio_text(at->value, first->value);
      if (!at->interval.empty()) cell += " " + at->interval;
      if (at->count > 0) cell += ", n = " + std::to_string(at->count);
      row.push_back(std::move(cell));
    }
    table.add(std::move(row));
  }
  if (table.empty()) return {};
  std::string out = "### Figures\n\n" + table.text() + "\n";
  const auto bounded = std::ranges::find_if(sides_, [](const side& s) { return s.confidence > 0; });
  if (bounded != sides_.end())
    out += "\"<=\" and \">=\": bound of the true value at " + percentile_name(bounded->confidence) +
           " % confidence; \"not certified\": there are too few independent requests for a "
           "bound.\n\n";
  if (sides_.size() > 1)
    out +=
        "\"x\": the ratio to the first run. One run each does not tell whether a "
        "difference would appear again; repeat the runs to learn how much they vary.\n\n";
  return out;
}

std::string markdown_comparison::differences() const {
  if (sides_.size() < 2) return {};
  const std::vector<setting_difference> all = differences_of(settings_);
  if (all.empty()) return "The configurations do not differ.\n\n";
  std::vector<std::string> head{"Setting"};
  for (const side& each : sides_)
    head.push_back(markdown_text(each.label));
  markdown_table table(head, head.size());
  for (std::size_t i = 0; i < std::min(all.size(), most_differences); ++i) {
    std::vector<std::string> row{markdown_text(all[i].name)};
    for (const std::string& json : all[i].values)
      row.push_back(json.empty() ? "" : markdown_code(json, value_width));
    table.add(std::move(row));
  }
  std::string out = "### What differs in the configuration\n\n" + table.text() + "\n";
  if (all.size() > most_differences)
    out += std::to_string(all.size() - most_differences) +
           " further settings that differ are left out.\n\n";
  return out;
}

std::string markdown_comparison::text(const ifb_table_end& end) const {
  const std::string points = points_matter(end) ? markdown_points(end) : std::string{};
  const auto counted = [](std::size_t n, const char* word) {
    return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
  };
  std::string out = "## ";
  if (!title_.empty())
    out += markdown_text(title_);
  else if (!points.empty())
    out += counted(end.point_count, "combination") + ", " + counted(sides_.size(), "run");
  else
    out += counted(sides_.size(), "run") + (sides_.size() == 1 ? "" : " side by side");
  out += "\n\n";
  if ((end.flags & IFB_TABLE_INTERRUPTED) != 0)
    out += "**The command was stopped before its last run.**\n\n";
  if (sides_.empty()) return out + "There are no runs.\n";
  if (points.empty())
    out += overview() + figure_table();
  else  // a sweep has many runs, and its points are what readers look for
    out += points + folded("All figures of each combination", markdown_point_figures(end)) +
           folded("Each run", overview() + figure_table());
  out += points.empty() ? differences()
                        : folded("What differs in the configuration of the runs", differences());
  if (!command_.empty()) out += markdown_block(command_, "sh");
  while (out.ends_with("\n\n"))
    out.pop_back();
  return out;
}

}  // namespace reporters
