#include "server_timings.hpp"

#include <cmath>
#include <string>

#include "backends/bodies/rapidjson.hpp"
// After the line above, which sets how RapidJSON is compiled.
#include <rapidjson/document.h>

namespace openai {
namespace {

const rapidjson::Value* object_in(const rapidjson::Value& from, const char* name) {
  const auto found = from.FindMember(name);
  return found != from.MemberEnd() && found->value.IsObject() ? &found->value : nullptr;
}

std::optional<double> seconds_in(const rapidjson::Value& from, const char* name) {
  const auto found = from.FindMember(name);
  if (found == from.MemberEnd() || !found->value.IsNumber()) return std::nullopt;
  const double ms = found->value.GetDouble();
  if (!std::isfinite(ms) || ms < 0) return std::nullopt;
  return ms / 1e3;
}

bool names(std::string_view event, std::string_view name) {
  return event.find(name) != std::string_view::npos;
}

}  // namespace

server_timings timings_of(std::string_view event) {
  server_timings out;
  const bool of_vllm = names(event, "\"metrics\"");
  if (!of_vllm && !names(event, "\"timings\"")) return out;
  rapidjson::Document document;
  // Iterative: an answer may be nested deeply.
  document.Parse<rapidjson::kParseIterativeFlag>(event.data(), event.size());
  if (document.HasParseError() || !document.IsObject()) return out;
  if (const auto* metrics = object_in(document, "metrics")) {
    out.queue = seconds_in(*metrics, "queue_time_ms");
    out.first_token = seconds_in(*metrics, "time_to_first_token_ms");
  }
  if (out.known()) return out;
  if (const auto* timings = object_in(document, "timings"))
    out.first_token = seconds_in(*timings, "prompt_ms");
  return out;
}

}  // namespace openai
