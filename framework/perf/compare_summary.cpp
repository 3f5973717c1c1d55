#include "perf/compare_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::perf {

namespace {

/// The rows of one metric as one file has them, by level.
struct metric_levels {
  struct point {
    double level = 0;
    std::optional<double> value;
  };
  std::vector<point> points;  // in the order of the rows
  double most = 0;            // the limit with its slack

  [[nodiscard]] std::optional<double> largest_passing() const {
    std::optional<double> out;
    for (const point& p : points)
      if (p.value && *p.value <= most) out = std::max(out.value_or(p.level), p.level);
    return out;
  }
  [[nodiscard]] std::optional<double> value_at(double level) const {
    const auto found = std::ranges::find(points, level, &point::level);
    return found == points.end() ? std::nullopt : found->value;
  }
};

metric_levels levels_of(const compared_frame& part, std::size_t column, std::size_t file,
                        double most) {
  metric_levels out;
  out.most = most;
  for (const compared_row& row : part.rows)
    if (const auto* const level = std::get_if<double>(&row.key[column]))
      out.points.push_back({*level, row.entries[file].value});
  return out;
}

/// The values of a file at one level.
struct level_verdict {
  bool measured = false;           // a row has a value
  bool passes = true;              // each value is there and within its limit
  std::size_t ttft = 0, tpot = 0;  // rows
};

std::optional<double> unbroken_level(const metric_levels& ttft, const metric_levels& tpot) {
  std::map<double, level_verdict> levels;
  const auto add = [&](const metric_levels& metric, std::size_t level_verdict::* rows) {
    for (const metric_levels::point& p : metric.points) {
      level_verdict& at = levels[p.level];
      at.measured = at.measured || p.value;
      at.passes = at.passes && p.value && *p.value <= metric.most;
      ++(at.*rows);
    }
  };
  add(ttft, &level_verdict::ttft);
  add(tpot, &level_verdict::tpot);
  std::optional<double> out;
  for (const auto& [level, at] : levels) {
    if (!at.measured) continue;
    if (!at.passes || at.ttft == 0 || at.tpot == 0) break;
    out = level;
  }
  return out;
}

std::string short_number(double value) { return fmt::format("{:.10g}", value); }

/// "TTFT ≤ 3000–3150 ms (+5%)".
std::string limit_text(std::string_view name, double limit, double with_slack, double percent) {
  if (percent == 0) return fmt::format("{} ≤ {} ms", name, short_number(limit));
  return fmt::format("{} ≤ {}–{} ms (+{}%)", name, short_number(limit), short_number(with_slack),
                     short_number(percent));
}

std::string unbroken_note(const valid_concurrency& row, const std::string& column) {
  return fmt::format("{}: at {} {} or at a smaller level a value did not pass; {}",
                     row.configuration, column, base::whole_or_shortest(*row.both),
                     row.unbroken ? "the largest level that passed both limits, as did each "
                                    "smaller level, is " +
                                        base::whole_or_shortest(*row.unbroken)
                                  : std::string("the smallest level did not pass"));
}

}  // namespace

std::optional<concurrency_summary> summary_of(std::span<const compared_frame> parts,
                                              const std::string& x_axis,
                                              const compared_limits& limits) {
  const auto part = [&](metric_role role) -> const compared_frame& {
    return *std::ranges::find(parts, role, &compared_frame::role);
  };
  const compared_frame& throughput = part(metric_role::throughput);
  const compared_frame& ttft = part(metric_role::ttft);
  const compared_frame& tpot = part(metric_role::tpot);
  if (ttft.rows.empty() && tpot.rows.empty()) return std::nullopt;

  // Texts have no largest level.
  const std::string column = is_numeric_info(x_axis) ? x_axis : std::string(concurrency_title);
  const auto place = ttft.place_of(column);
  if (!place) return std::nullopt;

  concurrency_summary out;
  out.titles = {"Configuration",
                fmt::format("Max {} ({})", column,
                            limit_text("TTFT", limits.ttft_ms, limits.ttft_with_slack(),
                                       limits.ttft_slack_percent)),
                fmt::format("Max {} ({})", column,
                            limit_text("TPOT", limits.tpot_ms, limits.tpot_with_slack(),
                                       limits.tpot_slack_percent)),
                fmt::format("Max {} (Both)", column),
                "Output Tput @ Both (tok/s)",
                "TTFT @ Both (ms)",
                "TPOT @ Both (ms)"};
  for (std::size_t file = 0; file < ttft.labels.size(); ++file) {
    const metric_levels first = levels_of(ttft, *place, file, limits.ttft_with_slack());
    const metric_levels each = levels_of(tpot, *place, file, limits.tpot_with_slack());
    valid_concurrency row;
    row.configuration = ttft.labels[file];
    row.ttft = first.largest_passing();
    row.tpot = each.largest_passing();
    row.unbroken = unbroken_level(first, each);
    if (row.ttft && row.tpot) {
      row.both = std::min(*row.ttft, *row.tpot);
      row.throughput_at = levels_of(throughput, *place, file, 0).value_at(*row.both);
      row.ttft_at = first.value_at(*row.both);
      row.tpot_at = each.value_at(*row.both);
      if (row.both != row.unbroken) out.notes.push_back(unbroken_note(row, column));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::vector<std::optional<double>> cells_of(const valid_concurrency& row) {
  return {row.ttft, row.tpot, row.both, row.throughput_at, row.ttft_at, row.tpot_at};
}

}  // namespace inferbench::perf
