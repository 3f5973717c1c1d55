#include "run/resolved.hpp"

#include <inferbench/run_description_json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "run/journal_json.hpp"

namespace inferbench::run {

namespace {

/// The name that the user gave ("vllm"); if the user gave a file, the id of the plugin.
std::string backend_name(const options::plugin_choice& backend) {
  if (backend.use.find('/') == std::string::npos) return backend.use;
  return std::string(backend.library.id());
}

}  // namespace

ifb::run_description description_of(const config::plan& plan) {
  ifb::run_description out;
  out.endpoint_type = out.backend = backend_name(plan.backend);
  if (plan.label && !plan.label->empty()) out.label = plan.label;
  out.num_prompts = plan.num_prompts.value_or(-1);
  out.burstiness = plan.load.burstiness;
  out.max_concurrency = plan.load.max_concurrency;
  out.tokenizer = plan.tokenizer.has_value();
  out.metadata = plan.metadata;
  out.bounded = plan.figures.bounded;
  out.selected = plan.figures.selected;
  out.percentiles = plan.figures.percentiles;
  out.goodput = plan.figures.goodput;
  out.cached_tokens = plan.figures.cached_tokens;
  if (plan.scorer) out.scorer = plan.scorer->library.id();
  out.steady_state = plan.figures.steady_state;
  out.thresholds = plan.figures.thresholds;
  out.thresholds_certain = plan.figures.thresholds_certain;
  out.flags = plan.flags;
  out.runs = plan.num_runs;
  return out;
}

void describe_schedule(const schedule::pattern& traffic, bool self_timed,
                       ifb::run_description& into) {
  into.self_timed = self_timed;
  // Same as in upstream: a self-timed run has no rate, even if --request-rate is given.
  if (!self_timed) into.request_rate = schedule::whole_rate(traffic);
  if (const auto* growth = std::get_if<schedule::ramp>(&traffic))
    into.ramp_up =
        ifb::ramp_up{growth->exponential ? "exponential" : "linear", growth->start, growth->end};
  if (!self_timed) into.traffic = schedule::own_text(traffic);
  // Such a schedule does not keep the server full, although the request rate is infinite.
  if (into.has_other_schedule()) into.steady_state.wanted = false;
}

metrics::expectations expectations_of(const config::figures& figures,
                                      const options::plugin_choice& backend) {
  metrics::expectations out;
  out.strict = figures.strict_answers;
  const options::option_value* flag = backend.find("ignore-eos");
  out.whole_length = flag != nullptr && flag->integer != 0;
  if (const options::option_value* body = backend.find("extra-body"); body != nullptr) {
    const auto document = base::parse_json(body->text, "--extra-body");
    if (const auto* said = base::find(document, "ignore_eos"); said != nullptr && said->IsBool())
      out.whole_length = said->GetBool();
  }
  return out;
}

std::string config_json(const std::string& plan_json, const ifb::run_description& run) {
  ifb::json_writer out;
  out.begin_object();
  const auto document = base::parse_json(plan_json, "the plan");
  for (const auto& member : document.GetObject()) {
    out.key(base::text_of(&member.name));
    base::write(out, member.value);
  }
  out.key("resolved");
  ifb::write(out, run);
  out.end_object();
  return out.take();
}

ifb::run_description description_from(const std::string& config_json) {
  const std::string place = "the journal's configuration";
  const auto document = parse_journal_json(config_json, place);
  const auto* resolved = base::find(document, "resolved");
  if (resolved == nullptr || !resolved->IsObject())
    throw base::error(place + " does not say what was run",
                      "make the journal again with this version");
  return ifb::describe(resolved);
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

std::string with_goals(const std::string& config_json,
                       const std::optional<std::vector<std::string>>& goals, bool certain) {
  auto document = parse_journal_json(config_json, "the journal's configuration");
  if (!document.IsObject()) return config_json;
  const auto resolved = document.FindMember("resolved");
  if (resolved == document.MemberEnd() || !resolved->value.IsObject()) return config_json;
  auto& memory = document.GetAllocator();
  if (goals) {
    rapidjson::Value list(rapidjson::kArrayType);
    for (const std::string& goal : *goals)
      list.PushBack(rapidjson::Value(goal, memory), memory);
    resolved->value.RemoveMember("thresholds");
    resolved->value.AddMember("thresholds", list, memory);
  }
  if (certain) {
    resolved->value.RemoveMember("thresholds_certain");
    resolved->value.AddMember("thresholds_certain", true, memory);
  }
  return base::to_text(document);
}

std::string with_changes(const std::string& config_json, const description_changes& changes) {
  std::string out = config_json;
  if (changes.bounded) out = with_summary(out, *changes.bounded);
  if (changes.goals || changes.certain) out = with_goals(out, changes.goals, changes.certain);
  return out;
}

}  // namespace inferbench::run
