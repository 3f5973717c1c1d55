#include "run/turn_body.hpp"

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::run {

namespace {

std::string json_string(std::string_view text) {
  std::string out;
  ifb::append_json_string(out, text);
  return out;
}

}  // namespace

turn_body::turn_body(std::string_view json) {
  if (json.empty()) return;
  const rapidjson::Document object = base::parse_json(json, "--turn-body");
  if (!object.IsObject())
    throw base::error("not a JSON object", R"(write {"name": value, ...})", {"--turn-body", 0, 0});
  for (const auto& each : object.GetObject()) {
    const std::string_view text = base::text_of(&each.value);
    kind value = kind::constant;
    if (text == answer_tokens) value = kind::answer_tokens;
    if (text == least_answer_tokens) value = kind::least_answer_tokens;
    if (text == conversation_id) value = kind::conversation_id;
    carries_length_ |= value == kind::answer_tokens;
    members_.push_back({json_string(base::text_of(&each.name)),
                        value == kind::constant ? base::to_text(each.value) : std::string(),
                        value});
  }
}

std::string turn_body::of(std::int64_t tokens, std::string_view conversation) const {
  std::string out;
  for (const member& each : members_) {
    const bool needs_length =
        each.value == kind::answer_tokens || each.value == kind::least_answer_tokens;
    if (needs_length && tokens < 0) continue;
    out += (out.empty() ? '{' : ',');
    out += each.key + ':';
    switch (each.value) {
      case kind::constant: out += each.json; break;
      case kind::answer_tokens:
      case kind::least_answer_tokens: out += std::to_string(tokens); break;
      case kind::conversation_id: out += json_string(conversation); break;
    }
  }
  return out.empty() ? out : out + '}';
}

}  // namespace inferbench::run
