// Renders messages with the model's chat template.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/host.hpp>

namespace prompts {

/// Immutable; any thread.
class chat {
 public:
  /// `variables` is a JSON object with additional variables for the template, or empty. Throws
  /// ifb::failure (IFB_E_CONFIG, option "chat-template-kwargs") if it is not an object, or if it
  /// contains a variable that this class sets.
  chat(const ifb::service::tokenizer& tokenizer, std::string_view variables);

  /// Throws ifb::failure (IFB_E_CONFIG) with the remedy if the model has no template.
  void require_template() const;

  /// Renders `text` as the only message, a message of the user, followed by the beginning of the
  /// answer. Throws ifb::failure: IFB_E_CONFIG with the remedy if the model has no template,
  /// otherwise the template's own error.
  [[nodiscard]] std::string of_user(std::string_view text) const;

  /// `messages` and `tools` are JSON lists. If `tools` is empty, the template gets no tools. Throws
  /// ifb::failure.
  [[nodiscard]] std::string render(std::string_view messages, std::string_view tools) const;

 private:
  ifb::service::tokenizer tokenizer_;
  std::string variables_;  // members of a JSON object, without the braces
};

}  // namespace prompts
