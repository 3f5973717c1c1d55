#include "request_maker.hpp"

#include <span>
#include <utility>

#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

namespace hf {

namespace {

// A reason ends at "; " (abi.h), so the names and messages in a reason must not contain "; ".
std::string as_reason(std::string text) {
  for (std::size_t at = 0; (at = text.find("; ", at)) != text.npos;)
    text[at] = ',';
  return text;
}

// Prefers the place that the tokenizer was loaded from, because it contains the name of the model.
std::string name_of(const ifb::service::tokenizer& tokenizer) {
  try {
    const ifb_vocabulary vocabulary = tokenizer.vocabulary();
    if (vocabulary.source != nullptr) return vocabulary.source;
  } catch (const ifb::failure&) {
    // A tokenizer may be able to count and nothing else.
  }
  return tokenizer.name();
}

run_facts with_tokenizer(run_facts facts, const ifb::service::tokenizer& tokenizer) {
  facts.tokenizer = name_of(tokenizer);
  return facts;
}

}  // namespace

request_maker::request_maker(ifb::host host, const ifb::service::tokenizer& tokenizer,
                             const recipe& of, request_choices chosen, run_facts facts)
    : tokenizer_(tokenizer),
      recipe_(&of),
      chosen_(std::move(chosen)),
      columns_(columns_of(of, !chosen_.output_tokens)),
      context_(with_tokenizer(std::move(facts), tokenizer), columns_, only_media_columns(of),
               uses_whole_row(of)) {
  choose_template(host);
}

void request_maker::choose_template(ifb::host host) {
  const bool skipped = chosen_.skip_chat_template;
  if (recipe_->chat == chat_use::never || (recipe_->chat == chat_use::unless_skipped && skipped))
    return;
  chat_.emplace(tokenizer_, chosen_.chat_variables);
  if (recipe_->chat == chat_use::unless_skipped) return chat_->require_template();
  if (skipped)
    host.warn(
        "--skip-chat-template has no effect: the prompts of this data set always go into the "
        "chat template");
  try {
    static_cast<void>(chat_->render(R"([{"role": "user", "content": "x"}])", {}));
  } catch (const ifb::failure& e) {
    // The template may accept one conversation and refuse another.
    if (e.code() != IFB_E_UNSUPPORTED) return;
    throw ifb::failure(IFB_E_CONFIG,
                       "the prompts of this data set always go into the model's chat template, "
                       "and " +
                           e.message());
  }
}

std::string request_maker::make(const ifb::json_value& row, ifb::arena memory,
                                ifb_sample& out) const {
  if (const std::string column = context_.missing(row); !column.empty())
    return as_reason("no value in \"" + column + "\"");
  const ifb::json_document variables = context_.of(row);
  texts made;
  lengths length;
  try {
    if (std::string reason = refusing_filter(variables); !reason.empty()) return reason;
    made.prompt = prompt_text(variables);
    length.prompt = static_cast<std::int64_t>(tokenizer_.count(made.prompt, IFB_ENCODE_SPECIAL));
    measure_answer(variables, length);
    if (recipe_->transcript) made.transcript = recipe_->transcript->render(variables);
  } catch (const jinja::error& e) {
    return as_reason(e.type() == "TemplateError" ? e.message() : e.type() + ": " + e.message());
  } catch (const ifb::failure& e) {
    // The model's chat template refuses this conversation.
    if (e.code() != IFB_E_DATA) throw;
    return as_reason("the chat template fails: " + e.message());
  }
  if (std::string reason = outside_limits(length); !reason.empty()) return reason;
  put(made, memory, out);
  out.input_tokens = length.prompt;
  out.output_tokens = length.answer;
  return {};
}

std::string request_maker::refusing_filter(const ifb::json_value& variables) const {
  for (const row_filter& each : recipe_->filters)
    if (each.keep.render(variables).empty()) return each.reason;
  return {};
}

std::string request_maker::prompt_text(const ifb::json_value& variables) const {
  if (!recipe_->chat_messages) {
    std::string text = recipe_->messages.front().content.render(variables);
    return chat_ ? chat_->of_user(text) : text;
  }
  ifb::json_writer messages;
  messages.begin_array();
  for (const message_template& each : recipe_->messages) {
    messages.begin_object();
    messages.member("role", each.role);
    messages.member("content", each.content.render(variables));
    messages.end_object();
  }
  messages.end_array();
  return chat_->render(messages.text(), {});
}

void request_maker::measure_answer(const ifb::json_value& variables, lengths& of) const {
  of.answer = chosen_.output_tokens.value_or(recipe_->output_tokens.value_or(0));
  if (chosen_.output_tokens || !recipe_->answer) return;
  const std::string text = recipe_->answer->text.render(variables);
  if (text.empty() && recipe_->output_tokens) return;
  of.recorded = true;
  const std::uint32_t added = recipe_->answer->special_tokens ? IFB_ENCODE_SPECIAL : 0;
  of.answer = static_cast<std::int64_t>(tokenizer_.count(text, added));
}

std::string request_maker::outside_limits(const lengths& of) const {
  const length_limits& limits = recipe_->limits;
  if (of.answer < 1) return "the recorded answer has no tokens";
  if (!of.recorded && !limits.always) return {};
  const auto beyond = [](const char* what, std::int64_t limit) {
    return what + std::to_string(limit) + (limit == 1 ? " token" : " tokens");
  };
  if (limits.least_prompt && of.prompt < *limits.least_prompt)
    return beyond("prompt shorter than ", *limits.least_prompt);
  if (limits.least_answer && of.answer < *limits.least_answer)
    return beyond("answer shorter than ", *limits.least_answer);
  if (limits.most_prompt && of.prompt > *limits.most_prompt)
    return beyond("prompt longer than ", *limits.most_prompt);
  if (limits.most_in_all && of.prompt + of.answer > *limits.most_in_all)
    return beyond("prompt and answer longer than ", *limits.most_in_all);
  return {};
}

void request_maker::put(const texts& from, ifb::arena memory, ifb_sample& out) const {
  const auto parts = memory.array<ifb_part>(1);
  parts[0] = ifb::text_part(memory.copy(from.prompt));
  // As parts the text becomes a chat message with a list of contents.
  const bool message = chosen_.multimodal_chat && recipe_->multimodal_chat;
  out.shape = std::uint32_t{message ? IFB_PROMPT_PARTS : IFB_PROMPT_TEXT};
  out.prompt = ifb::list_of(parts);
  if (from.transcript.empty()) return;
  out.metadata = memory.make<ifb_field>(ifb::field("transcript", memory.copy(from.transcript)));
  out.metadata_count = 1;
}

}  // namespace hf
