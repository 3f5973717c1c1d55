#include "points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "reporters/common/facts.hpp"
#include "reporters/common/statistics.hpp"
#include "text.hpp"

namespace reporters {
namespace {

struct known_figure {
  std::string_view name, title;
};

constexpr std::array<known_figure, 4> throughputs{
    known_figure{"request_throughput", "Requests"},
    known_figure{"input_sequence_throughput", "Inputs"}, known_figure{"request_goodput", "Goodput"},
    known_figure{"output_throughput", "Output tokens"}};
constexpr std::array<known_figure, 4> latencies{
    known_figure{"ttft", "TTFT"}, known_figure{"tpot", "TPOT"}, known_figure{"itl", "ITL"},
    known_figure{"e2el", "E2EL"}};

/// The columns of runs that have none of these figures, such as the runs of `sweep startup`.
constexpr std::size_t most_other_columns = 4;

struct point_column {
  std::string name, statistic, title;
};

std::string unit_text(const ifb_interval& of) {
  if (of.unit == nullptr || std::string_view(of.unit) == "1") return {};
  return " (" + markdown_text(of.unit) + ")";
}

const ifb_interval* figure_of(const ifb_table_point& point, std::string_view name,
                              std::string_view statistic) {
  for (const ifb_interval& each : ifb::figures_of(point))
    if (name == each.name && statistic == each.statistic) return &each;
  return nullptr;
}

/// The first point's figure; nullptr if no point has it.
const ifb_interval* first_of(const ifb_table_end& end, std::string_view name,
                             std::string_view statistic) {
  for (const ifb_table_point& point : ifb::points_of(end))
    if (const ifb_interval* found = figure_of(point, name, statistic)) return found;
  return nullptr;
}

/// "p99" if a point has it, otherwise the largest percentile; empty if there is none.
std::string upper_percentile(const ifb_table_end& end, std::string_view name) {
  std::string largest;
  double most = -1;
  for (const ifb_table_point& point : ifb::points_of(end))
    for (const ifb_interval& each : ifb::figures_of(point)) {
      const std::string statistic = each.statistic;
      if (name != each.name || !statistic.starts_with('p')) continue;
      if (statistic == "p99") return statistic;
      const double found = std::strtod(statistic.c_str() + 1, nullptr);
      if (found > most) std::tie(most, largest) = std::pair(found, statistic);
    }
  return most > 50 ? largest : std::string{};
}

std::vector<point_column> columns_of(const ifb_table_end& end) {
  std::vector<point_column> out;
  const auto add = [&](const known_figure& of, std::string statistic, const std::string& title) {
    if (const ifb_interval* found = first_of(end, of.name, statistic))
      out.push_back({std::string(of.name), std::move(statistic), title + unit_text(*found)});
  };
  for (const known_figure& each : throughputs)
    add(each, "value", std::string(each.title));
  for (const known_figure& each : latencies) {
    const std::string title(each.title);
    add(each, "median", title + " median");
    if (const std::string upper = upper_percentile(end, each.name); !upper.empty())
      add(each, upper, title + " P" + upper.substr(1));
  }
  if (!out.empty()) return out;
  for (const ifb_table_point& point : ifb::points_of(end))
    for (const ifb_interval& each : ifb::figures_of(point)) {
      const std::string_view statistic = each.statistic;
      const bool known = std::ranges::find(out, each.name, &point_column::name) != out.end();
      if (known || each.value == 0 || (statistic != "mean" && statistic != "value")) continue;
      if (out.size() == most_other_columns) return out;
      add({each.name, each.name}, std::string(statistic),
          markdown_text(statistic_name(each.name, statistic)));
    }
  return out;
}

/// "12.50 ± 0.30"; without an interval the value alone.
std::string cell_text(const ifb_interval& of) {
  const double half = std::max(of.high - of.value, of.value - of.low);
  std::string out = readable_number(of.value);
  if (of.confidence > 0 && std::isfinite(half)) out += " ± " + readable_number(half);
  return out;
}

std::string interval_of_mean(const ifb_interval& of) {
  if (!(of.confidence > 0) || !std::isfinite(of.low) || !std::isfinite(of.high)) return {};
  return "[" + readable_number(of.low) + ", " + readable_number(of.high) + "]";
}

std::string label_of(const ifb_table_point& point) {
  const rapidjson::Document facts = parse_object(ifb::view(point.facts_json));
  const json_value* label = find(facts, "label");
  return label != nullptr && label->IsString() ? std::string(ifb::text_of(label)) : std::string{};
}

/// "max_num_seqs=8, max_concurrency=16", as the host writes a label without a name.
std::string setting_of(const ifb_table_point& point) {
  std::string out;
  for (const ifb_field& each : ifb::axes_of(point)) {
    ifb::json_document value;
    const std::string_view json = ifb::view(each.value);
    const bool is_text = !ifb::parse_json(json, value) && value.IsString();
    if (!out.empty()) out += ", ";
    out.append(ifb::view(each.name)).append("=");
    out.append(is_text ? ifb::text_of(&value) : json);
  }
  return out;
}

std::string name_of(const ifb_table_point& point, std::size_t index) {
  if (std::string label = label_of(point); !label.empty()) return label;
  if (std::string setting = setting_of(point); !setting.empty()) return setting;
  return "point " + std::to_string(index + 1);
}

std::vector<std::string> axes_of_points(const ifb_table_end& end) {
  std::vector<std::string> out;
  for (const ifb_table_point& point : ifb::points_of(end))
    for (const ifb_field& each : ifb::axes_of(point))
      if (const std::string name(ifb::view(each.name)); std::ranges::find(out, name) == out.end())
        out.push_back(name);
  return out;
}

/// The confidence of the intervals in percent: "95"; empty if there are none.
std::string confidence_text(const ifb_table_end& end) {
  for (const ifb_table_point& point : ifb::points_of(end))
    for (const ifb_interval& each : ifb::figures_of(point))
      if (each.confidence > 0 && std::isfinite(each.low)) return percentile_name(each.confidence);
  return {};
}

}  // namespace

bool points_matter(const ifb_table_end& end) {
  for (const ifb_table_point& point : ifb::points_of(end))
    if (point.figure_count > 0 && (point.run_count > 1 || !label_of(point).empty())) return true;
  return false;
}

std::string axis_text(std::string_view json) {
  ifb::json_document value;
  if (!ifb::parse_json(json, value) && value.IsString()) return markdown_text(text_of(&value));
  return markdown_text(json);
}

std::string folded(std::string_view summary, const std::string& content) {
  if (content.empty()) return {};
  return "<details><summary>" + markdown_text(summary) + "</summary>\n\n" + content +
         "\n</details>\n\n";
}

std::string markdown_points(const ifb_table_end& end) {
  const std::vector<point_column> columns = columns_of(end);
  const std::vector<std::string> axes = axes_of_points(end);
  std::size_t index = 0;
  bool named = axes.empty();  // a name that only repeats the axes has no column
  for (const ifb_table_point& point : ifb::points_of(end))
    named = named || name_of(point, index++) != setting_of(point);

  std::vector<std::string> head;
  if (named) head.emplace_back("Combination");
  for (const std::string& each : axes)
    head.push_back(markdown_text(each));
  head.emplace_back("Runs");
  for (const point_column& each : columns)
    head.push_back(each.title);
  markdown_table table(head, named ? 1 : 0);
  index = 0;
  for (const ifb_table_point& point : ifb::points_of(end)) {
    std::vector<std::string> row;
    if (named) row.push_back(markdown_text(name_of(point, index)));
    ++index;
    for (const std::string& axis : axes) {
      const auto values = ifb::axes_of(point);
      const auto at =
          std::ranges::find(values, axis, [](const ifb_field& f) { return ifb::view(f.name); });
      row.push_back(at == values.end() ? "" : axis_text(ifb::view(at->value)));
    }
    row.push_back(std::to_string(point.run_count));
    for (const point_column& each : columns) {
      const ifb_interval* found = figure_of(point, each.name, each.statistic);
      row.push_back(found == nullptr ? "" : cell_text(*found));
    }
    table.add(std::move(row));
  }
  std::string out = "### Combinations\n\n" + table.text() + "\n";
  if (const std::string confidence = confidence_text(end); !confidence.empty())
    out += "Means over the runs, ± half the width of the interval at " + confidence +
           " % confidence.\n\n";
  return out;
}

std::string markdown_point_figures(const ifb_table_end& end) {
  markdown_table table({"Combination", "Figure", "Mean", "Interval", "Runs"}, 2);
  std::size_t index = 0;
  for (const ifb_table_point& point : ifb::points_of(end)) {
    const std::string name = markdown_text(name_of(point, index++));
    for (const ifb_interval& each : ifb::figures_of(point)) {
      // Runs without sound have the factor as well. P50 is the median.
      if (each.value == 0 && std::string_view(each.name) == "rtfx") continue;
      if (std::string_view(each.statistic) == "p50" && figure_of(point, each.name, "median"))
        continue;
      table.add({name, markdown_text(statistic_name(each.name, each.statistic)) + unit_text(each),
                 readable_number(each.value), interval_of_mean(each),
                 std::to_string(each.observations)});
    }
  }
  return table.empty() ? std::string{} : table.text();
}

}  // namespace reporters
