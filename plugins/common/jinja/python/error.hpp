// The error of a template, with the texts of Python and Jinja2.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace jinja {

/// [any thread] `type()` is the class of the Python exception that Jinja2 would have raised
/// ("TemplateSyntaxError", "UndefinedError", "TypeError", ...). It is "TemplateError" for the
/// template's own raise_exception, and "NotImplementedError" for a construct that this library
/// leaves out. `message()` is the text that str() returns for the exception. `what()` contains
/// both, with template and line.
class error : public std::runtime_error {
 public:
  error(std::string type, std::string message, int line = 0)
      : std::runtime_error(type + ": " + message),
        type_(std::move(type)),
        message_(std::move(message)),
        line_(line) {}
  error(const error& cause, const std::string& name, int line)
      : std::runtime_error(name + ":" + std::to_string(cause.line_ > 0 ? cause.line_ : line) +
                           ": " + cause.what()),
        type_(cause.type_),
        message_(cause.message_),
        name_(name),
        line_(cause.line_ > 0 ? cause.line_ : line) {}

  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  /// The template's name, and the line number in it, from 1. At run time it is the line of the
  /// statement.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] int line() const noexcept { return line_; }

 private:
  std::string type_;
  std::string message_;
  std::string name_;
  int line_ = 0;
};

}  // namespace jinja
