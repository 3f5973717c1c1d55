#include "chat_templates.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>

#include "tokenizers/common/node.hpp"

namespace tokenizers::model_files {

namespace {

constexpr std::string_view tag = "CONTINUE_FINAL_MESSAGE_TAG ";
constexpr std::string_view bare_tag = tag.substr(0, tag.size() - 1);

[[noreturn]] void fail(std::string_view type, std::string_view message) {
  throw ifb::failure(IFB_E_DATA, std::string(type) + ": " + std::string(message));
}

/// Returns the error's text. If the fault is in the template, the text includes template and line.
std::string said(const jinja::error& e) {
  std::string out = e.type() + ": " + e.message();
  if (e.type() == "TemplateSyntaxError" || e.type() == "NotImplementedError" ||
      e.message().ends_with("not supported in chat templates"))
    out += " (" + e.name() + ", line " + std::to_string(e.line()) + ")";
  return out;
}

std::string_view view(const rapidjson::Value& text) { return ifb::text_of(&text); }

// A member that is null counts as missing.
const rapidjson::Value* member(const rapidjson::Value& object, const char* name) {
  const auto* const out = ifb::find(object, name);
  return out == nullptr || out->IsNull() ? nullptr : out;
}

bool is_python_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}
std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_python_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_python_space(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Returns the template that the option selects: the content of a file, or the text of the option
/// itself if it can only be a template.
named_template read_template(const std::string& chosen) {
  if (chosen.find_first_of("{}\n") != chosen.npos) return {"default", chosen, "chat-template"};
  std::ifstream in(chosen, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad())
    throw ifb::failure(IFB_E_CONFIG,
                       "\"" + chosen +
                           "\" is not a readable file, not a template, and not the name of one of "
                           "the model's templates",
                       "chat-template");
  return {"default", std::move(text), chosen};
}

/// Appends a tag to the last message's text. The prompt is later cut at this tag. Returns the text
/// without the tag.
std::string mark_last(rapidjson::Document& chat) {
  auto& memory = chat.GetAllocator();
  auto& messages = chat["messages"];
  const auto missing = [] {
    fail("ValueError",
         "continue_final_message is set but the final message has no \"content\" to continue!");
  };
  if (messages.Empty() || !messages[messages.Size() - 1].IsObject()) missing();
  auto& last = messages[messages.Size() - 1];
  const auto content = last.FindMember("content");
  if (content == last.MemberEnd() || content->value.IsNull()) missing();
  const auto put = [&](rapidjson::Value& text) {
    std::string whole(view(text));
    const std::string tagged = whole + std::string(tag);
    text.SetString(tagged.data(), static_cast<rapidjson::SizeType>(tagged.size()), memory);
    return whole;
  };
  if (content->value.IsString()) return put(content->value);
  if (content->value.IsArray()) {
    for (auto i = content->value.Size(); i-- > 0;) {
      auto& block = content->value[i];
      if (!block.IsObject()) continue;
      const auto text = block.FindMember("text");
      if (text != block.MemberEnd() && text->value.IsString()) return put(text->value);
    }
  }
  fail("ValueError",
       "continue_final_message is set but we could not find any text to continue in the final "
       "message!");
}

void cut_after(std::string& prompt, std::string_view last) {
  const auto at = prompt.rfind(bare_tag);
  if (at == prompt.npos || prompt.find(stripped(last)) == prompt.npos)
    fail("ValueError",
         "continue_final_message is set but the final message does not appear in the chat after "
         "applying the chat template! This can happen if the chat template deletes portions of the "
         "final message. Please verify the chat template and final message in your chat to ensure "
         "they are compatible.");
  const bool spaced = std::string_view(prompt).substr(at, tag.size()) == tag;
  prompt.resize(at);
  if (spaced) return;
  while (!prompt.empty() && is_python_space(prompt.back()))
    prompt.pop_back();
}

}  // namespace

chat_templates::model_template chat_templates::compile(const named_template& from) {
  model_template out{from.name, from.text, std::nullopt, {}};
  try {
    out.program = jinja::compile(from.text, from.file);
  } catch (const jinja::error& e) {
    out.fault = said(e);
  }
  return out;
}

chat_templates::chat_templates(const model_config& config, const chat_options& options) {
  for (const auto& each : config.templates)
    templates_.push_back(compile(each));
  named_ = config.templates_have_names;
  if (!options.chosen.empty()) {
    const model_template* const one = named_ ? find(options.chosen) : nullptr;
    model_template chosen = one != nullptr ? *one : compile(read_template(options.chosen));
    if (!chosen.program)
      throw ifb::failure(IFB_E_CONFIG, "the chat template cannot be read: " + chosen.fault,
                         "chat-template");
    named_ = false;
    chosen_ = true;
    templates_.clear();
    templates_.push_back(std::move(chosen));
  }
  for (const auto& each : config.special)
    tokens_.emplace_back(each.name, each.token.content);
  for (const auto& each : config.more_special)
    more_tokens_.push_back(each.content);

  variables_.SetObject();
  if (options.variables.empty()) return;
  try {
    std::string text = options.variables;
    rapidjson::Document parsed;
    parse_json(text, parsed, "chat-template-kwargs");
    if (!parsed.IsObject()) node(parsed, "chat-template-kwargs").fail("expected an object");
    // `parsed` refers to `text`, but the strings of variables_ must be copies of their own.
    variables_.Parse<rapidjson::kParseFullPrecisionFlag>(options.variables.data(),
                                                         options.variables.size());
  } catch (const ifb::failure& e) {
    throw ifb::failure(IFB_E_CONFIG, e.message(), "chat-template-kwargs");
  }
}

const chat_templates::model_template* chat_templates::find(std::string_view name) const {
  const auto at = std::ranges::find(templates_, name, &model_template::name);
  return at == templates_.end() ? nullptr : &*at;
}

const chat_templates::model_template& chat_templates::choose(const rapidjson::Value& chat,
                                                             model_template& given) const {
  if (const auto* const wanted = member(chat, "chat_template")) {
    if (!wanted->IsString()) fail("TypeError", "chat_template is neither a name nor a template");
    if (const auto* const one = named_ ? find(view(*wanted)) : nullptr) return *one;
    given = compile({"chat_template", std::string(view(*wanted)), "chat_template"});
    return given;
  }
  if (templates_.empty())
    throw ifb::failure(IFB_E_UNSUPPORTED,
                       "the tokenizer has no chat template; give one with --chat-template FILE");
  if (!named_) return templates_.front();
  const auto* const tools = member(chat, "tools");
  const model_template* const for_tools = tools == nullptr ? nullptr : find("tool_use");
  if (for_tools != nullptr) return *for_tools;
  if (const model_template* const usual = find("default")) return *usual;
  std::string names;
  for (const auto& each : templates_)
    names += (names.empty() ? "" : ", ") + each.name;
  fail("ValueError",
       "the model has several chat templates and none is the default; choose one as "
       "chat-template: " +
           names);
}

void chat_templates::complete(rapidjson::Document& chat) const {
  auto& memory = chat.GetAllocator();
  const auto put = [&](std::string_view name, rapidjson::Value value) {
    const auto size = static_cast<rapidjson::SizeType>(name.size());
    if (chat.HasMember(rapidjson::Value(rapidjson::StringRef(name.data(), size)))) return;
    chat.AddMember(rapidjson::Value(name.data(), size, memory), value, memory);
  };
  const auto text = [&](const std::string& from) {
    return rapidjson::Value(from.data(), static_cast<rapidjson::SizeType>(from.size()), memory);
  };
  for (const auto& each : variables_.GetObject())
    put(view(each.name), rapidjson::Value(each.value, memory));
  for (const auto& [name, content] : tokens_)
    put(name, text(content));
  if (!more_tokens_.empty()) {
    rapidjson::Value list(rapidjson::kArrayType);
    for (const auto& each : more_tokens_)
      list.PushBack(text(each), memory);
    put("additional_special_tokens", std::move(list));
  }
  put("tools", rapidjson::Value());
  put("documents", rapidjson::Value());
  put("add_generation_prompt", rapidjson::Value(false));
}

std::string chat_templates::render(std::string_view chat) const {
  std::string text(chat);
  rapidjson::Document document;
  try {
    parse_json(text, document, "chat");
  } catch (const ifb::failure& e) {
    fail("JSONDecodeError", e.message());
  }
  const auto* const messages = document.IsObject() ? member(document, "messages") : nullptr;
  if (messages == nullptr || !messages->IsArray())
    fail("ValueError", "the chat is not a JSON object with a list \"messages\"");
  complete(document);

  model_template given;
  const model_template& chosen = choose(document, given);
  if (!chosen.program) throw ifb::failure(IFB_E_DATA, chosen.fault);
  document.RemoveMember("chat_template");

  const auto* const go_on = member(document, "continue_final_message");
  const bool continues = go_on != nullptr && go_on->IsTrue();
  document.RemoveMember("continue_final_message");
  const auto* const header = member(document, "add_generation_prompt");
  if (continues && header != nullptr && header->IsTrue())
    fail("ValueError",
         "continue_final_message and add_generation_prompt are not compatible. Use "
         "continue_final_message when you want the model to continue the final message, and "
         "add_generation_prompt when you want to add a header that will prompt it to start a new "
         "assistant message instead.");
  const std::string last = continues ? mark_last(document) : std::string{};
  try {
    std::string prompt = chosen.program->render(document);
    if (continues) cut_after(prompt, last);
    return prompt;
  } catch (const jinja::error& e) {
    throw ifb::failure(IFB_E_DATA, said(e));
  }
}

}  // namespace tokenizers::model_files
