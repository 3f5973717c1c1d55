// Reads and writes ifb::run_description as JSON, the member "resolved" of ifb_run.config_json:
//
//   void begin(const ifb_run& run) { run_ = ifb::describe(ifb::view(run.config_json)); }
//
// Like inferbench/json_reader.hpp, this header needs RapidJSON. Pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/run_description.hpp>

namespace ifb {

/// Visits the members in the order of the JSON. The reader and the writer both use this function,
/// so they know the same members. `description` is run_description or const run_description.
template <typename description, typename visitor>
void each_member(description& run, visitor& visit) {
  visit.member("endpoint_type", run.endpoint_type);
  visit.member("backend", run.backend);
  visit.member("label", run.label);
  visit.member("model_id", run.model_id);
  visit.member("tokenizer_id", run.tokenizer_id);
  visit.member("num_prompts", run.num_prompts);
  visit.member("planned", run.planned);
  visit.member("request_rate", run.request_rate);
  visit.member("burstiness", run.burstiness);
  visit.member("ramp_up", run.ramp_up);
  if (!run.traffic.empty() || visitor::reads) visit.member("traffic", run.traffic);
  visit.member("self_timed", run.self_timed);
  visit.member("max_concurrency", run.max_concurrency);
  visit.choice("task", run.pooling, "pooling", "generation");
  visit.member("tokenizer", run.tokenizer);
  visit.member("metadata", run.metadata);
  visit.derived("goodput", !run.goodput.empty());
  visit.choice("summary", run.bounded, "bounded", "exact");
  visit.member("selected", run.selected);
  visit.member("percentiles", run.percentiles);
  visit.member("slo_ms", run.goodput);
  visit.member("cached_tokens", run.cached_tokens);
  if (run.scorer || visitor::reads) visit.member("scorer", run.scorer);
  visit.member("steady_state", run.steady_state);
  if (!run.thresholds.empty() || visitor::reads) {
    visit.member("thresholds", run.thresholds);
    visit.member("thresholds_certain", run.thresholds_certain);
  }
  visit.values("flags", run.flags);
  visit.run("run", run.number, run.runs);
}

/// A visitor for each_member(). A value that does not have the expected type is left out.
class run_description_reader {
 public:
  static constexpr bool reads = true;

  explicit run_description_reader(const json_value& from) : from_(from) {}

  void member(const char* name, std::string& to) const { take(find(from_, name), to); }
  void member(const char* name, std::int64_t& to) const { take(find(from_, name), to); }
  void member(const char* name, bool& to) const { take(find(from_, name), to); }
  void member(const char* name, double& to) const { take(find(from_, name), to); }
  void member(const char* name, steady_state_rule& to) const {
    const json_value* from = find(from_, name);
    take(find(from, "wanted"), to.wanted);
    double share = 0;
    take(find(from, "threshold"), share);
    if (share > 0 && share <= 1) to.threshold = share;
    const json_value* window = find(from, "min_window_ns");
    if (window != nullptr && window->IsUint64()) to.min_window_ns = window->GetUint64();
  }
  void member(const char* name, ramp_up& to) const {
    const json_value* from = find(from_, name);
    take(find(from, "strategy"), to.strategy);
    take(find(from, "start"), to.start);
    take(find(from, "end"), to.end);
  }
  template <typename value>
  void member(const char* name, std::optional<value>& to) const {
    const json_value* from = find(from_, name);
    if (from != nullptr && is_a<value>(*from)) member(name, to.emplace());
  }
  template <typename value>
  void member(const char* name, std::vector<value>& to) const {
    const json_value* from = find(from_, name);
    if (from == nullptr || !from->IsArray()) return;
    to.clear();
    for (const json_value& each : from->GetArray())
      if (is_a<value>(each)) take(&each, to.emplace_back());
  }
  template <typename value>
  void member(const char* name, std::vector<std::pair<std::string, value>>& to) const {
    const json_value* from = find(from_, name);
    if (from == nullptr || !from->IsObject()) return;
    for (const auto& each : from->GetObject())
      if (is_a<value>(each.value))
        take(&each.value, to.emplace_back(std::string(text_of(&each.name)), value{}).second);
  }
  void values(const char* name, std::vector<std::pair<std::string, std::string>>& to) const {
    const json_value* from = find(from_, name);
    if (from == nullptr || !from->IsObject()) return;
    for (const auto& each : from->GetObject())
      to.emplace_back(std::string(text_of(&each.name)), to_text(each.value));
  }
  void choice(const char* name, bool& to, std::string_view yes, std::string_view) const {
    to = text_of(find(from_, name)) == yes;
  }
  void run(const char* name, std::int64_t& number, std::int64_t& of) const {
    const json_value* from = find(from_, name);
    take(find(from, "number"), number);
    take(find(from, "of"), of);
  }
  void derived(const char*, bool) const {}

