// A template of a recipe. It is filled in with the columns of a row, which are its variables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "common/jinja/chat_template.hpp"

namespace hf {

/// The language is Jinja, as in chat templates, with two differences: a newline at the end of the
/// template is kept, and writing an undefined value is an error. Immutable; any thread.
class row_template {
 public:
  /// Throws jinja::error.
  explicit row_template(std::string_view source);
  /// Makes a template whose text is empty if the expression is false.
  [[nodiscard]] static row_template of_condition(std::string_view expression);

  [[nodiscard]] const std::vector<std::string>& variables() const noexcept { return variables_; }
  /// `context` is an object whose members are the variables. Throws jinja::error.
  [[nodiscard]] std::string render(const rapidjson::Value& context) const;

 private:
  jinja::chat_template compiled_;
  std::vector<std::string> variables_;
};

}  // namespace hf
