// A parsed template. The parser creates it, and `resolve` (scope.hpp) gives each name its place.
// After that it is immutable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/jinja/python/python.hpp"

namespace jinja {

struct signature;

enum class op : std::uint8_t {
  constant,
  name,
  member,  // namespace.attribute as the target of an assignment
  tuple,
  list,
  dict,  // keys and values alternate
  arithmetic,
  negative,
  positive,
  negation,
  conjunction,
  disjunction,
  concatenation,
  comparison,
  condition,  // test, then, otherwise (may be missing)
  filter,
  test,
  call,
  attribute,
  item,
  slice,   // value, start, stop, step (`nothing` if not given)
  buffer,  // the output of a filter block or set block
  nothing,
};

/// The place of a variable: a slot in the local variables of a function, which encloses the current
/// function at a distance of `hops`.
struct place {
  std::uint32_t hops = 0;
  std::uint32_t slot = 0;
};

enum class use : std::uint8_t { load, store, parameter };

struct expr {
  op what = op::nothing;
  int line = 0;
  arithmetic how{};
  use ctx{};
  /// The depth of the tree below this node, including the node.
  std::uint16_t depth = 1;
  place at;
  /// The value of a constant, or the name of a variable, attribute, filter or test.
  value content;
  /// The filter or test; null if there is none with this name.
  const signature* function = nullptr;
  std::vector<expr> items;
  std::vector<comparison> comparisons;
  /// The names of named arguments; `named` contains their values.
  values names;
  std::vector<expr> named;
  // The values of *arguments and **arguments; each list has at most one element.
  std::vector<expr> more;
  std::vector<expr> more_named;
};

/// Calls `visit` with each expression directly below `of`, in the order of Jinja2's tree.
template <typename tree, typename call>
void for_each_operand(tree& of, const call& visit) {
  for (auto* const operands : {&of.items, &of.named, &of.more, &of.more_named})
    for (auto& operand : *operands)
      visit(operand);
}

/// Sets a variable when its scope is entered.
struct load {
  enum class from : std::uint8_t { context, outer, nowhere };
  from what = from::nowhere;
  std::uint32_t slot = 0;
  place outer;
  /// Index in program::names.
  std::uint32_t name = 0;
};

struct scope {
  std::vector<load> loads;
  /// The slots of the variables that are removed when the scope is left.
  std::vector<std::uint32_t> leaves;
};

struct stmt;

/// Code with its own local variables: the template, a macro, the body of a call, a loop's filter.
struct function {
  std::uint32_t slots = 0;
  scope entry;
  /// The parameters of a macro, and their slots.
  values parameters;
  std::vector<std::uint32_t> parameter_slots;
  /// Default values of the last parameters.
  std::vector<expr> defaults;
  // The slots of the special variables that the body uses; -1: not used.
  std::int32_t caller = -1;
  std::int32_t kwargs = -1;
  std::int32_t varargs = -1;
  bool explicit_caller = false;
  std::vector<stmt> body;
};

enum class verb : std::uint8_t {
  output,
  loop,
  condition,
  assign,
  assign_block,
  macro,
  call_block,
  generation,
  filter_block,
  with,
  stop,
  next,
};

struct stmt {
  verb what{};
  int line = 0;
  /// assign and assign_block have one target. loop has one, and a second target for its filter.
  /// with has all its targets. macro has its name.
  std::vector<expr> targets;
  /// The expressions of the statement. output: the printed values; loop: the iterable; condition:
  /// the tests; assign: the value; with: its values; call_block: the call.
  std::vector<expr> parts;
  /// assign_block, filter_block: the filter or `nothing`. loop: its test or `nothing`.
  expr filter;
  /// condition: one block per test, followed by the block of `else`, which may be empty. loop: the
  /// body and the block of `else`.
  std::vector<std::vector<stmt>> blocks;
  /// The scopes of the block; for a loop, of its body and of its `else`.
  scope inner;
  scope otherwise;
  /// loop: the slot of the variable `loop`, if the body uses it.
  std::int32_t loop_slot = -1;
  /// macro, call_block, generation: the called code; loop: the code of its filter.
  std::unique_ptr<function> code;
};

/// A later constant may refer to an earlier constant, so the last constant is destroyed first.
struct constant_list : std::vector<std::unique_ptr<object>> {
  constant_list() = default;
  constant_list(const constant_list&) = delete;
  constant_list& operator=(const constant_list&) = delete;
  ~constant_list() {
    while (!empty())
      pop_back();
  }
};

/// A compiled template.
struct program {
  std::string name;
  /// The constants of the tree. They must outlive the tree, so they are the first member.
  constant_list constants;
  /// The names of variables that come from the context or are globals.
  values names;
  function root;
};

}  // namespace jinja
