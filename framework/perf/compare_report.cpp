#include "perf/compare_report.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "options/refusal.hpp"
#include "perf/compare_names.hpp"

namespace inferbench::perf {

namespace {

std::string heading_of(const compared_frame& frame, std::span<const compared_cell> group) {
  std::string out;
  for (std::size_t i = 0; i < group.size(); ++i)
    out += fmt::format("{}{} : [ {} ]", i == 0 ? "" : "  , ", frame.key_columns[i],
                       text_of_cell(group[i]));
  return group.empty() ? "All rows" : out;
}

/// The number of rows behind the values: a reader must not take them for more than that.
std::string repetition_note(std::span<const compared_frame> frames) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const compared_frame& frame : frames)
    for (const compared_row& row : frame.rows)
      for (const compared_row::entry& entry : row.entries) {
        if (entry.averaged == 0) continue;
        fewest = std::min(fewest, entry.averaged);
        most = std::max(most, entry.averaged);
      }
  if (most == 0) return "No file has a value of the metrics.";
  const std::string rows =
      most == 1        ? std::string("Each value is from one run")
      : fewest == most ? fmt::format("Each value is the mean of {} runs", most)
                       : fmt::format("Each value is the mean of {} to {} runs", fewest, most);
  return rows +
         "; ratios and limits are descriptions of these runs, without error bars and without a "
         "verdict. `inferbench compare` computes what runs prove.";
}

void require_x_axis(std::span<const compared_file> files, const std::string& x_axis) {
  for (const compared_file& file : files)
    if (!file.has(x_axis))
      throw base::error("the file has no column " + options::in_quotes(x_axis),
                        "choose another column with --xaxis", {file.path, 0, 0});
}

}  // namespace

comparison_report compared(std::span<const compared_file> files, const compare_request& request) {
  require_x_axis(files, request.x_axis);
  comparison_report out;
  out.x_axis = request.x_axis;
  out.names = request.debug;
  out.limits = request.limits;
  std::vector<compared_frame> frames;
  for (const metric_role role : metric_roles)
    frames.push_back(frame_of(role, request.medians, files));
  out.notes.push_back(repetition_note(frames));
  for (compared_frame& frame : frames)
    for (std::string& note : std::exchange(frame.notes, {}))
      // The key is read for each metric.
      if (std::ranges::find(out.notes, note) == out.notes.end())
        out.notes.push_back(std::move(note));

  std::set<std::string> pages;
  std::set<std::string> sheets;
  for (const std::vector<compared_cell>& key : groups_of(frames)) {
    compared_group& group = out.groups.emplace_back();
    group.heading = heading_of(frames.front(), key);
    group.file = group_page_name(key, pages);
    group.sheet = sheet_name(frames.front(), key, sheets);
    for (const compared_frame& frame : frames)
      group.parts.push_back(part_of(frame, key, request.x_axis));
    group.plots.resize(group.parts.size());
    group.summary = summary_of(group.parts, request.x_axis, request.limits);
  }
  return out;
}

}  // namespace inferbench::perf
