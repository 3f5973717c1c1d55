// Renders messages with the model's chat template.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/host.hpp>

namespace prompts {

/// One thread at a time.
class chat {
 public:
  /// `variables`: a JSON object of further variables for the template, or empty. Throws
  /// ifb::failure (IFB_E_CONFIG, option "chat-template-kwargs") for anything else, and for
  /// variables that are set here.
  chat(const ifb::service::tokenizer& tokenizer, std::string_view variables);

  /// Throws ifb::failure (IFB_E_CONFIG) with the remedy if there is no template.
  void require_template() const;

  /// `text` as the one message of a user, with the beginning of the answer. Throws ifb::failure:
  /// IFB_E_CONFIG with the remedy if there is no template, else the template's own error.
  [[nodiscard]] std::string of_user(std::string_view text) const;

  /// `messages` and `tools` are JSON lists; empty tools: none are named. Throws ifb::failure.
  [[nodiscard]] std::string render(std::string_view messages, std::string_view tools) const;

 private:
  ifb::service::tokenizer tokenizer_;
  std::string variables_;  // members, without the braces
};

}  // namespace prompts
