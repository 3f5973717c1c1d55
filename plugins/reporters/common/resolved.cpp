#include "resolved.hpp"

#include "json_value.hpp"

namespace reporters {
namespace {

using value = json_value;

void read(const value& from, const char* key, std::string& to) {
  const value* v = find(from, key);
  if (v != nullptr && v->IsString()) to.assign(v->GetString(), v->GetStringLength());
}

void read(const value& from, const char* key, std::optional<std::string>& to) {
  const value* v = find(from, key);
  if (v != nullptr && v->IsString()) to.emplace(v->GetString(), v->GetStringLength());
}

void read(const value& from, const char* key, std::int64_t& to) {
  const value* v = find(from, key);
  if (v != nullptr && v->IsInt64()) to = v->GetInt64();
}

void read(const value& from, const char* key, std::optional<std::int64_t>& to) {
  const value* v = find(from, key);
  if (v != nullptr && v->IsInt64()) to = v->GetInt64();
}

// JSON has no infinity; the host writes the word.
void read(const value& from, const char* key, double& to) {
  const value* v = find(from, key);
  if (v == nullptr) return;
  if (v->IsNumber()) to = v->GetDouble();
  if (v->IsString() && std::string_view(v->GetString()) == "inf")
    to = std::numeric_limits<double>::infinity();
}

}  // namespace

resolved read_resolved(std::string_view config_json) {
  const rapidjson::Document document = parse_object(config_json);
  resolved out;
  const value* from = find(document, "resolved");
  if (from == nullptr || !from->IsObject()) return out;
  read(*from, "endpoint_type", out.endpoint_type);
  read(*from, "backend", out.backend);
  read(*from, "label", out.label);
  read(*from, "model_id", out.model_id);
  read(*from, "tokenizer_id", out.tokenizer_id);
  read(*from, "num_prompts", out.num_prompts);
  double rate = out.request_rate;
  read(*from, "request_rate", rate);
  if (rate > 0) out.request_rate = rate;  // 0: of a trace, in a journal of an older version
  read(*from, "burstiness", out.burstiness);
  read(*from, "max_concurrency", out.max_concurrency);
  const value* timed = find(from, "self_timed");
  out.self_timed = timed != nullptr && timed->IsTrue();
  std::string task;
  read(*from, "task", task);
  out.pooling = task == "pooling";
  std::string summary;
  read(*from, "summary", summary);
  out.bounded = summary == "bounded";
  if (const value* which = find(from, "run"); which != nullptr && which->IsObject()) {
    read(*which, "number", out.number);
    read(*which, "of", out.runs);
  }
  if (const value* rates = find(from, "ramp_up"); rates != nullptr && rates->IsObject()) {
    ramp& up = out.ramp_up.emplace();
    read(*rates, "strategy", up.strategy);
    read(*rates, "start", up.start);
    read(*rates, "end", up.end);
  }
  const value* metadata = find(from, "metadata");
  if (metadata != nullptr && metadata->IsObject()) {
    for (const auto& [key, text] : metadata->GetObject())
      if (text.IsString())
        out.metadata.emplace_back(std::string(key.GetString(), key.GetStringLength()),
                                  std::string(text.GetString(), text.GetStringLength()));
  }
  return out;
}

}  // namespace reporters
