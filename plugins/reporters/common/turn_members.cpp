#include "turn_members.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reporters {
namespace {

void set_count(document& out, std::string_view name, std::uint64_t count) {
  out.set_json(name, std::to_string(count));
}

std::string json_of(const turn_result& of) {
  // A percentile that the user has requested twice is a member once, as in the run's own figures.
  document out;
  set_count(out, "turn_index", std::max<std::uint64_t>(of.turn, 1) - 1);
  set_count(out, "num_samples", of.completed + of.failed);
  set_count(out, "completed", of.completed);
  set_count(out, "failed", of.failed);
  set_count(out, "total_input_tokens", of.input);
  set_count(out, "total_output_tokens", of.output);
  out.set("request_throughput", of.rate(of.completed));
  out.set("input_throughput", of.rate(of.input));
  out.set("output_throughput", of.rate(of.output));
  out.set("total_token_throughput", of.rate(of.input + of.output));
  for (const turn_latency& each : of.latencies) {
    const std::string end = std::string("_") + each.metric->name + "_ms";
    out.set("mean" + end, each.mean);
    out.set("median" + end, each.median);
    out.set("std" + end, each.deviation);
    std::size_t i = 0;
    for (const ifb_quantile& quantile : ifb::quantiles_of(*each.metric))
      out.set("p" + percentile_name(quantile.q) + end, each.percentiles[i++]);
  }
  std::string json;
  out.write([&](std::string_view part) { json += part; });
  return json;
}

}  // namespace

void add_turn_settings(document& out, const multi_turn_run& of) {
  set_count(out, "num_conversations", of.begun);
  set_count(out, "turns_per_conversation", of.turns);
  set_count(out, "multi_turn_concurrency", of.concurrency);
  out.set_json("inter_turn_delay_ms", json_number(of.turn_delay_ms));
  if (!of.separate_turns) return;
  out.set("prefix_global_ratio", of.global_prefix);
  out.set("prefix_conversation_ratio", of.conversation_prefix);
  out.set("prefix_unique_ratio", std::max(0.0, 1.0 - of.global_prefix - of.conversation_prefix));
  out.set_json("no_history_accumulation", "true");
}

void add_conversation_figures(document& out, const multi_turn_run& of, const figures& found) {
  set_count(out, "conversations_completed", of.finished);
  set_count(out, "conversations_failed", of.failed);
  out.set("avg_turns_completed", of.mean_turns);
  out.set("avg_conversation_duration_ms", of.mean_duration_ms);
  const turn_result all = all_turns(found);
  out.set("input_throughput", all.rate(all.input));
}

void add_turn_figures(document& out, const figures& found, const json_value& facts) {
  std::string list = "[";
  for (const turn_result& each : turn_results(found, facts)) {
    if (list.size() > 1) list += ", ";
    list += json_of(each);
  }
  out.set_json("per_turn_metrics", list + ']');
}

}  // namespace reporters
