#include "prompt.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "body.hpp"
#include "text_message.hpp"

namespace bodies {
namespace {

void put_ids(const ifb_part& part, gather_list& out) {
  if (part.kind != IFB_PART_TOKENS) refuse("the prompt of token ids has a part of another kind");
  constexpr std::size_t longest = 10;  // 4294967295
  out.copy("[");
  std::array<char, 512> text{};
  std::size_t used = 0;
  bool first = true;
  for (const std::uint32_t id : ifb::tokens_of(part)) {
    if (used + longest + 1 > text.size()) {
      out.copy({text.data(), used});
      used = 0;
    }
    if (!first) text[used++] = ',';
    first = false;
    const auto end = std::to_chars(text.data() + used, text.data() + text.size(), id).ptr;
    used = static_cast<std::size_t>(end - text.data());
  }
  out.copy({text.data(), used});
  out.copy("]");
}

void put_text(const ifb_part& part, gather_list& out) {
  if (part.kind != IFB_PART_TEXT) refuse("the text prompt has a part of another kind");
  out.quote(ifb::view(part.data));
}

template <typename writer>
void put_list(const ifb_part_list& list, gather_list& out, writer write) {
  out.copy("[");
  bool first = true;
  for (const auto& part : ifb::view(list)) {
    if (!first) out.copy(",");
    first = false;
    write(part, out);
  }
  out.copy("]");
}

std::string_view mime_of(const ifb_part& part, std::string_view otherwise) {
  return part.mime != nullptr && *part.mime != '\0' ? std::string_view(part.mime) : otherwise;
}

/// Writes {"type":TYPE,TYPE:{"url":...}}.
void put_link(const ifb_part& part, std::string_view type, std::string_view mime,
              gather_list& out) {
  out.copy("{\"type\":\"");
  out.copy(type);
  out.copy("\",\"");
  out.copy(type);
  out.copy("\":{\"url\":");
  put_url(part, mime, out);
  out.copy("}}");
}

/// Returns the protocol's name for a sound format: "wav" for "audio/x-wav".
std::string_view sound_format(std::string_view mime) {
  const auto slash = mime.find('/');
  std::string_view format = slash == mime.npos ? mime : mime.substr(slash + 1);
  format = format.substr(0, format.find(';'));
  if (format.starts_with("x-")) format.remove_prefix(2);
  if (format == "mpeg") return "mp3";
  if (format == "wave" || format == "vnd.wave") return "wav";
  return format;
}

void put_content(const ifb_part& part, gather_list& out) {
  switch (part.kind) {
    case IFB_PART_TEXT:
      out.copy(R"({"type":"text","text":)");
      out.quote(ifb::view(part.data));
      out.copy("}");
      return;
    case IFB_PART_IMAGE: return put_link(part, "image_url", "image/jpeg", out);
    case IFB_PART_VIDEO: return put_link(part, "video_url", "video/mp4", out);
    case IFB_PART_AUDIO:
      if (part.uri.size != 0) return put_link(part, "audio_url", {}, out);
      out.copy(R"({"type":"input_audio","input_audio":{"data":")");
      out.base64(ifb::view(part.data));
      out.copy(R"(","format":)");
      out.quote(sound_format(mime_of(part, "audio/wav")));
      out.copy("}}");
      return;
    case IFB_PART_JSON: return out.refer(ifb::view(part.data));
    case IFB_PART_TOKENS: refuse("a chat message cannot hold token ids; use backend openai");
    default: refuse("a chat message cannot hold a part of kind " + std::to_string(part.kind));
  }
}

void put_message(const ifb_message& message, gather_list& out) {
  if (message.json.size != 0) return out.refer(ifb::view(message.json));
  out.copy(R"({"role":)");
  out.quote(ifb::view(message.role));
  out.copy(R"(,"content":)");
  const auto parts = ifb::view(message.parts);
  if (parts.size() == 1 && parts.front().kind == IFB_PART_TEXT)
    put_text(parts.front(), out);
  else
    put_list(message.parts, out, put_content);
  out.copy("}");
}

}  // namespace

void refuse(std::string what) { throw ifb::failure{IFB_E_UNSUPPORTED, std::move(what)}; }

const ifb_part& single(const ifb_sample& sample) {
  const auto parts = ifb::view(sample.prompt);
  if (parts.size() != 1)
    refuse("the prompt has " + std::to_string(parts.size()) + " parts instead of one");
  return parts.front();
}

void put_url(const ifb_part& part, std::string_view mime, gather_list& out) {
  if (part.uri.size != 0) return out.quote(ifb::view(part.uri));
  const std::string head = quoted(mime_of(part, mime));
  out.copy("\"data:");
  out.copy(std::string_view(head).substr(1, head.size() - 2));
  out.copy(";base64,");
  out.base64(ifb::view(part.data));
  out.copy("\"");
}

void put_prompt(const ifb_sample& sample, gather_list& out, const prompt_words& words) {
  const auto cannot = [&](std::string_view what) {
    refuse(std::string(words.takes) + ", " + std::string(what));
  };
  switch (sample.shape) {
    case IFB_PROMPT_TEXT: return put_text(single(sample), out);
    case IFB_PROMPT_TEXTS: return put_list(sample.prompt, out, put_text);
    case IFB_PROMPT_TOKENS: return put_ids(single(sample), out);
    case IFB_PROMPT_TOKEN_LISTS: return put_list(sample.prompt, out, put_ids);
    case IFB_PROMPT_PARTS:
    case IFB_PROMPT_CHAT: return cannot("no chat messages; " + std::string(words.for_messages));
    case IFB_PROMPT_JSON: return cannot("no prompt that is a JSON object");
    default: return cannot("no prompt of shape " + std::to_string(sample.shape));
  }
}

std::size_t prompt_count(const ifb_sample& sample) noexcept {
  const bool list = sample.shape == IFB_PROMPT_TEXTS || sample.shape == IFB_PROMPT_TOKEN_LISTS;
  return list ? ifb::view(sample.prompt).size() : 1;
}

void put_user_message(std::initializer_list<ifb_part_list> content, gather_list& out) {
  out.copy(R"([{"role":"user","content":[)");
  bool first = true;
  for (const auto& list : content) {
    for (const auto& part : ifb::view(list)) {
      if (!first) out.copy(",");
      first = false;
      put_content(part, out);
    }
  }
  out.copy("]}]");
}

void put_messages(const ifb_sample& sample, gather_list& out, std::string_view for_text,
                  content_form form) {
  const bool text_only = form == content_form::text;
  const auto refuse_for = [&](std::string_view what) {
    refuse("chat takes " + std::string(what) + "; use backend " + std::string(for_text));
  };
  const auto messages = ifb::view(sample.messages);
  // A chat template made the text from the messages. The server renders the messages itself.
  const bool rendered = sample.shape == IFB_PROMPT_TEXT && !messages.empty();
  switch (rendered ? std::uint32_t{IFB_PROMPT_CHAT} : sample.shape) {
    case IFB_PROMPT_CHAT: {
      if (messages.empty()) refuse("the sample has no chat messages");
      out.copy("[");
      bool first = true;
      for (const auto& message : messages) {
        if (!first) out.copy(",");
        first = false;
        if (text_only)
          put_text_message(message, out);
        else
          put_message(message, out);
      }
      out.copy("]");
      return;
    }
    case IFB_PROMPT_TEXT:
      if (single(sample).kind != IFB_PART_TEXT)
        refuse("the text prompt has a part of another kind");
      [[fallthrough]];
    case IFB_PROMPT_PARTS:
      if (text_only) return put_text_user_message(sample.prompt, out);
      return put_user_message({sample.prompt, sample.media}, out);
    case IFB_PROMPT_TOKENS:
    case IFB_PROMPT_TOKEN_LISTS: return refuse_for("text, not token ids");
    case IFB_PROMPT_TEXTS: return refuse_for("one prompt a request, not a list");
    case IFB_PROMPT_JSON: refuse("chat takes text or messages, no prompt that is a JSON object");
    default: refuse("chat cannot carry a prompt of shape " + std::to_string(sample.shape));
  }
}

}  // namespace bodies
