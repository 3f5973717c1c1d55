// The chat templates of a model. Chooses a template and sets its variables in the same way as the
// function apply_chat_template of `transformers`.
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
  std::string chosen;     // a file, a template's text, or the name of a template; may be empty
  std::string variables;  // a JSON object; may be empty
};

/// Immutable: [any thread].
class chat_templates {
 public:
  /// Throws ifb::failure that names the option "chat-template" or "chat-template-kwargs" if the
  /// option cannot be used. If one of the model's templates cannot be parsed, only render() fails.
  chat_templates(const model_config& config, const chat_options& options);

  /// `chat` is a JSON object with "messages". Depending on the template, it also has "tools",
  /// "documents", "add_generation_prompt", "continue_final_message" and other variables. These
  /// members override the variables of the options, and the variables of the options override the
  /// special tokens. A member "chat_template" is the name or the text of another template.
  /// Throws ifb::failure: IFB_E_UNSUPPORTED if there is no template. For other errors, the code is
  /// IFB_E_DATA and the message "Class: message", the exception that Python would have raised.
  [[nodiscard]] std::string render(std::string_view chat) const;

  [[nodiscard]] bool empty() const noexcept { return templates_.empty(); }
  /// Returns the template that the option has chosen; empty if the option is not given.
  [[nodiscard]] std::string_view given() const noexcept {
    return chosen_ ? std::string_view(templates_.front().text) : std::string_view{};
  }

 private:
  struct model_template {
    std::string name;
    std::string text;
    std::optional<jinja::chat_template> program;
    std::string fault;  // the reason why there is no program
  };
  [[nodiscard]] static model_template compile(const named_template& from);
  [[nodiscard]] const model_template* find(std::string_view name) const;
  [[nodiscard]] const model_template& choose(const rapidjson::Value& chat,
                                             model_template& given) const;
  void complete(rapidjson::Document& chat) const;

  std::vector<model_template> templates_;
  bool named_ = false;   // a template is chosen for each prompt
  bool chosen_ = false;  // the option has chosen the template
  std::vector<std::pair<std::string, std::string>> tokens_;
  std::vector<std::string> more_tokens_;
  rapidjson::Document variables_;
};

}  // namespace tokenizers::model_files
