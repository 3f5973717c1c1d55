#include "perf/compare_html.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "perf/compare_table.hpp"

namespace inferbench::perf {

namespace {

// Light colours below dark text, so that the marks are readable also for readers who cannot tell
// the colours apart.
constexpr std::string_view page_begin = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Performance comparison</title>
<style>
body { font-family: system-ui, sans-serif; margin: 1.5rem; color: #16191d; background: #fff; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; }
th, td { border: 1px solid #d9dde2; padding: 0.2rem 0.6rem; }
td { text-align: right; font-variant-numeric: tabular-nums; }
td.text { text-align: left; }
.within { background: #cdeed3; font-weight: bold; }
.slack { background: #ffd9a0; font-weight: bold; }
.ratio { background: #fff3b0; }
.note { color: #5a626c; }
svg { max-width: 100%; height: auto; }
</style>
</head>
<body>
<h1>Performance comparison</h1>
)";

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : base::one_line(text))
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

std::string note_line(std::string_view text) {
  return "<p class=\"note\">" + escaped_html(text) + "</p>\n";
}

/// The limits by which the cells of a table are marked.
struct marked_limits {
  double limit = 0, with_slack = 0;
};

std::optional<marked_limits> marks_of(metric_role role, const compared_limits& limits) {
  switch (role) {
    case metric_role::throughput: break;
    case metric_role::ttft: return marked_limits{limits.ttft_ms, limits.ttft_with_slack()};
    case metric_role::tpot: return marked_limits{limits.tpot_ms, limits.tpot_with_slack()};
  }
  return std::nullopt;
}

std::string_view mark_of(double value, const marked_limits& limits) {
  if (value <= limits.limit) return "within";
  return value <= limits.with_slack ? "slack" : "";
}

std::string data_cell(const compared_cell& cell, std::string_view mark) {
  std::string begin = "<td>";
  if (!mark.empty())
    begin = fmt::format("<td class=\"{}\">", mark);
  else if (std::holds_alternative<std::string>(cell))
    begin = "<td class=\"text\">";
  std::string text;
  if (const auto* const number = std::get_if<double>(&cell)) text = fmt::format("{:.2f}", *number);
  if (const auto* const words = std::get_if<std::string>(&cell)) text = escaped_html(*words);
  return begin + text + "</td>";
}

std::string header_cell(std::string_view title, std::string_view mark) {
  return (mark.empty() ? std::string("<th>") : fmt::format("<th class=\"{}\">", mark)) +
         escaped_html(title) + "</th>";
}

std::string metric_table(const compared_frame& part, const comparison_report& all) {
  const std::vector<compared_column> columns = columns_of(part, all.names);
  const auto limits = marks_of(part.role, all.limits);
  const auto is_marked = [&](const compared_column& column) {
    return column.kind == compared_kind::value ||
           (column.kind == compared_kind::key && column.title == "qps" && all.x_axis != "qps");
  };
  std::string out = "<table>\n<thead><tr><th></th>";
  for (const compared_column& column : columns)
    if (column.kind != compared_kind::group)
      out += header_cell(column.title, column.kind == compared_kind::ratio ? "ratio" : "");
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    out += fmt::format("<tr><th>{}</th>", row);
    for (const compared_column& column : columns) {
      if (column.kind == compared_kind::group) continue;
      const compared_cell& cell = column.cells[row];
      const auto* const number = std::get_if<double>(&cell);
      std::string_view mark;
      if (column.kind == compared_kind::ratio) mark = "ratio";
      if (limits && number != nullptr && is_marked(column)) mark = mark_of(*number, *limits);
      out += data_cell(cell, mark);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string summary_section(const concurrency_summary& summary) {
  std::string out = "<h3>Valid Max Concurrency Summary</h3>\n<table>\n<thead><tr>";
  for (const std::string& title : summary.titles)
    out += header_cell(title, {});
  out += "</tr></thead>\n<tbody>\n";
  for (const valid_concurrency& row : summary.rows) {
    out += "<tr>" + data_cell(row.configuration, {});
    const std::vector<std::optional<double>> cells = cells_of(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      constexpr std::size_t both = 2;
      compared_cell cell;
      if (cells[i]) cell = *cells[i];
      out += data_cell(cell, i == both && cells[i] ? "within" : "");
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
  for (const std::string& note : summary.notes)
    out += note_line(note);
  return out;
}

std::string group_section(const compared_group& group, const comparison_report& all) {
  std::string out = "<h2>" + escaped_html(group.heading) + "</h2>\n";
  for (std::size_t i = 0; i < group.parts.size(); ++i) {
    const compared_frame& part = group.parts[i];
    if (part.rows.empty()) {
      out += note_line(part.metric + ": missing for this group");
      continue;
    }
    out += "<h3>" + escaped_html(part.metric + " — " + group.heading) + "</h3>\n";
    out += metric_table(part, all);
    if (!group.plots[i].empty()) out += group.plots[i] + "\n";
  }
  if (group.summary) out += summary_section(*group.summary);
  return out;
}

}  // namespace

std::string comparison_page(const comparison_report& all, std::span<const compared_group> groups) {
  std::string out(page_begin);
  for (const std::string& note : all.notes)
    out += note_line(note);
  for (const compared_group& group : groups)
    out += group_section(group, all);
  return out + "</body>\n</html>\n";
}

}  // namespace inferbench::perf
