// The chat templates of a model: chooses one and sets its variables as the function
// apply_chat_template of `transformers` does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include "common/jinja/chat_template.hpp"
#include "model_config.hpp"

namespace tokenizers::model_files {

struct chat_options {
  std::string chosen;     // a file, a template's text, or the name of a template; or empty
  std::string variables;  // a JSON object, or empty
};

/// Immutable: [any] thread.
class chat_templates {
 public:
  /// Throws ifb::failure naming the option "chat-template" or "chat-template-kwargs" if one of them
  /// cannot be used. A template of the model that cannot be read fails only in render.
  chat_templates(const model_config& config, const chat_options& options);

  /// `chat`: a JSON object with "messages" and, as the template asks for them, "tools",
  /// "documents", "add_generation_prompt", "continue_final_message" and further variables. They
  /// override the options' variables, and these override the special tokens. "chat_template" names
  /// or is another template.
  /// Throws ifb::failure: IFB_E_UNSUPPORTED if there is no template, else IFB_E_DATA with
  /// "Class: message", the exception that Python would have raised.
  [[nodiscard]] std::string render(std::string_view chat) const;

  [[nodiscard]] bool empty() const noexcept { return templates_.empty(); }
  /// The template that the option has chosen, or empty.
  [[nodiscard]] std::string_view given() const noexcept {
    return chosen_ ? std::string_view(templates_.front().text) : std::string_view{};
  }

 private:
  struct model_template {
    std::string name;
    std::string text;
    std::optional<jinja::chat_template> program;
    std::string fault;  // why there is no program
  };
  [[nodiscard]] static model_template compile(const named_template& from);
  [[nodiscard]] const model_template* find(std::string_view name) const;
  [[nodiscard]] const model_template& choose(const rapidjson::Value& chat,
                                             model_template& given) const;
  void complete(rapidjson::Document& chat) const;

  std::vector<model_template> templates_;
  bool named_ = false;   // a choice is made for each prompt
  bool chosen_ = false;  // the option has chosen
  std::vector<std::pair<std::string, std::string>> tokens_;
  std::vector<std::string> more_tokens_;
  rapidjson::Document variables_;
};

}  // namespace tokenizers::model_files
