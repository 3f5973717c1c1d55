#include "plot/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/run_values.hpp"

namespace inferbench::plot {

namespace {

/// The first of the keys that the run has, as a number.
std::optional<double> figure_of_run(const run_row& row, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (const base::json_value* const value = value_of(row, key)) {
      const auto number = number_of(value);
      if (!number)
        throw base::error(place_of(row) + ": " + key + " is \"" + text_of_value(value) +
                          "\" and not a number");
      return number;
    }
  return std::nullopt;
}

class running_mean {
 public:
  void add(std::optional<double> value) {
    if (!value) return;
    sum_ += *value;
    ++n_;
  }
  [[nodiscard]] std::size_t n() const noexcept { return n_; }
  [[nodiscard]] std::optional<double> mean() const {
    return n_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(n_));
  }

 private:
  double sum_ = 0;
  std::size_t n_ = 0;
};

std::optional<double> p95_e2el(const run_row& row) { return figure_of_run(row, {"p95_e2el_ms"}); }

/// The number of the repetition: that of the run, else its place in the file.
double repetition_of(const run_row& row) {
  return figure_of_run(row, {"run_number"}).value_or(static_cast<double>(row.number));
}

using level = std::vector<run_row>;

boundary_row row_of(const group_key& group, double concurrency, const level& runs,
                    const level& baseline) {
  boundary_row out;
  out.group = group;
  out.concurrency = concurrency;
  out.repetitions = runs.size();
  std::map<double, running_mean> base;
  for (const run_row& run : baseline)
    if (const auto p95 = p95_e2el(run); p95 && *p95 > 0 && !without_completion(run))
      base[repetition_of(run)].add(p95);
  running_mean throughput;
  running_mean ttft50;
  running_mean ttft95;
  running_mean e2el50;
  running_mean e2el95;
  running_mean ratio;
  for (const run_row& run : runs) {
    out.completed += figure_of_run(run, {"completed"}).value_or(0);
    out.failed += figure_of_run(run, {"failed"}).value_or(0);
    // Its zeros are no latencies.
    if (without_completion(run)) continue;
    throughput.add(figure_of_run(run, {"output_throughput"}));
    ttft50.add(figure_of_run(run, {"p50_ttft_ms", "median_ttft_ms"}));
    ttft95.add(figure_of_run(run, {"p95_ttft_ms"}));
    e2el50.add(figure_of_run(run, {"p50_e2el_ms", "median_e2el_ms"}));
    const auto p95 = p95_e2el(run);
    e2el95.add(p95);
    if (const auto at = base.find(repetition_of(run)); p95 && at != base.end())
      ratio.add(*p95 / *at->second.mean());
  }
  out.output_throughput = throughput.mean();
  out.p50_ttft_ms = ttft50.mean();
  out.p95_ttft_ms = ttft95.mean();
  out.p50_e2el_ms = e2el50.mean();
  out.p95_e2el_ms = e2el95.mean();
  out.multiplier = ratio.mean();
  out.multiplier_repetitions = ratio.n();
  return out;
}

/// Whether two runs have the same number: they are of different combinations.
bool mixes(const level& runs) {
  std::set<double> numbers;
  return std::ranges::any_of(
      runs, [&](const run_row& run) { return !numbers.insert(repetition_of(run)).second; });
}

/// Throws if the user named a key that no run has.
void check_group_keys(const boundary_spec& spec, std::span<const run_row> rows) {
  if (!spec.group_given) return;
  const std::vector<std::string> columns = columns_of(rows);
  for (const std::string& key : spec.group_by)
    require_column(columns, key, "--group-by");
}

std::vector<std::string> header_of(const boundary_spec& spec) {
  std::vector<std::string> out = spec.group_by;
  out.push_back(spec.concurrency_var);
  for (const char* name : {"repetitions", "completed", "failed", "mean_output_throughput",
                           "p50_ttft_ms", "p95_ttft_ms", "p50_e2el_ms", "p95_e2el_ms",
                           "p95_e2el_ms_multiplier_vs_baseline", "multiplier_repetitions"})
    out.emplace_back(name);
  return out;
}

/// The fields of a row; `figure` makes the text of a figure.
template <typename function>
std::vector<std::string> fields_of(const boundary_row& row, function&& figure) {
  std::vector<std::string> out;
  for (const auto& [key, value] : row.group)
    out.push_back(value);
  out.push_back(base::whole_or_shortest(row.concurrency));
  out.push_back(std::to_string(row.repetitions));
  out.push_back(base::whole_or_shortest(row.completed));
  out.push_back(base::whole_or_shortest(row.failed));
  for (const std::optional<double>& value :
       {row.output_throughput, row.p50_ttft_ms, row.p95_ttft_ms, row.p50_e2el_ms, row.p95_e2el_ms,
        row.multiplier})
    out.push_back(figure(value));
  out.push_back(std::to_string(row.multiplier_repetitions));
  return out;
}

}  // namespace

boundary_data boundary_of(const boundary_spec& spec, std::span<const run_row> rows) {
  check_group_keys(spec, rows);
  boundary_data out;
  std::vector<std::pair<group_key, std::map<double, level>>> groups;
  std::map<group_key, std::size_t> places;
  for (const run_row& row : rows) {
    const base::json_value* const value = value_of_any_spelling(row, spec.concurrency_var);
    const auto concurrency = number_of(value);
    if (value != nullptr && !value->IsNull() && !concurrency)
      throw base::error(place_of(row) + ": " + spec.concurrency_var + " is \"" +
                        text_of_value(value) + "\" and not a number");
    if (!concurrency || !std::isfinite(*concurrency)) {
      ++out.skipped;
      continue;
    }
    group_key key;
    for (const std::string& name : spec.group_by)
      key.emplace_back(name, text_of_value(value_of(row, name)));
    const auto [at, added] = places.try_emplace(key, groups.size());
    if (added) groups.emplace_back(std::move(key), std::map<double, level>());
    out.uncompleted += without_completion(row) ? 1U : 0U;
    groups[at->second].second[*concurrency].push_back(row);
  }
  if (rows.empty()) throw base::error("the summary.json files have no run");
  if (groups.empty())
    throw base::error(
        fmt::format("none of the {} runs has a finite {}", rows.size(), spec.concurrency_var),
        "name the key of the concurrency with --concurrency-var");
  for (const auto& [key, levels] : groups)
    for (const auto& [concurrency, runs] : levels) {
      out.rows.push_back(row_of(key, concurrency, runs, levels.begin()->second));
      out.mixed = out.mixed || mixes(runs);
    }
  return out;
}

std::string boundary_csv(const boundary_spec& spec, const boundary_data& data) {
  std::string out = base::csv_line(header_of(spec));
  for (const boundary_row& row : data.rows)
    out += base::csv_line(fields_of(row, [](const std::optional<double>& value) {
      return value ? base::shortest(*value) : std::string();
    }));
  return out;
}

std::string boundary_text(const boundary_spec& spec, const boundary_data& data) {
  std::vector<std::vector<std::string>> lines{header_of(spec)};
  for (const boundary_row& row : data.rows)
    lines.push_back(fields_of(row, [](const std::optional<double>& value) {
      return value ? fmt::format("{:.2f}", *value) : std::string("-");
    }));
  for (auto& line : lines)
    for (std::string& field : line)
      field = base::one_line(field);
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      // Texts begin at the left, numbers end at the right.
      text += i < spec.group_by.size() ? fmt::format("{:<{}}  ", line[i], widths[i])
                                       : fmt::format("{:>{}}  ", line[i], widths[i]);
    text.resize(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace inferbench::plot
