#include "config/plan_load.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "config/derive.hpp"
#include "config/upstream.hpp"
#include "options/node.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::config {

namespace {

// At most one of load.traffic, load.ramp-up-strategy and load.request-rate is given (rules.hpp).
schedule::pattern traffic_of(const key_values& values) {
  if (const auto pattern = values.text("load.traffic")) return schedule::parse_pattern(*pattern);
  if (const auto strategy = values.text("load.ramp-up-strategy"))
    return schedule::ramp{*strategy == "exponential",
                          static_cast<double>(values.at("load.ramp-up-start-rps").integer),
                          static_cast<double>(values.at("load.ramp-up-end-rps").integer)};
  return schedule::of_rate(values.at("load.request-rate").number);
}

void fill_conversation_clients(conversation_clients& out, const key_values& values) {
  if (const options::option_value& number = values.at("load.conversation-clients"); number.is_set)
    out.number = static_cast<std::size_t>(number.integer);
  if (const options::option_value& most = values.at("load.conversation-requests"); most.is_set)
    out.requests = static_cast<std::uint64_t>(most.integer);
  out.random = values.at("load.conversation-order").text == "random";
  out.rate = values.at("load.conversation-rate").number;
  out.retries = static_cast<std::uint64_t>(values.at("load.conversation-retries").integer);
  out.warm_up = values.on("load.conversation-warm-up");
  out.early_stop = values.on("load.conversation-early-stop");
}

// The members of each turn with the lower limit of the length, unless the user has given it, the
// server ignores the end of the sequence, or the backend does not sample.
std::string with_least_length(const std::string& turn_body, const key_values& values,
                              const used_plugins& used) {
  constexpr const char* member = "min_tokens";
  options::node members = options::node::table();
  if (!turn_body.empty()) members = options::parse_json_node(turn_body, "--turn-body");
  const options::option_value& body = values.at("backend.extra-body");
  const std::uint32_t codec = codec_flags(used);
  const bool takes = (codec & IFB_CODEC_SAMPLING) != 0 && (codec & IFB_CODEC_POOLING) == 0;
  const bool given =
      members.find(member) != nullptr ||
      (body.is_set && options::parse_json_node(body.text, "").find(member) != nullptr);
  if (!takes || given || values.on("backend.ignore-eos") || !members.is(options::node::kind::table))
    return turn_body;
  members.set(member, options::node::of(std::string("$least_answer_tokens")));
  return options::to_json(members);
}

// The load of --multi-turn, as in vLLM's Rust client.
void fill_multi_turn(load& out, const key_values& values, const used_plugins& used) {
  out.multi_turn.on = true;
  out.multi_turn.delay_ns =
      static_cast<std::uint64_t>(values.at("load.multi-turn-delay-ms").integer) * base::ns_per_ms;
  if (const options::option_value& most = values.at("load.multi-turn-concurrency"); most.is_set)
    out.max_concurrency = most.integer;
  if (!values.at("load.session-header").is_set) out.session_header = upstream::session_header;
  out.turn_body = with_least_length(out.turn_body, values, used);
}

std::vector<load_point> points_of(const key_values& values) {
  std::vector<load_point> out;
  const options::option_value& factor = values.at("load.sweep-num-prompts-factor");
  for (const std::string& text : values.at("load.sweep-max-concurrency").list) {
    load_point point;
    point.max_concurrency = static_cast<std::int64_t>(base::parse_float(text).value_or(1));
    point.label = "concurrency=" + std::to_string(*point.max_concurrency);
    if (factor.is_set) point.num_prompts = *point.max_concurrency * factor.integer;
    out.push_back(std::move(point));
  }
  for (const std::string& text : values.at("load.sweep-request-rate").list) {
    load_point point;
    point.request_rate = base::parse_float(text).value_or(0);
    point.label = fmt::format("rate={:.12g}", *point.request_rate);
    out.push_back(std::move(point));
  }
  return out;
}

}  // namespace

void fill_load(plan& out, const key_values& values, const used_plugins& used) {
  load& into = out.load;
  into.traffic = traffic_of(values);
  into.burstiness = values.at("load.burstiness").number;
  if (const options::option_value& most = values.at("load.max-concurrency"); most.is_set)
    into.max_concurrency = most.integer;
  if (const options::option_value& most = values.at("load.max-active-conversations"); most.is_set)
    into.max_active_conversations = static_cast<std::size_t>(most.integer);
  fill_conversation_clients(into.clients, values);
  into.turn_body = values.at("load.turn-body").text;
  into.session_header = values.at("load.session-header").text;
  if (values.on("load.multi-turn")) fill_multi_turn(into, values, used);
  if (const options::option_value& timed = values.at("load.self-timed"); timed.is_set)
    into.self_timed = timed.integer != 0;
  if (const options::option_value& time = values.at("load.duration"); time.is_set)
    into.duration_ns = static_cast<std::uint64_t>(time.integer);
  into.probe_rate = std::max(values.at("load.probe-request-rate").number, 0.0);
  out.points = points_of(values);
}

}  // namespace inferbench::config
