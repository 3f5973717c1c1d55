#include "turn_result.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace reporters {
namespace {

std::uint64_t whole_in(const json_value* object, std::string_view name) {
  const json_value* value = find(object, name);
  return value != nullptr && value->IsUint64() ? value->GetUint64() : 0;
}

double number_in(const json_value* object, std::string_view name) {
  const json_value* value = find(object, name);
  return value != nullptr && value->IsNumber() ? value->GetDouble() : 0.0;
}

bool is_true_in(const json_value* object, std::string_view name) {
  const json_value* value = find(object, name);
  return value != nullptr && value->IsTrue();
}

/// Returns the number of a flag; `otherwise` if the flag was not given.
template <typename number>
number number_of_flag(const ifb::run_description& run, std::string_view name, number otherwise) {
  const std::string_view json = flag_of(run, name);
  number out{};
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), out);
  return error == std::errc() && end == json.data() + json.size() ? out : otherwise;
}

/// Returns those of the four latencies that the user has selected, in the order of the figures.
std::vector<const ifb_metric*> selected_latencies(const figures& found) {
  constexpr std::array<std::string_view, 4> names{"ttft", "tpot", "itl", "e2el"};
  std::vector<const ifb_metric*> out;
  for (const ifb_metric& m : found.all())
    if (selected(m) && std::ranges::find(names, m.name) != names.end()) out.push_back(&m);
  return out;
}

turn_latency latency_of_turn(const ifb_metric& m, const json_value& turn) {
  const json_value* from = find(turn, std::string(m.name) + "_ms");
  turn_latency out{
      &m, number_in(from, "mean"), number_in(from, "median"), number_in(from, "std"), {}};
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    out.percentiles.push_back(number_in(from, "p" + percentile_name(each.q)));
  return out;
}

}  // namespace

std::string_view flag_of(const ifb::run_description& run, std::string_view name) noexcept {
  for (const auto& [flag, json] : run.flags)
    if (flag == name) return json;
  return {};
}

std::optional<multi_turn_run> multi_turn_run_of(const ifb::run_description& run,
                                                const json_value& facts) {
  const json_value* conversations = find(facts, "conversations");
  const json_value* mode = find(conversations, "multi_turn");
  if (mode == nullptr || !mode->IsObject()) return std::nullopt;
  multi_turn_run out;
  out.begun = whole_in(conversations, "begun");
  out.finished = whole_in(conversations, "finished");
  out.failed = whole_in(conversations, "ended_early");
  out.mean_turns = number_in(conversations, "mean_turns");
  out.mean_duration_ms = number_in(conversations, "mean_duration_ms");
  out.turns = number_of_flag(run, "multi-turn-num-turns", out.turns);
  out.concurrency = whole_in(mode, "concurrency");
  out.turn_delay_ms = number_in(mode, "turn_delay_ms");
  out.separate_turns = is_true_in(mode, "separate_turns");
  out.global_prefix = number_of_flag(run, "multi-turn-prefix-global-ratio", 0.0);
  out.conversation_prefix = number_of_flag(run, "multi-turn-prefix-conversation-ratio", 0.0);
  return out;
}

turn_result all_turns(const figures& found) {
  const auto count = [&](std::string_view name) {
    return static_cast<std::uint64_t>(std::llround(found.value(name)));
  };
  turn_result out;
  out.completed = count("completed");
  out.failed = count("failed");
  out.input = count("total_input_tokens");
  out.output = count("total_output_tokens");
  out.duration_s = found.value("duration");
  for (const ifb_metric* m : selected_latencies(found)) {
    turn_latency& all = out.latencies.emplace_back(m, m->value, m->median, m->deviation);
    for (const ifb_quantile& each : ifb::quantiles_of(*m))
      all.percentiles.push_back(each.value);
  }
  return out;
}

std::vector<turn_result> turn_results(const figures& found, const json_value& facts) {
  const json_value* turns = find(facts, "turns");
  if (turns == nullptr || !turns->IsArray()) return {};
  const std::vector<const ifb_metric*> latencies = selected_latencies(found);
  std::vector<turn_result> out;
  for (const json_value& each : turns->GetArray()) {
    if (!each.IsObject()) continue;
    turn_result& one = out.emplace_back();
    one.turn = whole_in(&each, "turn");
    one.and_later = is_true_in(&each, "and_later");
    one.completed = whole_in(&each, "ok");
    one.failed = whole_in(&each, "failed");
    one.input = whole_in(&each, "total_input_tokens");
    one.output = whole_in(&each, "total_output_tokens");
    one.duration_s = found.value("duration");
    for (const ifb_metric* m : latencies)
      one.latencies.push_back(latency_of_turn(*m, each));
  }
  return out;
}

std::string json_number(double value) {
  ifb::json_writer out;
  out.number(value);
  std::string text = out.take();
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace reporters
