#include "item_writer.hpp"

#include "backends/bodies/body.hpp"
#include "backends/bodies/prompt.hpp"
#include "json_place.hpp"

namespace python_engine {

namespace {

const char* name_of_medium(const ifb_part& part) {
  switch (part.kind) {
    case IFB_PART_IMAGE: return "image";
    case IFB_PART_AUDIO: return "audio";
    case IFB_PART_VIDEO: return "video";
    default: break;
  }
  throw ifb::failure{IFB_E_UNSUPPORTED,
                     "the prompt has a part that is neither text, image, sound nor video"};
}

/// Throws failure with IFB_E_DATA for overrides that a frame cannot carry.
void check_overrides(std::string_view overrides) {
  try {
    const ifb::json_document all = read_object(overrides, IFB_E_DATA);
    const ifb::json_value* const priority = ifb::find(all, "priority");
    if (priority != nullptr && !priority->IsNull() && !priority->IsInt64() && !priority->IsUint64())
      throw ifb::failure{IFB_E_DATA, "priority: not an integer"};
  } catch (const ifb::failure& e) {
    throw ifb::failure{e.code(), "the overrides of the sample: " + e.message()};
  }
}

/// The messages as JSON, in the form of OpenAI. Throws failure: see bodies::put_messages().
std::string text_of_messages(const ifb_sample& sample, ifb::arena memory) {
  bodies::gather_list text(memory);
  bodies::put_messages(sample, text, "openai");
  std::string out;
  for (const ifb_bytes& each : text.parts())
    out += ifb::view(each);
  return out;
}

void check_token_ids(std::string_view ids) {
  if (ids.size() % 4 != 0)
    throw ifb::failure{IFB_E_DATA, "the token ids of the sample have " +
                                       std::to_string(ids.size()) +
                                       " bytes, and each token id has 4"};
}

bool has_messages(const ifb_sample& sample, bool chat) {
  return sample.shape == IFB_PROMPT_CHAT || (chat && sample.messages.count > 0);
}

}  // namespace

void item_writer::check(const ifb_sample& sample) {
  if (sample.model.size != 0)
    throw ifb::failure{IFB_E_UNSUPPORTED, "the engine has one model, and the sample asks for \"" +
                                              std::string(ifb::view(sample.model)) + "\""};
  // The worker would take these as violations of the protocol and end, with all other requests.
  if (sample.output_tokens == 0)
    throw ifb::failure{IFB_E_DATA,
                       "the sample asks for an output of 0 tokens, and an engine generates 1 or "
                       "more"};
  if (sample.overrides.size != 0) check_overrides(ifb::view(sample.overrides));
  const auto parts = ifb::view(sample.prompt);
  for (const ifb_part& each : ifb::view(sample.media))
    static_cast<void>(name_of_medium(each));
  switch (sample.shape) {
    case IFB_PROMPT_TEXT: static_cast<void>(ifb::prompt_text(sample)); return;
    case IFB_PROMPT_CHAT: return;
    case IFB_PROMPT_PARTS:
      for (const ifb_part& each : parts)
        if (each.kind != IFB_PART_TEXT) static_cast<void>(name_of_medium(each));
      return;
    case IFB_PROMPT_TOKENS:
      if (parts.size() == 1 && parts.front().kind == IFB_PART_TOKENS &&
          parts.front().data.size != 0)
        return check_token_ids(ifb::view(parts.front().data));
      throw ifb::failure{IFB_E_UNSUPPORTED, "the prompt is not one list of token ids"};
    default: break;
  }
  throw ifb::failure{IFB_E_UNSUPPORTED,
                     "an engine takes one prompt as text, token ids, content parts or messages"};
}

void item_writer::check_messages(const ifb_sample& sample, bool chat, ifb::arena memory) {
  if (!has_messages(sample, chat)) return;
  const std::string text = text_of_messages(sample, memory);
  try {
    const ifb::json_document all = read_value(text, IFB_E_DATA);
    for (const ifb::json_value& each : all.GetArray()) {
      if (!each.IsObject()) throw ifb::failure{IFB_E_DATA, "a message is not a JSON object"};
      const ifb::json_value* const role = ifb::find(each, "role");
      if (role == nullptr || !role->IsString())
        throw ifb::failure{IFB_E_DATA, "a message has no role that is a string"};
    }
  } catch (const ifb::failure& e) {
    throw ifb::failure{e.code(), "the messages of the sample: " + e.message()};
  }
}

void item_writer::write(const ifb_sample& sample, bool chat, const ifb_adapter* adapter) {
  check(sample);
  json_.begin_object();
  write_prompt(sample, chat);
  write_media(sample);
  if (adapter != nullptr) write_adapter(*adapter);
  if (sample.input_tokens >= 0) json_.member("input_tokens", sample.input_tokens);
  if (sample.output_tokens >= 0) json_.member("output_tokens", sample.output_tokens);
  if (sample.overrides.size != 0) {
    json_.key("overrides");
    json_.raw(ifb::view(sample.overrides));
  }
  json_.end_object();
}

void item_writer::write_prompt(const ifb_sample& sample, bool chat) {
  if (has_messages(sample, chat)) {
    write_messages(sample);
  } else if (sample.shape == IFB_PROMPT_TOKENS) {
    write_blob("tokens", ifb::view(ifb::view(sample.prompt).front().data));
  } else {
    std::string text;
    for (const ifb_part& each : ifb::view(sample.prompt))
      if (each.kind == IFB_PART_TEXT) text += ifb::view(each.data);
    json_.member("prompt", text);
  }
}

void item_writer::write_messages(const ifb_sample& sample) {
  json_.key("messages");
  json_.raw(text_of_messages(sample, memory_));
}

void item_writer::write_media(const ifb_sample& sample) {
  const auto parts = ifb::view(sample.prompt);
  const auto media = ifb::view(sample.media);
  bool any = !media.empty();
  if (sample.shape == IFB_PROMPT_PARTS)
    for (const ifb_part& each : parts)
      any = any || each.kind != IFB_PART_TEXT;
  if (!any) return;
  json_.key("media");
  json_.begin_array();
  if (sample.shape == IFB_PROMPT_PARTS)
    for (const ifb_part& each : parts)
      if (each.kind != IFB_PART_TEXT) write_medium(each);
  for (const ifb_part& each : media)
    write_medium(each);
  json_.end_array();
}

void item_writer::write_medium(const ifb_part& part) {
  json_.begin_object();
  json_.member("kind", name_of_medium(part));
  if (part.mime != nullptr) json_.member("mime", part.mime);
  if (part.data.size != 0)
    write_blob("data", ifb::view(part.data));
  else
    json_.member("uri", ifb::view(part.uri));
  json_.end_object();
}

void item_writer::write_adapter(const ifb_adapter& adapter) {
  json_.key("adapter");
  json_.begin_object();
  json_.member("number", adapter.number);
  json_.member("name", ifb::view(adapter.name));
  json_.member("path", ifb::view(adapter.path));
  json_.end_object();
}

void item_writer::write_blob(std::string_view name, std::string_view bytes) {
  json_.key(name);
  json_.begin_array();
  json_.integer(blobs_.size());
  json_.integer(bytes.size());
  json_.end_array();
  blobs_ += bytes;
}

}  // namespace python_engine
