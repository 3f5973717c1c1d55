// Finds the names in a parsed template, by the two walks of Jinja2's compiler. One walk cannot
// replace the other: symbol_visitor follows the order in which statements run, and stays within a
// scope. names_in() follows the order of the tree, and enters every scope.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "nodes.hpp"
#include "symbols.hpp"

namespace jinja {

/// Returns the object of the constant pool that contains the name of an expression. It lives as
/// long as the expression.
[[nodiscard]] inline const object* name_of(const expr& of) { return of.content.get(); }

/// Reports to the symbols of a scope how its statements use names. Does not enter the scopes inside
/// this scope. Jinja2's class for this walk is FrameSymbolVisitor. The symbols must outlive the
/// visitor.
class symbol_visitor {
 public:
  explicit symbol_visitor(symbols& into) : into_(into) {}

  /// `declare`: every name in the expression is reported as a parameter, even if the tree marks it
  /// as read or assigned. Jinja2 does so for the targets of `for`.
  void visit(const expr& of, bool declare = false);
  void visit(const stmt& of);
  void all(const std::vector<expr>& exprs, bool declare = false);
  void all(const std::vector<stmt>& body);

 private:
  void condition(const stmt& of);

  symbols& into_;
};

/// Called with a name, its use, and its line.
using name_listener = std::function<void(std::string_view name, use how, int line)>;

/// Reports every name in a statement, including the names of the scopes inside it, in the order of
/// Jinja2's tree.
void names_in(const stmt& of, const name_listener& listener);

/// Returns whether a name is read before `body` assigns it.
[[nodiscard]] bool reads(const std::vector<stmt>& body, std::string_view name);

}  // namespace jinja
