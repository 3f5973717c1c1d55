// Reads samples from the JSON of the fixtures: {"shape": "text", "prompt": ..., "media":
// [...], "messages": [...], "output_tokens": 5, "input_tokens": 3, "id": ..., "model": ...,
// "overrides": "{...}", "metadata": {"name": "value"}}.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include <inferbench/abi.h>
#include <inferbench/views.hpp>

namespace backends {

/// A sample and the memory that it points to.
class sample_of {
 public:
  /// `folder`: replaces {folder} in URIs.
  explicit sample_of(const rapidjson::Value& json, std::string folder = {})
      : folder_(std::move(folder)) {
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
    if (json.HasMember("input_tokens")) sample.input_tokens = json["input_tokens"].GetInt64();
    if (json.HasMember("id")) sample.id = ifb::str(keep(json["id"]));
    if (json.HasMember("metadata")) {
      for (const auto& m : json["metadata"].GetObject())
        metadata_.push_back(ifb::field(keep(m.name), keep(m.value)));
      sample.metadata = metadata_.data();
      sample.metadata_count = metadata_.size();
    }
    if (json.HasMember("model")) sample.model = ifb::str(keep(json["model"]));
    if (json.HasMember("overrides")) sample.overrides = ifb::str(keep(json["overrides"]));
  }

  ifb_sample sample{};

 private:
  std::string& keep(const rapidjson::Value& text) {
    return texts_.emplace_back(text.GetString(), text.GetStringLength());
  }

  std::string& in_folder(std::string& uri) const {
    constexpr std::string_view place = "{folder}";
    if (const auto at = uri.find(place); at != uri.npos) uri.replace(at, place.size(), folder_);
    return uri;
  }
  static std::string& from_hex(std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
      bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    return text = bytes;
  }

  /// A part is a string (text), a list of numbers (tokens) or
  /// {"kind": "image", "uri" | "data" | "hex": ..., "mime": ..., "name": ...}; {folder} in a
  /// URI is `folder`.
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
        if (p.HasMember("uri")) part.uri = ifb::str(in_folder(keep(p["uri"])));
        if (p.HasMember("hex")) part.data = ifb::bytes(from_hex(keep(p["hex"])));
        if (p.HasMember("name")) part.name = ifb::str(keep(p["name"]));
        if (p.HasMember("data")) part.data = ifb::bytes(keep(p["data"]));
        if (p.HasMember("mime")) part.mime = keep(p["mime"]).c_str();
      }
      list.push_back(part);
    }
    return ifb::list_of(list);
  }

  std::string folder_;
  std::vector<ifb_field> metadata_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::uint32_t>> ids_;
  std::deque<std::vector<ifb_part>> parts_;
  std::deque<std::vector<ifb_message>> messages_;
};

}  // namespace backends
