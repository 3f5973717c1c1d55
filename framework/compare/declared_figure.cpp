#include "compare/declared_figure.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "metrics/goal.hpp"
#include "metrics/table.hpp"
#include "options/refusal.hpp"

namespace inferbench::compare {

namespace {

/// A figure of a benchmark without a server.
struct offline_figure {
  std::string_view name;
  std::string_view title;
  std::string_view unit;
  bool higher_is_better;
};

constexpr std::array<offline_figure, 4> offline_figures{{
    {"requests_per_second", "Requests per second", "req/s", true},
    {"tokens_per_second", "Tokens per second", "token/s", true},
    {"elapsed_time", "Elapsed time", "s", false},
    {"avg_latency", "Mean latency", "s", false},
}};
constexpr std::string_view latency_percentile = "latency.p";

/// "P99 TTFT", "Mean TTFT", "Output throughput".
std::string title_of(const metrics::goal& of) {
  const std::string label = of.figure->label;
  if (of.of == metrics::goal::statistic::value) return of.figure->title;
  if (of.of == metrics::goal::statistic::percentile && of.percentile == 50)
    return "Median " + label;
  std::string statistic = of.statistic_text();
  if (statistic == "std") statistic = "deviation of";
  statistic.front() = static_cast<char>(statistic.front() - 'a' + 'A');
  return statistic + " " + label;
}

std::string name_of_goal(const metrics::goal& of) {
  if (of.of == metrics::goal::statistic::value) return of.figure->name;
  return std::string(of.figure->name) + "." + of.statistic_text();
}

std::optional<declared_figure> offline_figure_of(std::string_view text) {
  for (const offline_figure& each : offline_figures)
    if (text == each.name)
      return declared_figure{std::string(each.name), std::string(each.title),
                             std::string(each.unit), each.higher_is_better};
  std::string_view number = text;
  if (text.starts_with(latency_percentile))
    number.remove_prefix(latency_percentile.size());
  else if (text.starts_with('P'))
    number.remove_prefix(1);
  else
    return std::nullopt;
  const auto percentile = base::parse_float(number);
  if (!percentile || !(*percentile >= 0 && *percentile <= 100)) return std::nullopt;
  const std::string shown = fmt::format("{}", *percentile);
  return declared_figure{std::string(latency_percentile) + shown, "P" + shown + " latency", "s",
                         false};
}

[[noreturn]] void refuse(std::string_view text, const std::string& why, const std::string& remedy) {
  throw options::usage_error(options::in_quotes(base::one_line(text)) + " " + why, remedy,
                             {"--metric", 0, 0});
}

}  // namespace

std::string_view name_of(benchmark which) noexcept {
  switch (which) {
    case benchmark::server: return "serve";
    case benchmark::pooling: return "serve (pooling)";
    case benchmark::throughput: return "throughput";
    case benchmark::latency: break;
  }
  return "latency";
}

declared_figure figure_of(std::string_view text) {
  const std::string_view name = base::trim(text);
  if (auto found = offline_figure_of(name)) return *std::move(found);
  if (name.find_first_of("<>") != std::string_view::npos)
    refuse(name, "is a goal, and a comparison has figures without limits",
           "leave the relation and the limit out");
  // The grammar of goals has the names of all figures; the limit does not matter.
  std::optional<metrics::goal> found;
  try {
    found = metrics::parse_goal(std::string(name) + ">=0");
  } catch (const base::error& why) {
    // The example of a goal has a limit, which a figure has not.
    refuse(name, "is not a figure that can be compared",
           why.remedy().substr(0, why.remedy().find_first_of("<>")));
  }
  const metrics::direction better = found->figure->better;
  if (better == metrics::direction::neither)
    refuse(name, "is better neither if it is higher nor if it is lower",
           "compare a throughput or a latency, such as output_throughput or ttft.p99");
  return {name_of_goal(*found), title_of(*found), found->figure->unit,
          better == metrics::direction::higher};
}

std::optional<double> percentile_of(const declared_figure& of) {
  constexpr std::string_view mark = ".p";
  const auto at = of.name.find(mark);
  if (at == std::string::npos || of.name.starts_with(latency_percentile)) return std::nullopt;
  return base::parse_float(std::string_view(of.name).substr(at + mark.size()));
}

std::vector<declared_figure> usual_figures(benchmark which) {
  std::vector<std::string_view> names;
  switch (which) {
    case benchmark::server:
      names = {"output_throughput", "ttft.p50", "ttft.p99", "tpot.p50"};
      break;
    case benchmark::pooling: names = {"request_throughput", "e2el.p50", "e2el.p99"}; break;
    case benchmark::throughput: names = {"requests_per_second", "tokens_per_second"}; break;
    case benchmark::latency: names = {"avg_latency", "latency.p99"}; break;
  }
  std::vector<declared_figure> out;
  for (const std::string_view each : names)
    out.push_back(figure_of(each));
  return out;
}

figure_values values_of(std::span<const ifb_metric> from) {
  figure_values out;
  const auto add = [&](const std::string& name, double value) {
    if (!std::isnan(value)) out[name] = value;
  };
  for (const ifb_metric& each : from) {
    const std::string name = each.name;
    if ((each.flags & IFB_METRIC_SUMMARY) == 0) {
      add(name, each.value);
      continue;
    }
    // A summary without values has zeros in place of its statistics.
    if (each.count == 0) continue;
    add(name + ".mean", each.value);
    add(name + ".std", each.deviation);
    add(name + ".min", each.minimum);
    add(name + ".max", each.maximum);
    for (std::size_t i = 0; i < each.quantile_count; ++i) {
      metrics::goal percentile;
      percentile.of = metrics::goal::statistic::percentile;
      // 99.9, and not 99.90000000000001.
      percentile.percentile = std::round(each.quantiles[i].q * 1e11) / 1e9;
      add(name + "." + percentile.statistic_text(), each.quantiles[i].value);
    }
    add(name + ".p50", each.median);
  }
  return out;
}

std::string comparable_names(const figure_values& of) {
  std::string out;
  for (const auto& [name, value] : of) {
    try {
      (void)figure_of(name);
    } catch (const base::error&) {
      continue;
    }
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace inferbench::compare
