#include "run/resolved.hpp"

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/journal_json.hpp"

namespace inferbench::run {

namespace {

void member_or_null(ifb::json_writer& out, std::string_view name, const std::string& text) {
  out.key(name);
  if (text.empty())
    out.null();
  else
    out.string(text);
}

/// As the user named it ("vllm"); of a file, the plugin's own name.
std::string backend_name(const options::plugin_choice& backend) {
  if (backend.use.find('/') == std::string::npos) return backend.use;
  return std::string(backend.library.id());
}

void write_metrics(ifb::json_writer& out, const metrics::context& context) {
  out.key("selected");
  out.begin_array();
  for (const std::string& name : context.selected)
    out.string(name);
  out.end_array();
  out.key("percentiles");
  out.begin_array();
  for (const double p : context.percentiles)
    out.number(p);
  out.end_array();
  out.key("slo_ms");
  out.begin_object();
  for (const auto& [name, limit] : context.goodput)
    out.member(name, limit);
  out.end_object();
  out.member("cached_tokens", context.cached_tokens);
  out.key("steady_state");
  out.begin_object();
  out.member("wanted", context.steady_state.wanted);
  out.member("threshold", context.steady_state.threshold);
  if (context.steady_state.min_window_ns)
    out.member("min_window_ns", *context.steady_state.min_window_ns);
  out.end_object();
}

void write_ramp(ifb::json_writer& out, const config::plan& plan) {
  out.key("ramp_up");
  const auto* growth = std::get_if<schedule::ramp>(&plan.load.traffic);
  if (growth == nullptr) return out.null();
  out.begin_object();
  out.member("strategy", growth->exponential ? "exponential" : "linear");
  out.member("start", growth->start);
  out.member("end", growth->end);
  out.end_object();
}

void read_steady_state(const base::json_value& from, metrics::context& into) {
  if (const auto* v = base::find(from, "wanted"); v != nullptr && v->IsBool())
    into.steady_state.wanted = v->GetBool();
  if (const auto* v = base::find(from, "threshold"); v != nullptr && v->IsNumber())
    if (const double share = v->GetDouble(); share > 0 && share <= 1)
      into.steady_state.threshold = share;
  if (const auto* v = base::find(from, "min_window_ns"); v != nullptr && v->IsUint64())
    into.steady_state.min_window_ns = v->GetUint64();
}

}  // namespace

metrics::context context_of(const config::plan& plan, const facts& found) {
  metrics::context context;
  context.pooling = found.pooling;
  context.tokenizer = plan.tokenizer.has_value();
  context.selected = plan.metrics.selected;
  context.percentiles = plan.metrics.percentiles;
  context.goodput = plan.metrics.goodput;
  context.bounded = plan.metrics.bounded;
  context.max_concurrency = plan.load.max_concurrency;
  // As upstream writes it: no rate is in force, whatever --request-rate says.
  if (!found.self_timed) context.request_rate = schedule::whole_rate(plan.load.traffic);
  context.other_schedule = found.self_timed || schedule::varies(plan.load.traffic);
  context.cached_tokens = plan.metrics.cached_tokens;
  // Another schedule does not keep the server full, although the rate of such a run is infinite.
  context.steady_state.wanted = plan.metrics.steady_state.wanted && !context.other_schedule;
  context.steady_state.threshold = plan.metrics.steady_state.threshold;
  context.steady_state.min_window_ns = plan.metrics.steady_state.min_window_ns;
  return context;
}

metrics::expectations expectations_of(const config::plan& plan) {
  metrics::expectations out;
  out.strict = plan.metrics.strict_answers;
  const options::option_value* flag = plan.backend.find("ignore-eos");
  out.whole_length = flag != nullptr && flag->integer != 0;
  if (const options::option_value* body = plan.backend.find("extra-body"); body != nullptr) {
    const auto document = base::parse_json(body->text, "--extra-body");
    if (const auto* said = base::find(document, "ignore_eos"); said != nullptr && said->IsBool())
      out.whole_length = said->GetBool();
  }
  return out;
}

std::string config_json(const config::plan& plan, const facts& found,
                        const metrics::context& context) {
  ifb::json_writer out;
  out.begin_object();
  const auto document = base::parse_json(plan.json, "the plan");
  for (const auto& member : document.GetObject()) {
    out.key({member.name.GetString(), member.name.GetStringLength()});
    base::write(out, member.value);
  }
  out.key("resolved");
  out.begin_object();
  const std::string backend = backend_name(plan.backend);
  out.member("endpoint_type", backend);
  out.member("backend", backend);
  member_or_null(out, "label", plan.label.value_or(""));
  out.member("model_id", found.model_id);
  member_or_null(out, "tokenizer_id", found.tokenizer_id);
  out.member("num_prompts", plan.num_prompts);
  out.member("planned", context.planned);
  out.member("request_rate", context.request_rate);
  out.member("burstiness", plan.load.burstiness);
  write_ramp(out, plan);
  if (const std::string pattern = schedule::own_text(plan.load.traffic); !pattern.empty())
    out.member("traffic", pattern);
  out.member("self_timed", found.self_timed);
  out.key("max_concurrency");
  if (context.max_concurrency)
    out.integer(*context.max_concurrency);
  else
    out.null();
  out.member("task", context.pooling ? "pooling" : "generation");
  out.member("tokenizer", context.tokenizer);
  out.key("metadata");
  out.begin_object();
  for (const auto& [name, value] : plan.metadata)
    out.member(name, value);
  out.end_object();
  out.member("goodput", !context.goodput.empty());
  out.member("summary", context.bounded ? "bounded" : "exact");
  write_metrics(out, context);
  out.key("flags");
  out.begin_object();
  for (const auto& [flag, json] : plan.flags) {
    out.key(flag);
    out.raw(json);
  }
  out.end_object();
  out.key("run");
  out.begin_object();
  out.member("number", found.which.number);
  out.member("of", found.which.of);
  out.end_object();
  out.end_object();
  out.end_object();
  return out.take();
}

metrics::context context_from(const std::string& config_json) {
  const std::string place = "the journal's configuration";
  const auto document = parse_journal_json(config_json, place);
  const auto* resolved = base::find(document, "resolved");
  if (resolved == nullptr || !resolved->IsObject())
    throw base::error(place + " does not say what was run",
                      "make the journal again with this version");
  metrics::context context;
  context.pooling = base::text_of(base::find(*resolved, "task")) == "pooling";
  context.bounded = base::text_of(base::find(*resolved, "summary")) == "bounded";
  if (const auto* v = base::find(*resolved, "tokenizer"); v != nullptr && v->IsBool())
    context.tokenizer = v->GetBool();
  if (const auto* v = base::find(*resolved, "cached_tokens"); v != nullptr && v->IsBool())
    context.cached_tokens = v->GetBool();
  if (const auto* v = base::find(*resolved, "steady_state"); v != nullptr)
    read_steady_state(*v, context);
  if (const auto* v = base::find(*resolved, "max_concurrency"); v != nullptr && v->IsInt64())
    context.max_concurrency = v->GetInt64();
  if (const auto* v = base::find(*resolved, "planned"); v != nullptr && v->IsInt64())
    context.planned = v->GetInt64();
  // An infinite rate is written as "inf"; journals of traces once said 0.
  if (const auto* v = base::find(*resolved, "request_rate"); v != nullptr && v->IsNumber())
    if (const double rate = v->GetDouble(); rate > 0) context.request_rate = rate;
  if (const auto* v = base::find(*resolved, "self_timed"); v != nullptr && v->IsTrue()) {
    context.steady_state.wanted = false;
    context.other_schedule = true;
  }
  if (const auto* v = base::find(*resolved, "ramp_up"); v != nullptr && v->IsObject())
    context.other_schedule = true;
  if (base::find(*resolved, "traffic") != nullptr) context.other_schedule = true;
  if (const auto* v = base::find(*resolved, "selected"); v != nullptr && v->IsArray()) {
    context.selected.clear();
    for (const auto& name : v->GetArray())
      context.selected.emplace_back(base::text_of(&name));
  }
  if (const auto* v = base::find(*resolved, "percentiles"); v != nullptr && v->IsArray()) {
    context.percentiles.clear();
    for (const auto& p : v->GetArray())
      if (p.IsNumber()) context.percentiles.push_back(p.GetDouble());
  }
  if (const auto* v = base::find(*resolved, "slo_ms"); v != nullptr && v->IsObject())
    for (const auto& limit : v->GetObject())
      if (limit.value.IsNumber())
        context.goodput.emplace_back(limit.name.GetString(), limit.value.GetDouble());
  return context;
}

std::string with_summary(const std::string& config_json, bool bounded) {
  auto document = parse_journal_json(config_json, "the journal's configuration");
  if (!document.IsObject()) return config_json;
  const auto resolved = document.FindMember("resolved");
  if (resolved == document.MemberEnd() || !resolved->value.IsObject()) return config_json;
  resolved->value.RemoveMember("summary");
  resolved->value.AddMember("summary", rapidjson::StringRef(bounded ? "bounded" : "exact"),
                            document.GetAllocator());
  return base::to_text(document);
}

}  // namespace inferbench::run
