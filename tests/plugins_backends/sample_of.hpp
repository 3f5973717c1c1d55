// Samples written as JSON in the fixtures: {"shape": "text", "prompt": ..., "media":
// [...], "messages": [...], "output_tokens": 5, "model": ..., "overrides": {...}}.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <rapidjson/document.h>

#include <inferbench/abi.h>
#include <inferbench/views.hpp>

namespace backends {

/// Owns what its sample points to.
class sample_of {
 public:
  explicit sample_of(const rapidjson::Value& json) {
    sample = ifb::blank_sample();
    static constexpr const char* shapes[] = {"",      "text", "texts", "tokens", "token-lists",
                                             "parts", "chat", "json"};
    const std::string shape = json["shape"].GetString();
    for (std::uint32_t i = 1; i < std::size(shapes); ++i) {
      if (shape == shapes[i]) sample.shape = i;
    }
    if (json.HasMember("prompt")) sample.prompt = parts(json["prompt"]);
    if (json.HasMember("media")) sample.media = parts(json["media"]);
    if (json.HasMember("messages")) {
      auto& list = messages_.emplace_back();
      for (const auto& m : json["messages"].GetArray()) {
        ifb_message message{};
        message.struct_size = sizeof message;
        if (m.HasMember("json")) message.json = ifb::str(keep(m["json"]));
        if (m.HasMember("role")) message.role = ifb::str(keep(m["role"]));
        if (m.HasMember("parts")) message.parts = parts(m["parts"]);
        list.push_back(message);
      }
      sample.messages = ifb::list_of(list);
    }
    if (json.HasMember("output_tokens")) sample.output_tokens = json["output_tokens"].GetInt64();
    if (json.HasMember("model")) sample.model = ifb::str(keep(json["model"]));
    if (json.HasMember("overrides")) sample.overrides = ifb::str(keep(json["overrides"]));
  }

  ifb_sample sample{};

 private:
  const std::string& keep(const rapidjson::Value& text) {
    return texts_.emplace_back(text.GetString(), text.GetStringLength());
  }

  /// A part is a string (text), a list of numbers (tokens) or
  /// {"kind": "image", "uri" | "data": ..., "mime": ...}.
  ifb_part_list parts(const rapidjson::Value& json) {
    auto& list = parts_.emplace_back();
    for (const auto& p : json.GetArray()) {
      ifb_part part = ifb::text_part({});
      if (p.IsString()) {
        part.data = ifb::bytes(keep(p));
      } else if (p.IsArray()) {
        part.kind = IFB_PART_TOKENS;
        auto& ids = ids_.emplace_back();
        for (const auto& id : p.GetArray())
          ids.push_back(id.GetUint());
        part.data = {ids.data(), ids.size() * sizeof(std::uint32_t)};
      } else {
        static constexpr const char* kinds[] = {"",      "text", "image",  "audio",
                                                "video", "file", "tokens", "json"};
        const std::string kind = p["kind"].GetString();
        for (std::uint32_t i = 1; i < std::size(kinds); ++i) {
          if (kind == kinds[i]) part.kind = i;
        }
        if (p.HasMember("uri")) part.uri = ifb::str(keep(p["uri"]));
        if (p.HasMember("data")) part.data = ifb::bytes(keep(p["data"]));
        if (p.HasMember("mime")) part.mime = keep(p["mime"]).c_str();
      }
      list.push_back(part);
    }
    return ifb::list_of(list);
  }

  std::deque<std::string> texts_;
  std::deque<std::vector<std::uint32_t>> ids_;
  std::deque<std::vector<ifb_part>> parts_;
  std::deque<std::vector<ifb_message>> messages_;
};

}  // namespace backends
