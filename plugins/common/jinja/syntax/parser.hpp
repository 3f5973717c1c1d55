// Turns tokens into a tree, by Jinja2's grammar and with its messages.
#pragma once

#include <initializer_list>
#include <map>
#include <string_view>

#include "common/jinja/python/raise.hpp"
#include "lexer.hpp"
#include "nodes.hpp"

namespace jinja {

/// Makes the constants of a template. `into` owns them and must outlive the pool. Equal strings
/// share one object. [one thread]
class constant_pool {
 public:
  explicit constant_pool(program& into) : into_(into) {}
  [[nodiscard]] value text(std::string_view of);
  [[nodiscard]] value sequence(kind what, values items);

 private:
  program& into_;
  std::map<std::string, value, std::less<>> known_;
};

/// The names of the tags that may end a block.
using ends = std::initializer_list<std::string_view>;

/// Must be used only by the thread that created it, because stack_guard measures the stack of this
/// thread.
class parser {
 public:
  /// `source`, valid UTF-8, may be destroyed afterwards; `pool` must outlive the parser. Throws
  /// error if the first token is a fault.
  parser(std::string_view source, constant_pool& pool);
  /// Returns the statements of the template. Call it once. Throws error if the template breaks the
  /// grammar, has a tag that this library leaves out, or is nested too deeply.
  [[nodiscard]] std::vector<stmt> run();

 private:
  // Functions that read tokens.
  [[nodiscard]] const token& current() const { return tokens_[at_]; }
  [[nodiscard]] bool is(token_type type) const { return current().type == type; }
  [[nodiscard]] bool is_name(std::string_view name) const;
  [[nodiscard]] const token& look();
  void advance();
  bool skip(token_type type);
  bool skip_name(std::string_view name);
  token expect(token_type type);
  token expect_name(std::string_view name);
  [[noreturn]] void unexpected(std::string_view wanted) const;
  [[noreturn]] void fail(const std::string& message, int line = 0) const;

  // Functions that parse statements.
  std::vector<stmt> statements(ends until, bool drop);
  std::vector<stmt> subparse(const std::vector<std::string_view>* until);
  stmt statement();
  stmt tag();
  stmt for_loop();
  stmt condition();
  stmt assignment();
  stmt with();
  stmt macro();
  stmt call_block();
  stmt filter_block();
  stmt generation();
  stmt print();
  void parameters(stmt& of);
  [[noreturn]] void unknown_tag(const std::string* name, int line) const;

  // Functions that parse expressions.
  expr assign_target(bool name_only, bool until_in, bool members);
  expr expression(bool with_condition = true);
  expr disjunction();
  expr conjunction();
  expr negation();
  expr comparison_chain();
  expr sum();
  expr concatenation();
  expr product();
  expr power();
  expr unary(bool with_filter = true);
  expr primary(bool members = false);
  expr tuple(bool simple, bool with_condition, std::string_view end_name, bool parentheses,
             bool members = false);
  expr list();
  expr dict();
  expr postfix(expr of);
  expr filters_and_tests(expr of);
  expr subscript(expr of);
  expr subscripted(const expr& of);
  expr call(expr of);
  expr filter(expr of, bool start_inline);
  expr test(expr of);
  void arguments_of(expr& into);
  expr filter_one(expr of);

  [[nodiscard]] expr make(op what, int line) const;
  [[nodiscard]] expr make(op what, int line, std::vector<expr> items) const;
  [[nodiscard]] expr text(std::string_view of, int line);
  expr binary(arithmetic how, expr left, expr right, int line) const;
  expr folded(kind what, expr of);

  constant_pool& pool_;
  std::vector<token> tokens_;
  std::size_t at_ = 0;
  stack_guard stack_;
  std::vector<std::string> tags_;
  std::vector<std::vector<std::string_view>> until_;
};

}  // namespace jinja
