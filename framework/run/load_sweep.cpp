#include "run/load_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "base/json.hpp"
#include "schedule/pattern.hpp"

namespace inferbench::run {

namespace {

struct summary_column {
  const char* title;
  const char* figure;
};

constexpr std::array<summary_column, 4> throughput_columns{{
    {"Req/s", "request_throughput"},
    {"Inputs/s", "input_sequence_throughput"},
    {"Tok/s", "output_throughput"},
    {"Total tok/s", "total_token_throughput"},
}};

constexpr std::array<summary_column, 2> steady_columns{{
    {"SS req/s", "request_throughput"},
    {"SS out tok/s", "output_throughput"},
}};

constexpr std::array<summary_column, 3> latency_columns{
    {{"TTFT", "ttft"}, {"TPOT", "tpot"}, {"E2EL", "e2el"}}};

constexpr std::size_t narrowest_column = 10;

std::string latency_title(double percentile, const char* latency) {
  return fmt::format("P{:.12g} {}(ms)", percentile, latency);
}

}  // namespace

config::plan at_point(const config::plan& of, const config::load_point& point) {
  config::plan out = of;
  out.points.clear();
  if (point.max_concurrency) out.load.max_concurrency = point.max_concurrency;
  if (point.request_rate) out.load.traffic = schedule::of_rate(*point.request_rate);
  if (point.num_prompts) out.num_prompts = point.num_prompts;
  return out;
}

std::string point_title(std::size_t number, std::size_t all, const config::load_point& point) {
  return fmt::format("{:-^70}", fmt::format(" Run {} of {}: {} ", number, all, point.label));
}

void load_sweep::add(const std::string& label, const metrics::report& figures) {
  line& out = lines_.emplace_back(line{label, {}});
  for (const summary_column& one : throughput_columns)
    if (const ifb_metric* m = figures.find(one.figure)) out.values[one.title] = m->value;
  if (!figures.facts_json().empty()) {
    const auto facts = base::parse_json(figures.facts_json(), "the facts");
    const auto* steady = base::find(facts, "steady_state");
    for (const summary_column& one : steady_columns) {
      const auto* value =
          steady == nullptr || !steady->IsObject() ? nullptr : base::find(*steady, one.figure);
      if (value != nullptr && value->IsNumber()) out.values[one.title] = value->GetDouble();
    }
  }
  for (const summary_column& one : latency_columns) {
    const ifb_metric* m = figures.find(one.figure);
    if (m == nullptr || (m->flags & IFB_METRIC_SELECTED) == 0) continue;
    for (std::size_t i = 0; i < m->quantile_count; ++i)
      for (const double percentile : percentiles_)
        if (std::abs(m->quantiles[i].q * 100 - percentile) < 1e-9)
          out.values[latency_title(percentile, one.title)] = m->quantiles[i].value;
  }
}

std::vector<std::string> load_sweep::columns() const {
  std::vector<std::string> out;
  const auto add = [&](const std::string& title) {
    if (std::ranges::any_of(lines_, [&](const line& one) { return one.values.contains(title); }))
      out.push_back(title);
  };
  for (const summary_column& one : throughput_columns)
    add(one.title);
  for (const summary_column& one : steady_columns)
    add(one.title);
  for (const double percentile : percentiles_)
    for (const summary_column& one : latency_columns)
      add(latency_title(percentile, one.title));
  return out;
}

std::string load_sweep::table() const {
  if (lines_.empty()) return {};
  const std::vector<std::string> titles = columns();
  std::size_t first = 20;
  for (const line& one : lines_)
    first = std::max(first, one.label.size());
  std::string head = fmt::format("{:<{}}", "", first);
  for (const std::string& title : titles)
    head += fmt::format(" {:>{}}", title, narrowest_column);
  const std::size_t width = head.size();
  std::string out = fmt::format("{:=^{}}\n{}\n", " Sweep Summary ", width, head);
  const line* best = nullptr;
  for (const line& one : lines_) {
    out += fmt::format("{:<{}}", one.label, first);
    for (const std::string& title : titles) {
      const auto value = one.values.find(title);
      const std::string text =
          value == one.values.end() ? "-" : fmt::format("{:.2f}", value->second);
      out += fmt::format(" {:>{}}", text, std::max(narrowest_column, title.size()));
    }
    out += '\n';
    const auto rate = one.values.find("Req/s");
    if (rate == one.values.end()) continue;
    if (best == nullptr || rate->second > best->values.find("Req/s")->second) best = &one;
  }
  out += fmt::format("{:=^{}}\n", "", width);
  if (best != nullptr)
    out += fmt::format("Highest request throughput: {:.2f} req/s at {}\n",
                       best->values.find("Req/s")->second, best->label);
  return out;
}

}  // namespace inferbench::run
