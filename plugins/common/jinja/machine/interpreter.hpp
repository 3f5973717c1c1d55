// Executes a compiled template.
#pragma once

#include "common/jinja/python/call.hpp"
#include "common/jinja/syntax/nodes.hpp"

namespace jinja {

/// Executes one rendering. [one thread]
class interpreter final : public rendering {
 public:
  interpreter(const program& of, const options& how) : rendering(how), program_(of) {}

  /// `context` is a dict.
  std::string run(const value& context);

  value call_macro(const value& macro, arguments& given) override;
  /// Evaluates the filter of a for loop (`for ... if`) for one item. Returns the item as the loop's
  /// target receives it, or a missing value if the filter refuses it.
  value keep(const stmt& loop, frame_object& in, const value& item);

 private:
  enum class flow : std::uint8_t { on, stop, next };

  // Functions that execute statements.
  flow run(const std::vector<stmt>& body);
  flow run(const stmt& of);
  void output(const stmt& of);
  flow loop(const stmt& of);
  flow condition(const stmt& of);
  flow captured(const stmt& of);
  flow with(const stmt& of);
  void define_macro(const stmt& of);
  void call_block(const stmt& of);
  void write(const value& text);
  void assign(const expr& target, const value& to);
  void unpack(const expr& target, const value& from);
  void require_name_spaces(const expr& target);
  void enter(const scope& into);
  void leave(const scope& from);
  flow block(const std::vector<stmt>& body, const scope& in);
  value run_body(const function& code, const value& frame);
  value filtered(const stmt& of, const value& over);

  // Functions that evaluate expressions.
  value evaluate(const expr& of);
  value name(const expr& of);
  value list(const expr& of);
  value dict(const expr& of);
  value concatenate(const expr& of);
  value compare_chain(const expr& of);
  value conditional(const expr& of);
  value filter(const expr& of);
  value test(const expr& of);
  value call_expression(const expr& of, const value* caller = nullptr);
  void arguments_of(const expr& of, std::size_t from, arguments& into);
  value& variable(const place& at);

  const program& program_;
  /// The values of the variables program_.names.
  values context_;
  frame_object* frame_ = nullptr;
  /// The value of the expression op::buffer.
  value buffer_;
};

}  // namespace jinja
