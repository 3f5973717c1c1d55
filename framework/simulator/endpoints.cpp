#include "simulator/endpoints.hpp"

#include <algorithm>
#include <array>

#include <inferbench/json_writer.hpp>

#include "simulator/counters.hpp"
#include "simulator/prefix_cache.hpp"
#include "simulator/scheduler.hpp"
#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

answer json(std::string body) { return {200, json_type, std::move(body)}; }

answer refused(const refusal& why) { return {why.status, json_type, error_body(why)}; }

answer empty(const site&, std::string_view) { return {200, json_type, {}}; }

answer models(const site& about, std::string_view) {
  std::string name;
  ifb::append_json_string(name, about.settings.model);
  return json("{\"object\":\"list\",\"data\":[{\"id\":" + name +
              ",\"object\":\"model\",\"created\":" + std::to_string(about.started_unix_s) +
              ",\"owned_by\":\"inferbench\",\"root\":" + name +
              ",\"parent\":null,\"max_model_len\":" + std::to_string(about.settings.max_model_len) +
              ",\"permission\":[]}]}");
}

answer version(const site& about, std::string_view) {
  std::string text;
  ifb::append_json_string(text, about.settings.version);
  return json("{\"version\":" + text + "}");
}

answer metrics(const site& about, std::string_view) {
  return {200, "text/plain; version=0.0.4; charset=utf-8",
          metrics_text(about.counted, about.settings.model, about.running.running(),
                       about.running.waiting())};
}

answer tokenize(const site& about, std::string_view body) {
  std::string text;
  if (const auto no = read_tokenize(body, text)) return refused(*no);
  std::string out = "{\"count\":" + std::to_string(text.size()) +
                    ",\"max_model_len\":" + std::to_string(about.settings.max_model_len) +
                    ",\"tokens\":[";
  for (const char c : text) {
    out += std::to_string(static_cast<unsigned char>(c));
    out += ',';
  }
  if (!text.empty()) out.pop_back();
  return json(out + "],\"token_strs\":null}");
}

answer detokenize(const site&, std::string_view body) {
  std::string text;
  if (const auto no = read_detokenize(body, text)) return refused(*no);
  std::string out = "{\"prompt\":";
  ifb::append_json_string(out, text);
  return json(out + "}");
}

answer reset_prefix_cache(const site& about, std::string_view) {
  ++about.counted.prefix_resets;
  about.cache.reset();
  return {200, json_type, {}};
}

// The caches of media and of the encoder are only counted: the simulator has no such caches.
answer reset_mm_cache(const site& about, std::string_view) {
  ++about.counted.media_resets;
  return {200, json_type, {}};
}
answer reset_encoder_cache(const site& about, std::string_view) {
  ++about.counted.encoder_resets;
  return {200, json_type, {}};
}

constexpr std::array<endpoint, 22> all_endpoints{{
    {"/v1/completions", true, nullptr, api_kind::completion},
    {"/v1/chat/completions", true, nullptr, api_kind::chat},
    {"/v1/responses", true, nullptr, api_kind::response},
    {"/v1/audio/transcriptions", true, nullptr, api_kind::transcription},
    {"/v1/audio/translations", true, nullptr, api_kind::translation},
    {"/v1/embeddings", true, nullptr, api_kind::embedding},
    {"/embeddings", true, nullptr, api_kind::embedding},
    {"/pooling", true, nullptr, api_kind::pooling},
    {"/rerank", true, nullptr, api_kind::rerank},
    {"/v1/rerank", true, nullptr, api_kind::rerank},
    {"/v2/rerank", true, nullptr, api_kind::rerank},
    {"/v1/models", false, models},
    {"/health", false, empty},
    {"/version", false, version},
    {"/metrics", false, metrics},
    {"/tokenize", true, tokenize},
    {"/detokenize", true, detokenize},
    {"/start_profile", true, empty},
    {"/stop_profile", true, empty},
    {"/reset_prefix_cache", true, reset_prefix_cache},
    {"/reset_mm_cache", true, reset_mm_cache},
    {"/reset_encoder_cache", true, reset_encoder_cache},
}};

}  // namespace

const endpoint* find_endpoint(std::string_view path) noexcept {
  const auto at = std::ranges::find(all_endpoints, path, &endpoint::path);
  return at == all_endpoints.end() ? nullptr : &*at;
}

}  // namespace inferbench::simulator
