// Chat templates: Jinja2 3.1.6 with the set-up of the Python library transformers. This set-up is a
// sandbox with immutable containers, trim_blocks, lstrip_blocks, {% break %}, {% continue %},
// {% generation %}, a filter `tojson` that works like json.dumps, and the functions raise_exception
// and strftime_now. Values behave like Python's values, and errors have the same texts.
//
// The following parts of Jinja2 are left out. Each of them causes an error that names it:
// inheritance and inclusion (block, extends, include, import), autoescape, recursive loops, and the
// filters random, urlize, pprint and wordwrap.
//
// A template is code from the model's publisher and is not trusted. Therefore nesting, recursion,
// output, memory and steps are limited, and a template can access only its variables and the clock.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "common/jinja/python/error.hpp"
#include "common/jinja/python/options.hpp"

namespace jinja {

struct program;

/// [any thread] Immutable; copies share one compiled program.
class chat_template {
 public:
  explicit chat_template(std::shared_ptr<const program> compiled) noexcept
      : program_(std::move(compiled)) {}

  /// Returns the text for a context, which is an object whose members are the variables. Throws
  /// error.
  [[nodiscard]] std::string render(std::string_view json_context, const options& how = {}) const;
  [[nodiscard]] std::string render(const rapidjson::Value& context, const options& how = {}) const;

  /// Returns the names of the variables that the template reads from its context. Functions of
  /// Jinja2, such as range, are left out.
  [[nodiscard]] std::vector<std::string> variables() const;

 private:
  std::shared_ptr<const program> program_;
};

/// `source` must be UTF-8 (otherwise the error is a UnicodeDecodeError); `name` is used in
/// messages. Throws error.
[[nodiscard]] chat_template compile(std::string_view source, std::string name);

}  // namespace jinja
