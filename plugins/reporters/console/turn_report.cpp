#include "turn_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "layout.hpp"
#include "reporters/common/turn_result.hpp"

namespace reporters {
namespace {

constexpr std::size_t block_width = 60;
constexpr std::size_t block_label_width = 45;
constexpr std::size_t section_value_width = 10;

std::string heading(std::string_view text, char fill) { return centered(text, fill, block_width); }

std::string block_line(std::string_view label, std::string_view text) {
  return padded(label, block_label_width) + ' ' + std::string(text) + '\n';
}

/// Upstream also pads the values of the sections, so their lines end with blanks.
std::string section_line(std::string_view label, std::uint64_t count) {
  return block_line(label, padded(std::to_string(count), section_value_width));
}

std::string section_line(std::string_view label, double value) {
  return block_line(label, padded(decimals(value, 2), section_value_width));
}

/// Returns the section of one latency. The label of a line is padded as in upstream's own report.
std::string latency_section(const turn_latency& of) {
  const auto time = [&](const std::string& statistic, double ms) {
    return our_line(statistic + ' ' + of.metric->label + " (ms):",
                    padded(decimals(ms, 2), section_value_width));
  };
  std::string out = heading(of.metric->title, '-');
  out += time("Mean", of.mean);
  out += time("Median", of.median);
  std::size_t i = 0;
  for (const ifb_quantile& each : ifb::quantiles_of(*of.metric))
    out += time("P" + percentile_name(each.q), of.percentiles[i++]);
  return out;
}

std::string turn_section(std::string_view title, const turn_result& of) {
  std::string out = heading(title, '-');
  out += section_line("Successful requests:", of.completed);
  out += section_line("Failed requests:", of.failed);
  out += section_line("Total input tokens:", of.input);
  out += section_line("Total generated tokens:", of.output);
  out += section_line("Request throughput (req/s):", of.rate(of.completed));
  out += section_line("Input token throughput (tok/s):", of.rate(of.input));
  out += section_line("Output token throughput (tok/s):", of.rate(of.output));
  out += section_line("Total token throughput (tok/s):", of.rate(of.input + of.output));
  for (const turn_latency& each : of.latencies)
    out += latency_section(each);
  return out;
}

std::string title_of(const turn_result& of) {
  return " Turn " + std::to_string(of.turn) + (of.and_later ? " and later (" : " (") +
         std::to_string(of.completed + of.failed) + " samples) ";
}

}  // namespace

std::string turn_report(const ifb::run_description& run, const figures& found,
                        const json_value& facts) {
  const auto of = multi_turn_run_of(run, facts);
  if (!of) return {};
  std::string out = heading(" Multi-Turn Benchmark Result ", '=');
  out += block_line("Conversations completed/total:",
                    std::to_string(of->finished) + '/' + std::to_string(of->begun));
  out += block_line("Turns per conversation (configured):", std::to_string(of->turns));
  out += block_line("Avg turns completed:", decimals(of->mean_turns, 1));
  out += block_line("Avg conversation duration (ms):", decimals(of->mean_duration_ms, 0));
  out += block_line("Concurrency:", std::to_string(of->concurrency));
  out += block_line("Inter-turn delay (ms):", json_number(of->turn_delay_ms));
  out += block_line("Benchmark duration (s):", decimals(found.value("duration"), 2));
  out += turn_section(" Overall (All Turns) ", all_turns(found));
  for (const turn_result& each : turn_results(found, facts))
    out += turn_section(title_of(each), each);
  return out + std::string(block_width, '=') + '\n';
}

}  // namespace reporters
