#include "cli/samples.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plugin/instance.hpp"
#include "services/loaded_dataset.hpp"

namespace inferbench::cli {

namespace {

using plugin::view;

// Calls `visit` for each item. A list of one item may have stride 0, so begin() and end() of its
// view would be equal; an index visits the item.
template <typename list, typename visitor>
void each(const list& items, visitor&& visit) {
  for (std::uint32_t i = 0; i < items.count; ++i)
    visit(ifb::view(items)[i]);
}

/// JSON of a plugin that would make a line that is not JSON.
class wrong_json : public base::error {
 public:
  using base::error::error;
};

/// Writes JSON of a plugin unchanged. Throws wrong_json if it is not JSON, or no object although it
/// must be one. `what`: the beginning of the message, such as "a message is".
void write_unchanged(ifb::json_writer& out, std::string_view json, const char* what, bool object) {
  rapidjson::Document parsed;
  std::string why;
  if (const auto error = ifb::parse_json(json, parsed))
    why = " (" + error->why + ")";
  else if (!object || parsed.IsObject())
    return out.raw(json);
  constexpr std::size_t most = 60;
  throw wrong_json(std::string(what) + (object ? " not a JSON object: " : " not JSON: ") +
                   base::valid_utf8(ifb::cut_utf8(json, most)) + why);
}

void write_tokens(ifb::json_writer& out, const ifb_part& part) {
  const auto* ids = static_cast<const std::uint32_t*>(part.data.data);
  out.begin_array();
  for (std::size_t i = 0; i < part.data.size / sizeof *ids; ++i)
    out.integer(ids[i]);
  out.end_array();
}

const char* url_key(std::uint32_t kind) {
  switch (kind) {
    case IFB_PART_AUDIO: return "audio_url";
    case IFB_PART_VIDEO: return "video_url";
    case IFB_PART_FILE: return "file_url";
    default: return "image_url";
  }
}

/// Writes a part of a prompt as a content part of the OpenAI format. Token ids become a list of
/// numbers, JSON is written unchanged, and data without a URL become a data: URL.
void write_part(ifb::json_writer& out, const ifb_part& part) {
  if (part.kind == IFB_PART_JSON)
    return write_unchanged(out, view(part.data), "a part of kind IFB_PART_JSON is", false);
  if (part.kind == IFB_PART_TOKENS) return write_tokens(out, part);
  out.begin_object();
  if (part.kind == IFB_PART_TEXT) {
    out.member("type", "text");
    out.member("text", view(part.data));
  } else {
    const char* key = url_key(part.kind);
    out.member("type", key);
    out.key(key);
    out.begin_object();
    if (part.uri.size != 0)
      out.member("url", view(part.uri));
    else
      out.member("url", std::string("data:") + (part.mime == nullptr ? "" : part.mime) +
                            ";base64," + ifb::base64(view(part.data)));
    out.end_object();
  }
  out.end_object();
}

void write_parts(ifb::json_writer& out, const ifb_part_list& parts) {
  out.begin_array();
  each(parts, [&](const ifb_part& part) { write_part(out, part); });
  out.end_array();
}

void write_messages(ifb::json_writer& out, const ifb_message_list& messages) {
  out.begin_array();
  each(messages, [&](const ifb_message& message) {
    if (message.json.size != 0)
      return write_unchanged(out, view(message.json), "a message is", true);
    out.begin_object();
    out.member("role", view(message.role));
    out.key("content");
    write_parts(out, message.parts);
    out.end_object();
  });
  out.end_array();
}

void write_prompt(ifb::json_writer& out, const ifb_sample& sample) {
  switch (sample.shape) {
    case IFB_PROMPT_CHAT: return write_messages(out, sample.messages);
    case IFB_PROMPT_PARTS: return write_parts(out, sample.prompt);
    case IFB_PROMPT_TEXT:
      each(sample.prompt, [&](const ifb_part& part) { out.string(view(part.data)); });
      return;
    case IFB_PROMPT_TEXTS:
      out.begin_array();
      each(sample.prompt, [&](const ifb_part& part) { out.string(view(part.data)); });
      out.end_array();
      return;
    case IFB_PROMPT_TOKEN_LISTS: return write_parts(out, sample.prompt);
    default: each(sample.prompt, [&](const ifb_part& part) { write_part(out, part); });
  }
}

/// The line of one sample. The first five members have the names of upstream's SampleRequest and
/// are always written; the others are written only if the sample has them. `timestamp` is in
/// seconds. Throws wrong_json.
std::string sample_line(const ifb_sample& sample) {
  ifb::json_writer out;
  out.begin_object();
  out.key("request_id");
  if (sample.id.size == 0)
    out.null();
  else
    out.string(view(sample.id));
  out.key("prompt");
  write_prompt(out, sample);
  out.member("prompt_len", sample.input_tokens);
  out.member("expected_output_len", sample.output_tokens);
  out.key("multi_modal_data");
  if (sample.media.count == 0)
    out.null();
  else
    write_parts(out, sample.media);
  if (sample.shape != IFB_PROMPT_CHAT && sample.messages.count != 0) {
    out.key("chat_messages");
    write_messages(out, sample.messages);
  }
  if (sample.overrides.size != 0) {
    out.key("request_overrides");
    write_unchanged(out, view(sample.overrides), "overrides are", true);
  }
  if (sample.arrival_ns >= 0) out.member("timestamp", static_cast<double>(sample.arrival_ns) / 1e9);
  if (sample.session.size != 0) {
    out.member("session", view(sample.session));
    out.member("turn", sample.turn);
  }
  out.end_object();
  std::string line = out.take();
  // A plugin's JSON may have line breaks between its elements.
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line + '\n';
}

}  // namespace

void show_samples(const config::plan& plan, base::log& log, base::output& to) {
  services::loaded_dataset data(plan, log, to);
  while (!data.out().failed()) {
    const auto sample = data.samples().next();
    if (!sample) break;
    try {
      data.out().print(sample_line(sample->c));
    } catch (const wrong_json& e) {
      throw plugin::refused(data.samples().place_of(sample->row) + ": " + e.what(), -1, IFB_E_DATA);
    }
  }
}

}  // namespace inferbench::cli
