// Chat templates: Jinja2 3.1.6 as the Python library transformers sets it up, which is a sandbox
// with immutable containers, trim_blocks, lstrip_blocks, {% break %}, {% continue %} and
// {% generation %}, the filter `tojson` after json.dumps, and the functions raise_exception and
// strftime_now. The semantics of values are Python's, down to the texts of errors.
//
// Left out, each an error that names it: inheritance and inclusion (block, extends, include,
// import), autoescape, recursive loops, and the filters random, urlize, pprint and wordwrap.
//
// A template is code by the model's publisher and not trusted. So nesting, recursion, output,
// memory and steps are bounded, and it reaches nothing but its variables and the clock.
#pragma once

#include <memory>
#include <string>
#include <string_view>

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

  /// The text for a context, which is an object whose members are the variables. Throws error.
  [[nodiscard]] std::string render(std::string_view json_context, const options& how = {}) const;
  [[nodiscard]] std::string render(const rapidjson::Value& context, const options& how = {}) const;

 private:
  std::shared_ptr<const program> program_;
};

/// `source` is UTF-8 (else UnicodeDecodeError); `name` is for messages. Throws error.
[[nodiscard]] chat_template compile(std::string_view source, std::string name);

}  // namespace jinja
