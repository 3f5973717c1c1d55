#include "prompt.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <inferbench/json_reader.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/body.hpp"
#include "backends/bodies/prompt.hpp"

namespace llama_cpp {

namespace {

std::vector<llama_token> given_tokens(const model& with, const ifb_sample& sample) {
  const auto parts = ifb::view(sample.prompt);
  if (parts.size() != 1 || parts.front().kind != IFB_PART_TOKENS)
    throw ifb::failure{IFB_E_UNSUPPORTED, "the prompt is not one list of token ids"};
  const auto limit = static_cast<std::uint32_t>(with.api().llama_vocab_n_tokens(with.vocabulary()));
  std::vector<llama_token> out;
  const auto ids = ifb::tokens_of(parts.front());
  out.reserve(ids.size());
  for (const std::uint32_t id : ids) {
    if (id >= limit)
      throw ifb::failure{IFB_E_DATA, "token id " + std::to_string(id) +
                                         ", and the model's vocabulary has " +
                                         std::to_string(limit) + " tokens"};
    out.push_back(static_cast<llama_token>(id));
  }
  return out;
}

/// The messages of the sample as the prompt that the chat template makes.
std::string rendered_chat(const model& with, const ifb_sample& sample, ifb::arena memory) {
  bodies::gather_list written(memory);
  bodies::put_messages(sample, written, "openai", bodies::content_form::text);
  std::string json;
  for (const ifb_bytes& each : written.parts())
    json += ifb::view(each);
  const ifb::json_document document = ifb::read_json(json, IFB_E_DATA);
  std::vector<std::pair<std::string, std::string>> texts;  // role, content
  for (const ifb::json_value& each : document.GetArray()) {
    const ifb::json_value* const content = ifb::find(each, "content");
    if (content == nullptr || !content->IsString())
      throw ifb::failure{IFB_E_UNSUPPORTED, "a message has no text as its content"};
    texts.emplace_back(ifb::text_of(ifb::find(each, "role")), ifb::text_of(content));
  }
  std::vector<llama_chat_message> messages;
  messages.reserve(texts.size());
  for (const auto& [role, content] : texts)
    messages.push_back({role.c_str(), content.c_str()});
  return with.chat_prompt(messages);
}

bool has_priority(const ifb_sample& sample) {
  const std::string_view overrides = ifb::view(sample.overrides);
  if (overrides.empty()) return false;
  const ifb::json_document all = ifb::read_json(overrides, IFB_E_DATA);
  return all.IsObject() && ifb::find(all, "priority") != nullptr;
}

}  // namespace

std::vector<llama_token> prompt_of(const model& with, const ifb_sample& sample, bool chat,
                                   ifb::arena memory) {
  if (sample.media.count != 0)
    throw ifb::failure{IFB_E_UNSUPPORTED, "the sample has media, and llama-cpp takes text only"};
  if (sample.model.size != 0)
    throw ifb::failure{IFB_E_UNSUPPORTED, "the engine has one model, and the sample asks for \"" +
                                              std::string(ifb::view(sample.model)) + "\""};
  if (has_priority(sample))
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "the sample has a priority, and llama-cpp schedules without priorities"};
  std::vector<llama_token> out;
  if (chat || sample.shape == IFB_PROMPT_CHAT || sample.shape == IFB_PROMPT_PARTS)
    out = with.tokens_of(rendered_chat(with, sample, memory), true);
  else if (sample.shape == IFB_PROMPT_TOKENS)
    out = given_tokens(with, sample);
  else
    out = with.tokens_of(ifb::prompt_text(sample), false);
  if (out.empty()) throw ifb::failure{IFB_E_DATA, "the prompt has no tokens"};
  return out;
}

void check_length(const model& with, std::size_t prompt_tokens) {
  if (static_cast<std::int64_t>(prompt_tokens) < with.context_of_sequence()) return;
  throw ifb::failure{IFB_E_DATA, "the prompt has " + std::to_string(prompt_tokens) +
                                     " tokens, and the context of a sequence " +
                                     std::to_string(with.context_of_sequence()) +
                                     " for prompt and output"};
}

}  // namespace llama_cpp
