#include "table.hpp"

#include <algorithm>
#include <cmath>

#include <inferbench/json_reader.hpp>
#include <inferbench/table_reporter.hpp>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/statistics.hpp"

namespace reporters {
namespace {

constexpr const char* fixed_columns[] = {"kind",   "point", "run",   "runs",   "label",
                                         "source", "name",  "state", "started"};

/// Appends a number as it is, and the content of a text.
void add_json(csv_lines& out, std::string_view json) {
  ifb::json_document value;
  if (ifb::parse_json(json, value)) return out.text(json);
  if (value.IsString()) return out.text(ifb::text_of(&value));
  if (value.IsNumber()) return out.name(json);
  if (value.IsNull()) return out.empty();
  out.text(json);
}

}  // namespace

csv_table::csv_table(const ifb_table& table) {
  for (const ifb_axis& axis : ifb::axes_of(table))
    axes_.emplace_back(axis.name == nullptr ? "" : axis.name);
}

std::size_t csv_table::column_of(const std::string& name) {
  const auto [at, is_new] = places_.try_emplace(name, columns_.size());
  if (is_new) columns_.push_back(name);
  return at->second;
}

void csv_table::add_axes(line& to, const ifb_field* first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name(ifb::view(first[i].name));
    if (std::ranges::find(axes_, name) == axes_.end()) axes_.push_back(name);
    to.axes[name] = ifb::view(first[i].value);
  }
}

void csv_table::add_interval(line& to, const ifb_interval& interval, bool with_value) {
  const std::string name = statistic_name(interval.name, interval.statistic);
  if (with_value) to.figures[column_of(name)] = interval.value;
  if (!(interval.confidence > 0)) return;
  to.figures[column_of(name + "_low")] = interval.low;
  to.figures[column_of(name + "_high")] = interval.high;
  to.figures[column_of(name + "_confidence")] = interval.confidence;
  to.figures[column_of(name + "_observations")] = static_cast<double>(interval.observations);
}

void csv_table::add(const ifb_table_run& run) {
  line& to = lines_.emplace_back();
  to.kind = "run";
  to.point = std::to_string(run.point);
  to.run = std::to_string(run.index);
  to.runs = "1";
  to.label = ifb::view(run.label);
  to.source = ifb::view(run.source);
  add_axes(to, run.axes, run.axis_count);
  if (run.run != nullptr) {
    to.name = ifb::view(run.run->name);
    to.started_unix_ns = run.run->started_unix_ns;
  }
  if (run.summary != nullptr) {
    to.state = (run.summary->flags & IFB_SUMMARY_INTERRUPTED) != 0 ? "interrupted" : "finished";
    for (const ifb_metric& m : ifb::metrics_of(*run.summary))
      for_each_statistic(m, [&](std::string_view statistic, double value) {
        to.figures[column_of(statistic_name(m.name, statistic))] = value;
      });
  }
  for (const ifb_interval& each : ifb::intervals_of(run))
    add_interval(to, each, false);
}

void csv_table::add(const ifb_table_end& end) {
  std::size_t number = 0;
  for (const ifb_table_point& point : ifb::points_of(end)) {
    line& to = lines_.emplace_back();
    to.kind = "point";
    to.point = std::to_string(number++);
    to.runs = std::to_string(point.run_count);
    add_axes(to, point.axes, point.axis_count);
    for (const ifb_interval& each : ifb::figures_of(point))
      add_interval(to, each, true);
  }
}

void csv_table::write(csv_lines& out, const line& from) const {
  for (const std::string& axis : axes_) {
    const auto value = from.axes.find(axis);
    if (value == from.axes.end())
      out.empty();
    else
      add_json(out, value->second);
  }
  out.name(from.kind);
  out.name(from.point);
  out.name(from.run);
  out.name(from.runs);
  out.text(from.label);
  out.text(from.source);
  out.text(from.name);
  out.name(from.state);
  out.name(from.started_unix_ns == 0 ? "" : utc_text(from.started_unix_ns));
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const auto value = from.figures.find(column);
    if (value == from.figures.end())
      out.empty();
    else
      out.number(value->second);
  }
  out.end_line();
}

std::string csv_table::text() const {
  csv_lines out;
  for (const std::string& axis : axes_)
    out.text(axis);
  for (const char* name : fixed_columns)
    out.name(name);
  for (const std::string& name : columns_)
    out.text(name);
  out.end_line();
  for (const line& each : lines_)
    write(out, each);
  return out.all();
}

}  // namespace reporters
