#include "offline/mm_report.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::offline {

namespace {

using options::node;
using text_rows = std::vector<std::vector<std::string>>;

// Columns are aligned to the right; the first column to the left. All rows have the same length.
std::string table_text(const text_rows& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                    : fmt::format("  {:>{}}", row[i], widths[i]);
    out += '\n';
  }
  return out;
}

std::string fixed(double value) { return fmt::format("{:.2f}", value); }

// "P99.0"
std::string column_of(double percentile) { return "P" + base::shortest(percentile); }

text_rows stage_rows(const mm_statistics& found) {
  text_rows rows{{"Stage", "Mean", "Median", "Std"}};
  for (const auto& [percentile, value] : found.end_to_end.percentiles)
    rows.front().push_back(column_of(percentile));
  for (const mm_stage& stage : found.stages) {
    std::vector<std::string> row{base::one_line(stage.name), fixed(stage.statistics.mean),
                                 fixed(stage.statistics.median), fixed(stage.statistics.deviation)};
    for (const auto& [percentile, value] : stage.statistics.percentiles)
      row.push_back(fixed(value));
    rows.push_back(std::move(row));
  }
  return rows;
}

text_rows latency_rows(const time_statistics& latency) {
  text_rows rows{{"Metric", "Value (ms)"},
                 {"Mean", fixed(latency.mean)},
                 {"Median", fixed(latency.median)},
                 {"Std", fixed(latency.deviation)}};
  for (const auto& [percentile, value] : latency.percentiles)
    rows.push_back({column_of(percentile), fixed(value)});
  return rows;
}

node stage_table(const mm_statistics& found) {
  node out = node::table();
  for (const mm_stage& stage : found.stages) {
    node about = node::table();
    about.set("mean", node::of(stage.statistics.mean));
    about.set("median", node::of(stage.statistics.median));
    about.set("std", node::of(stage.statistics.deviation));
    for (const auto& [percentile, value] : stage.statistics.percentiles)
      about.set("p" + base::shortest(percentile), node::of(value));
    out.set(stage.name, std::move(about));
  }
  return out;
}

node count_of(std::uint64_t count) { return node::of(static_cast<std::int64_t>(count)); }

}  // namespace

std::string mm_text(const mm_statistics& found) {
  const std::string rule(80, '=');
  std::string out = "\n" + rule + "\nMultimodal Processor Benchmark Results\n" + rule + "\n";
  if (!found.stages.empty()) out += "\nMM Processor Metrics:\n" + table_text(stage_rows(found));
  if (found.encoder_calls)
    out += fmt::format("\nSummary: {} total encoder calls across {} requests.\n",
                       *found.encoder_calls, found.requests_with_encoder.value_or(0));
  return out + "\nEnd-to-End Latency (ms):\n" + table_text(latency_rows(found.end_to_end));
}

node mm_json(const mm_statistics& found, const mm_processor_options& options,
             const std::string& timestamp) {
  node percentiles = node::list();
  for (const auto& [percentile, value] : found.end_to_end.percentiles) {
    node pair = node::list();
    pair.items = {node::of(percentile), node::of(value)};
    percentiles.items.push_back(std::move(pair));
  }
  node encoder = node::table();
  if (found.encoder_calls) {
    encoder.set("total_encoder_calls", count_of(*found.encoder_calls));
    encoder.set("num_requests_with_encoder_calls",
                count_of(found.requests_with_encoder.value_or(0)));
  }
  node config = node::table();
  config.set("model", options.model.empty() ? node{} : node::of(options.model));
  config.set("num_prompts", node::of(options.data.num_prompts));
  config.set("input_len", node::of(options.data.random_input_len));
  config.set("output_len", node::of(options.data.random_output_len));
  node out = node::table();
  out.set("completed", count_of(found.completed));
  out.set("failed", count_of(found.failed));
  out.set("mean_e2el_ms", node::of(found.end_to_end.mean));
  out.set("median_e2el_ms", node::of(found.end_to_end.median));
  out.set("std_e2el_ms", node::of(found.end_to_end.deviation));
  out.set("percentiles_e2el_ms", std::move(percentiles));
  out.set("mm_processor_stats", stage_table(found));
  out.set("encoder_summary", std::move(encoder));
  out.set("config", std::move(config));
  out.set("timestamp", node::of(timestamp));
  return out;
}

std::string local_timestamp(std::chrono::system_clock::time_point at) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(at - whole).count();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(whole);
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) throw base::error("the time is no date");
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local);
  std::string out(text.data(), length);
  // Python leaves out microseconds that are 0.
  return micros == 0 ? out : fmt::format("{}.{:06}", out, micros);
}

}  // namespace inferbench::offline
