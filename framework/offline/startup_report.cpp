#include "offline/startup_report.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "offline/times.hpp"

namespace inferbench::offline {

namespace {

struct startup_series {
  std::string key;          // "cold_startup"
  std::string_view noun;    // "startup", in sentences
  std::string_view header;  // "Startup", at the beginning of a line
  const std::vector<double>* times;
};

bool any_encoder(const startup_result& result) {
  const auto above_zero = [](double seconds) { return seconds > 0; };
  return std::ranges::any_of(result.cold.encoder, above_zero) ||
         std::ranges::any_of(result.warm.encoder, above_zero);
}

std::vector<startup_series> series_of(const startup_times& times, const std::string& phase,
                                      bool encoder) {
  std::vector<startup_series> out{{phase + "_startup", "startup", "Startup", &times.startup}};
  if (!times.compilation.empty())
    out.push_back({phase + "_compilation", "compilation", "Compilation", &times.compilation});
  if (encoder)
    out.push_back({phase + "_encoder_compilation", "encoder compilation", "Encoder compilation",
                   &times.encoder});
  return out;
}

std::vector<startup_series> all_series(const startup_result& result) {
  const bool encoder = any_encoder(result);
  auto out = series_of(result.cold, "cold", encoder);
  for (startup_series& each : series_of(result.warm, "warm", encoder))
    out.push_back(std::move(each));
  return out;
}

void put_phase(std::string& out, std::string_view title,
               const std::vector<startup_series>& series) {
  out += fmt::format("\n{} STARTUP:\n", title);
  for (const startup_series& each : series)
    out += fmt::format("Avg {} time: {:.2f} seconds\n", each.noun, statistics_of(*each.times).mean);
  for (const startup_series& each : series) {
    out += fmt::format("{} time percentiles:\n", each.header);
    for (const auto& [percentile, value] : statistics_of(*each.times).percentiles)
      out += fmt::format("  {}%: {:.2f} seconds\n", percentile_label(percentile), value);
  }
}

}  // namespace

std::string startup_text(const startup_result& result) {
  const std::string rule(60, '=');
  const bool encoder = any_encoder(result);
  std::string out = rule + "\nSTARTUP TIME BENCHMARK RESULTS\n" + rule + "\n";
  put_phase(out, "COLD", series_of(result.cold, "cold", encoder));
  put_phase(out, "WARM", series_of(result.warm, "warm", encoder));
  return out + rule + "\n";
}

options::node startup_json(const startup_result& result) {
  using options::node;
  node out = node::table();
  for (const startup_series& each : all_series(result)) {
    const time_statistics found = statistics_of(*each.times);
    out.set("avg_" + each.key + "_time", node::of(found.mean));
    out.set(each.key + "_times", list_of(*each.times));
    out.set(each.key + "_percentiles", percentile_table(found));
  }
  return out;
}

std::vector<std::pair<std::string, pytorch_metric>> startup_metrics(const startup_result& result) {
  std::vector<std::pair<std::string, pytorch_metric>> out;
  for (const startup_series& each : all_series(result)) {
    const time_statistics found = statistics_of(*each.times);
    options::node about = options::node::table();
    about.set(each.key + "_times", list_of(*each.times));
    about.set(each.key + "_percentiles", percentile_table(found));
    out.emplace_back(each.key,
                     pytorch_metric{"avg_" + each.key + "_time", {found.mean}, std::move(about)});
  }
  return out;
}

}  // namespace inferbench::offline
