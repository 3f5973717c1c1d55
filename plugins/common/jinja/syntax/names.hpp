// The names in a tree, by the two walks that Jinja2's compiler has. They cannot be one: the first
// follows the order in which statements run and stays within a scope, the second follows the order
// of the tree and enters every scope.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "nodes.hpp"
#include "symbols.hpp"

namespace jinja {

/// The object of the constant pool that is an expression's name.
[[nodiscard]] inline const object* name_of(const expr& of) { return of.content.get(); }

/// Tells the symbols of a scope what its statements do with names. Does not enter the scopes inside
/// it. Jinja2 has it as FrameSymbolVisitor.
class symbol_visitor {
 public:
  explicit symbol_visitor(symbols& into) : into_(into) {}

  /// `declare`: names are parameters, whatever the tree says.
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

/// Tells every name in a statement, those of the scopes inside it too, in the order of Jinja2's
/// tree.
void names_in(const stmt& of, const name_listener& listener);

/// Whether a name is read before anything of that name is made.
[[nodiscard]] bool reads(const std::vector<stmt>& body, std::string_view name);

}  // namespace jinja
