#include "simulator/messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <inferbench/text.hpp>

namespace inferbench::simulator {

namespace {

/// A type of a content part: the member with the part's content, and the form of that member.
struct part_type {
  enum class form : std::uint8_t {
    text,   // a text, which counts
    url,    // a URL, or an object with the member `url`
    sound,  // an object with `data` and `format`
    other   // not checked
  };
  std::string_view type;
  const char* member;
  form what;
  media::kind medium = media::kind::image;  // of a URL
};

constexpr std::array part_types{
    part_type{"text", "text", part_type::form::text},
    part_type{"input_text", "text", part_type::form::text},
    part_type{"output_text", "text", part_type::form::text},
    part_type{"refusal", "refusal", part_type::form::text},
    part_type{"thinking", "thinking", part_type::form::text},
    part_type{"reasoning_text", "text", part_type::form::text},
    part_type{"image_url", "image_url", part_type::form::url, media::kind::image},
    part_type{"audio_url", "audio_url", part_type::form::url, media::kind::sound},
    part_type{"video_url", "video_url", part_type::form::url, media::kind::video},
    part_type{"input_image", "image_url", part_type::form::url, media::kind::image},
    part_type{"input_audio", "input_audio", part_type::form::sound, media::kind::sound},
    part_type{"input_file", nullptr, part_type::form::other},
    part_type{"image_embeds", nullptr, part_type::form::other},
    part_type{"audio_embeds", nullptr, part_type::form::other},
};

const part_type* type_named(std::string_view name) noexcept {
  const auto* const known = std::ranges::find(part_types, name, &part_type::type);
  return known == part_types.end() ? nullptr : known;
}

/// The clause of a refusal, or nullptr if `value` is a URL that vLLM would fetch. In this case, the
/// medium is added.
const char* read_url(const base::json_value* value, media::kind kind, const content_sink& out) {
  if (value != nullptr && value->IsObject()) value = base::find(*value, "url");
  if (value == nullptr || !value->IsString()) return "needs a URL.";
  const std::string_view url = base::text_of(value);
  if (!is_media_url(url)) return "must have a URL that begins with http, https, data or file.";
  out.media.push_back({.kind = kind, .borrowed = url});
  return nullptr;
}

const char* read_sound(const base::json_value* value, const content_sink& out) {
  const base::json_value* const data = value == nullptr ? nullptr : base::find(*value, "data");
  const base::json_value* const format = value == nullptr ? nullptr : base::find(*value, "format");
  if (data == nullptr || !data->IsString() || format == nullptr || !format->IsString())
    return "needs a sound with data and format.";
  out.media.push_back(
      {.kind = media::kind::sound,
       .what = sent_medium::form::base64,
       .ending = std::string(ifb::cut_utf8(base::text_of(format), longest_media_word)),
       .borrowed = base::text_of(data)});
  return nullptr;
}

/// The clause of a refusal, or nullptr. Adds the text or the medium of the part.
const char* read_part(const base::json_value& part, const content_sink& out) {
  if (part.IsString()) {
    out.text += base::text_of(&part);
    return nullptr;
  }
  const base::json_value* const type = base::find(part, "type");
  if (type == nullptr) {
    for (const char* const member : {"image_url", "audio_url", "video_url"})
      if (const base::json_value* const url = base::find(part, member))
        return read_url(url, type_named(member)->medium, out);
  }
  if (type == nullptr || !type->IsString()) return "must be a text or an object with a type.";
  const part_type* const known = type_named(base::text_of(type));
  if (known == nullptr) return "has a type that is not known.";
  if (known->member == nullptr) return nullptr;
  const base::json_value* const content = base::find(part, known->member);
  switch (known->what) {
    case part_type::form::text:
      if (content == nullptr || !content->IsString()) return "needs a text.";
      out.text += base::text_of(content);
      return nullptr;
    case part_type::form::url: return read_url(content, known->medium, out);
    case part_type::form::sound: return read_sound(content, out);
    case part_type::form::other: break;
  }
  return nullptr;
}

std::optional<refusal> read_content(const base::json_value& content, const std::string& param,
                                    const content_sink& out) {
  if (content.IsString()) {
    out.text += base::text_of(&content);
    return std::nullopt;
  }
  if (!content.IsArray())
    return bad_request(param, "The content of a message must be a text or a list of parts.");
  for (rapidjson::SizeType i = 0; i < content.Size(); ++i) {
    const std::size_t media_before = out.media.size();
    const char* const fault = read_part(content[i], out);
    if (fault == nullptr && out.media.size() == media_before) continue;
    std::string part = param + "." + std::to_string(i);
    if (fault == nullptr) {
      out.media.back().place = std::move(part);
      continue;
    }
    std::string sentence = part + " " + fault;
    return bad_request(std::move(part), std::move(sentence));
  }
  return std::nullopt;
}

std::optional<refusal> read_message(const base::json_value& message, const std::string& param,
                                    const content_sink& out) {
  if (base::text_of(base::find(message, "role")).empty())
    return bad_request(param, "Each of messages must be an object with a role.");
  const base::json_value* const content = base::find(message, "content");
  if (content == nullptr || content->IsNull()) return std::nullopt;
  return read_content(*content, param + ".content", out);
}

std::optional<refusal> read_item(const base::json_value& item, const std::string& param,
                                 const content_sink& out) {
  if (!item.IsObject()) return bad_request(param, param + " must be an object.");
  const base::json_value* const type = base::find(item, "type");
  const std::string_view name = base::text_of(type);
  if (type == nullptr || name == "message") {
    if (base::text_of(base::find(item, "role")).empty())
      return bad_request(param + ".role", param + ".role is missing.");
    const base::json_value* const content = base::find(item, "content");
    if (content == nullptr || content->IsNull())
      return bad_request(param + ".content", param + ".content is missing.");
    return read_content(*content, param + ".content", out);
  }
  constexpr std::array<std::string_view, 5> others{"function_call", "function_call_output",
                                                   "reasoning", "item_reference", "mcp_call"};
  if (std::ranges::find(others, name) == others.end())
    return bad_request(param + ".type", param + ".type is not known.");
  for (const char* const member : {"arguments", "output"})
    out.text += base::text_of(base::find(item, member));
  return std::nullopt;
}

}  // namespace

bool is_media_url(std::string_view url) noexcept {
  constexpr std::array<std::string_view, 4> schemes{"data:", "http://", "https://", "file://"};
  return std::ranges::any_of(schemes, [url](std::string_view s) { return url.starts_with(s); });
}

std::optional<refusal> read_messages(const base::json_value& messages, const std::string& param,
                                     const content_sink& out) {
  if (!messages.IsArray() || messages.Empty())
    return bad_request(param, param + " must be a list, not empty.");
  for (rapidjson::SizeType i = 0; i < messages.Size(); ++i)
    if (auto no = read_message(messages[i], param + "." + std::to_string(i), out)) return no;
  return std::nullopt;
}

std::optional<refusal> read_input_items(const base::json_value& items, const std::string& param,
                                        const content_sink& out) {
  if (items.Empty()) return bad_request(param, param + " must not be empty.");
  for (rapidjson::SizeType i = 0; i < items.Size(); ++i)
    if (auto no = read_item(items[i], param + "." + std::to_string(i), out)) return no;
  return std::nullopt;
}

void read_ranked_parts(const base::json_value& parts, const std::string& param,
                       const content_sink& out) {
  for (rapidjson::SizeType i = 0; i < parts.Size(); ++i) {
    out.text += base::text_of(base::find(parts[i], "text"));
    std::string ignored;
    const std::size_t media_before = out.media.size();
    (void)read_part(parts[i], {ignored, out.media});
    if (out.media.size() != media_before)
      out.media.back().place = param + ".content." + std::to_string(i);
  }
}

}  // namespace inferbench::simulator