 private:
  template <typename value>
  static bool is_a(const json_value& from) {
    if constexpr (std::is_same_v<value, std::string>) {
      return from.IsString();
    } else if constexpr (std::is_same_v<value, std::int64_t>) {
      return from.IsInt64();
    } else if constexpr (std::is_same_v<value, double>) {
      return from.IsNumber() || text_of(&from) == infinite;
    } else {
      static_assert(std::is_same_v<value, ramp_up>, "is_a() lacks a type");
      return from.IsObject();
    }
  }
  static void take(const json_value* from, std::string& to) {
    if (from != nullptr && from->IsString()) to = text_of(from);
  }
  static void take(const json_value* from, std::int64_t& to) {
    if (from != nullptr && from->IsInt64()) to = from->GetInt64();
  }
  static void take(const json_value* from, bool& to) {
    if (from != nullptr && from->IsBool()) to = from->GetBool();
  }
  static void take(const json_value* from, double& to) {
    if (from != nullptr && from->IsNumber()) to = from->GetDouble();
    if (text_of(from) == infinite) to = std::numeric_limits<double>::infinity();
  }

  // JSON cannot express infinity: the host writes this text.
  static constexpr std::string_view infinite = "inf";
  const json_value& from_;
};

class run_description_writer {
 public:
  static constexpr bool reads = false;

  explicit run_description_writer(json_writer& out) : out_(out) {}

  template <typename value>
  void member(const char* name, const value& from) {
    out_.key(name);
    put(from);
  }
  void values(const char* name, const std::vector<std::pair<std::string, std::string>>& from) {
    out_.key(name);
    out_.begin_object();
    for (const auto& [key, json] : from) {
      out_.key(key);
      out_.raw(json);
    }
    out_.end_object();
  }
  void choice(const char* name, bool from, std::string_view yes, std::string_view no) {
    out_.member(name, from ? yes : no);
  }
  void run(const char* name, std::int64_t number, std::int64_t of) {
    out_.key(name);
    out_.begin_object();
    out_.member("number", number);
    out_.member("of", of);
    out_.end_object();
  }
  void derived(const char* name, bool value) { out_.member(name, value); }

 private:
  void put(const std::string& from) { out_.string(from); }
  void put(std::int64_t from) { out_.integer(from); }
  void put(bool from) { out_.boolean(from); }
  void put(double from) { out_.number(from); }
  void put(const ramp_up& from) {
    out_.begin_object();
    out_.member("strategy", from.strategy);
    out_.member("start", from.start);
    out_.member("end", from.end);
    out_.end_object();
  }
  void put(const steady_state_rule& from) {
    out_.begin_object();
    out_.member("wanted", from.wanted);
    out_.member("threshold", from.threshold);
    if (from.min_window_ns) out_.member("min_window_ns", *from.min_window_ns);
    out_.end_object();
  }
  template <typename value>
  void put(const std::optional<value>& from) {
    if (from)
      put(*from);
    else
      out_.null();
  }
  template <typename value>
  void put(const std::vector<value>& from) {
    out_.begin_array();
    for (const value& each : from)
      put(each);
    out_.end_array();
  }
  template <typename value>
  void put(const std::vector<std::pair<std::string, value>>& from) {
    out_.begin_object();
    for (const auto& [key, each] : from)
      member(key.c_str(), each);
    out_.end_object();
  }

  json_writer& out_;
};

/// Writes `run` as one JSON object.
inline void write(json_writer& out, const run_description& run) {
  out.begin_object();
  run_description_writer writer(out);
  each_member(run, writer);
  out.end_object();
}

/// Returns the description in `resolved`, the value of the member "resolved". Returns the defaults
/// if `resolved` is nullptr or not an object.
[[nodiscard]] inline run_description describe(const json_value* resolved) {
  run_description out;
  if (resolved == nullptr || !resolved->IsObject()) return out;
  const run_description_reader reader(*resolved);
  each_member(out, reader);
  // In journals of older versions, a trace has the rate 0.
  if (!(out.request_rate > 0)) out.request_rate = std::numeric_limits<double>::infinity();
  if (out.has_other_schedule()) out.steady_state.wanted = false;
  return out;
}

/// Reads the description from ifb_run.config_json. Returns the defaults if the text is not JSON.
[[nodiscard]] inline run_description describe(std::string_view config_json) {
  json_document document;
  if (parse_json(config_json, document)) return {};
  return describe(find(document, "resolved"));
}

}  // namespace ifb
