#include "chat.hpp"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "datasets/common/json_array.hpp"

namespace prompts {

namespace {

// Returns the members of a JSON object as text, without the braces.
std::string members_of(std::string_view object) {
  constexpr const char* option = "chat-template-kwargs";
  object = ifb::trim(object);
  if (object.empty()) return {};
  rapidjson::Document parsed;
  parsed.Parse<rapidjson::kParseIterativeFlag>(object.data(), object.size());
  if (parsed.HasParseError())
    throw ifb::failure(
        IFB_E_CONFIG,
        std::string("not JSON: ") + rapidjson::GetParseError_En(parsed.GetParseError()), option);
  if (!parsed.IsObject())
    throw ifb::failure(IFB_E_CONFIG, "the variables of the chat template are not a JSON object",
                       option);
  for (const char* const ours : {"messages", "add_generation_prompt"})
    if (files::find(parsed, ours) != nullptr)
      throw ifb::failure(IFB_E_CONFIG, std::string("\"") + ours + "\" is set by the dataset",
                         option);
  object.remove_prefix(1);
  object.remove_suffix(1);
  return std::string(ifb::trim(object));
}

}  // namespace

chat::chat(const ifb::service::tokenizer& tokenizer, std::string_view variables)
    : tokenizer_(tokenizer), variables_(members_of(variables)) {}

void chat::require_template() const {
  try {
    static_cast<void>(of_user("x"));
  } catch (const ifb::failure& e) {
    // The template may accept one text and refuse another text.
    if (e.code() == IFB_E_CONFIG) throw;
  }
}

std::string chat::of_user(std::string_view text) const {
  ifb::json_writer messages;
  messages.begin_array();
  messages.begin_object();
  messages.member("role", "user");
  messages.member("content", text);
  messages.end_object();
  messages.end_array();
  try {
    return render(messages.text(), {});
  } catch (const ifb::failure& e) {
    if (e.code() != IFB_E_UNSUPPORTED) throw;
    throw ifb::failure(IFB_E_CONFIG, "the prompts go into the model's chat template, and " +
                                         e.message() +
                                         "; give --skip-chat-template to send them as they are");
  }
}

std::string chat::render(std::string_view messages, std::string_view tools) const {
  std::string out = "{\"messages\": ";
  out += messages;
  if (!tools.empty()) out.append(", \"tools\": ").append(tools);
  out += ", \"add_generation_prompt\": true";
  if (!variables_.empty()) out.append(", ").append(variables_);
  out += '}';
  return tokenizer_.render(out);
}

}  // namespace prompts
