#include "any_prompt.hpp"

#include <algorithm>
#include <string_view>

#include <inferbench/views.hpp>

#include "datasets/common/json_texts.hpp"

namespace prompts {

namespace {

bool has_text(const rapidjson::Value& object, std::string_view name) {
  return files::string_of(files::find(object, name)).has_value();
}

// An empty list does not meet any condition.
template <typename condition>
bool all(const rapidjson::Value& list, condition&& holds) {
  return !list.Empty() && std::all_of(list.Begin(), list.End(), holds);
}

bool is_id(const rapidjson::Value& value) { return value.IsUint(); }

bool is_ids(const rapidjson::Value& value) { return value.IsArray() && all(value, is_id); }

// Returns whether the value is a message with a role, or an item of the Responses API with a type.
bool is_message(const rapidjson::Value& value) {
  return has_text(value, "role") || has_text(value, "type");
}

bool is_part(const rapidjson::Value& value) { return has_text(value, "type"); }

bool speaks(const rapidjson::Value& value) { return has_text(value, "role"); }

ifb_part json_part(std::string_view text) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_JSON;
  out.data = ifb::bytes(text);
  return out;
}

}  // namespace

any_prompt::any_prompt(const files::json_row& row, const char* name)
    : value_(row.at(name)), shape_(shape_of(value_)) {
  if (shape_ == 0)
    row.refuse("\"" + std::string(name) +
               "\" must be a text, an object, or a list of texts, of token ids, of lists of token "
               "ids, of chat messages or of content parts");
  if (shape_ == IFB_PROMPT_JSON || shape_ == IFB_PROMPT_CHAT || shape_ == IFB_PROMPT_PARTS)
    objects_ = files::texts_of(row, name);
}

std::uint32_t any_prompt::shape_of(const rapidjson::Value& value) {
  if (value.IsString()) return IFB_PROMPT_TEXT;
  if (value.IsObject()) return IFB_PROMPT_JSON;
  if (!value.IsArray()) return 0;
  if (all(value, [](const auto& each) { return each.IsString(); })) return IFB_PROMPT_TEXTS;
  if (is_ids(value)) return IFB_PROMPT_TOKENS;
  if (all(value, is_ids)) return IFB_PROMPT_TOKEN_LISTS;
  if (all(value, is_message) && std::any_of(value.Begin(), value.End(), speaks))
    return IFB_PROMPT_CHAT;
  return all(value, is_part) ? std::uint32_t{IFB_PROMPT_PARTS} : 0U;
}

void any_prompt::put(ifb::arena memory, ifb_sample& out) const {
  out.shape = shape_;
  out.input_tokens = 1;
  if (shape_ == IFB_PROMPT_CHAT) return put_messages(memory, out);
  const bool list = shape_ == IFB_PROMPT_TEXTS || shape_ == IFB_PROMPT_TOKEN_LISTS;
  const auto parts =
      memory.array<ifb_part>(list ? value_.Size() : std::max<std::size_t>(objects_.size(), 1));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto index = static_cast<rapidjson::SizeType>(i);
    parts[i] = objects_.empty() ? part_of(list ? value_[index] : value_, memory)
                                : json_part(memory.copy(objects_[i]));
  }
  out.prompt = ifb::list_of(parts);
  if (shape_ != IFB_PROMPT_TOKENS && shape_ != IFB_PROMPT_TOKEN_LISTS) return;
  out.input_tokens = 0;
  for (const ifb_part& each : parts)
    out.input_tokens += static_cast<std::int64_t>(ifb::tokens_of(each).size());
}

void any_prompt::put_messages(ifb::arena memory, ifb_sample& out) const {
  const auto messages = memory.array<ifb_message>(objects_.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const rapidjson::Value& said = value_[static_cast<rapidjson::SizeType>(i)];
    const auto role = files::string_of(files::find(said, "role")).value_or("");
    messages[i] = ifb::json_message(memory.copy(role), memory.copy(objects_[i]));
  }
  out.messages = ifb::list_of(messages);
}

// Returns a part with a text or with a list of ids.
ifb_part any_prompt::part_of(const rapidjson::Value& value, ifb::arena memory) const {
  if (const auto text = files::string_of(&value)) return ifb::text_part(memory.copy(*text));
  const auto ids = memory.array<std::uint32_t>(value.Size());
  std::transform(value.Begin(), value.End(), ids.begin(),
                 [](const rapidjson::Value& id) { return id.GetUint(); });
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TOKENS;
  out.data = {ids.data(), ids.size_bytes()};
  return out;
}

}  // namespace prompts
