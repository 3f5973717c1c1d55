#include <algorithm>

#include "parser.hpp"

namespace jinja {

namespace {

// Recursion through a tree of this depth is safe. Python already refuses trees of smaller depth.
constexpr std::uint16_t deepest_expression = 400;

std::string_view kind_of(const expr& of) {
  switch (of.what) {
    case op::name: return "name";
    case op::tuple: return "tuple";
    case op::list: return "list";
    case op::dict: return "dict";
    default: break;
  }
  // Lists and tuples of constants were folded into constants.
  if (of.content.is(kind::list)) return "list";
  return of.content.is(kind::tuple) ? "tuple" : "const";
}

bool assignable(const expr& of) {
  static constexpr std::string_view words[] = {"true", "false", "none", "True", "False", "None"};
  if (of.what == op::name) return std::ranges::find(words, of.content.text()) == std::end(words);
  return of.what == op::member ||
         (of.what == op::tuple && std::ranges::all_of(of.items, assignable));
}

void store(expr& target) {
  target.ctx = use::store;
  for (expr& item : target.items)
    store(item);
}

}  // namespace

expr parser::make(op what, int line) const {
  expr out;
  out.what = what;
  out.line = line;
  return out;
}

expr parser::make(op what, int line, std::vector<expr> items) const {
  expr out = make(what, line);
  for (const expr& item : items)
    out.depth = std::max(out.depth, static_cast<std::uint16_t>(item.depth + 1));
  if (out.depth > deepest_expression)
    throw error("RecursionError", "maximum recursion depth exceeded", line);
  out.items = std::move(items);
  return out;
}

namespace {

template <typename... Exprs>
std::vector<expr> together(Exprs&&... exprs) {
  std::vector<expr> out;
  out.reserve(sizeof...(exprs));
  (out.push_back(std::forward<Exprs>(exprs)), ...);
  return out;
}

}  // namespace

expr parser::text(std::string_view of, int line) {
  expr out = make(op::constant, line);
  out.content = pool_.text(of);
  return out;
}

expr parser::binary(arithmetic how, expr left, expr right, int line) const {
  expr out = make(op::arithmetic, line, together(std::move(left), std::move(right)));
  out.how = how;
  return out;
}

/// Turns a list or tuple of constants into a constant, which is possible because templates cannot
/// change it.
expr parser::folded(kind what, expr of) {
  if (!std::ranges::all_of(of.items, [](const expr& item) { return item.what == op::constant; }))
    return of;
  values items;
  for (expr& item : of.items)
    items.push_back(std::move(item.content));
  expr out = make(op::constant, of.line);
  out.content = pool_.sequence(what, std::move(items));
  return out;
}

expr parser::assign_target(bool name_only, bool until_in, bool members) {
  expr out;
  if (name_only) {
    const token name = expect(token_type::name);
    out = make(op::name, name.line);
    out.content = pool_.text(name.text);
  } else {
    out = tuple(true, true, until_in ? "in" : "", false, members);
  }
  if (!assignable(out)) fail("can't assign to " + quoted(kind_of(out)), out.line);
  store(out);
  return out;
}

expr parser::expression(bool with_condition) {
  stack_.check();
  if (!with_condition) return disjunction();
  int line = current().line;
  expr out = disjunction();
  while (skip_name("if")) {
    expr test = disjunction();
    std::vector<expr> items = together(std::move(test), std::move(out));
    if (skip_name("else")) items.push_back(expression());
    out = make(op::condition, line, std::move(items));
    line = current().line;
  }
  return out;
}

expr parser::disjunction() {
  int line = current().line;
  expr left = conjunction();
  while (skip_name("or")) {
    expr right = conjunction();
    left = make(op::disjunction, line, together(std::move(left), std::move(right)));
    line = current().line;
  }
  return left;
}

expr parser::conjunction() {
  int line = current().line;
  expr left = negation();
  while (skip_name("and")) {
    expr right = negation();
    left = make(op::conjunction, line, together(std::move(left), std::move(right)));
    line = current().line;
  }
  return left;
}

expr parser::negation() {
  stack_.check();
  const int line = current().line;
  if (!skip_name("not")) return comparison_chain();
  return make(op::negation, line, together(negation()));
}

expr parser::comparison_chain() {
  int line = current().line;
  std::vector<expr> items = together(sum());
  std::vector<comparison> how;
  for (;; line = current().line) {
    const token_type type = current().type;
    if (type >= token_type::eq && type <= token_type::gteq) {
      how.push_back(
          static_cast<comparison>(static_cast<int>(type) - static_cast<int>(token_type::eq)));
      advance();
    } else if (skip_name("in")) {
      how.push_back(comparison::in);
    } else if (is_name("not") && look().type == token_type::name && look().text == "in") {
      advance();
      advance();
      how.push_back(comparison::notin);
    } else {
      break;
    }
    items.push_back(sum());
  }
  if (how.empty()) return std::move(items[0]);
  expr out = make(op::comparison, line, std::move(items));
  out.comparisons = std::move(how);
  return out;
}

expr parser::sum() {
  int line = current().line;
  expr left = concatenation();
  while (is(token_type::add) || is(token_type::sub)) {
    const arithmetic how = is(token_type::add) ? arithmetic::add : arithmetic::sub;
    advance();
    left = binary(how, std::move(left), concatenation(), line);
    line = current().line;
  }
  return left;
}

expr parser::concatenation() {
  const int line = current().line;
  std::vector<expr> items = together(product());
  while (skip(token_type::tilde))
    items.push_back(product());
  if (items.size() == 1) return std::move(items[0]);
  return make(op::concatenation, line, std::move(items));
}

expr parser::product() {
  int line = current().line;
  expr left = power();
  for (;;) {
    arithmetic how{};
    switch (current().type) {
      case token_type::mul: how = arithmetic::mul; break;
      case token_type::div: how = arithmetic::div; break;
      case token_type::floordiv: how = arithmetic::floordiv; break;
      case token_type::mod: how = arithmetic::mod; break;
      default: return left;
    }
    advance();
    left = binary(how, std::move(left), power(), line);
    line = current().line;
  }
}

expr parser::power() {
  int line = current().line;
  expr left = unary();
  while (skip(token_type::pow)) {
    left = binary(arithmetic::pow, std::move(left), unary(), line);
    line = current().line;
  }
  return left;
}

expr parser::unary(bool with_filter) {
  stack_.check();
  const int line = current().line;
  expr out;
  if (skip(token_type::sub))
    out = make(op::negative, line, together(unary(false)));
  else if (skip(token_type::add))
    out = make(op::positive, line, together(unary(false)));
  else
    out = primary();
  out = postfix(std::move(out));
  return with_filter ? filters_and_tests(std::move(out)) : std::move(out);
}

expr parser::primary(bool members) {
  const token& here = current();
  const int line = here.line;
  switch (here.type) {
    case token_type::name: {
      const std::string name = here.text;
      advance();
      expr out = make(op::constant, line);
      if (name == "true" || name == "True" || name == "false" || name == "False") {
        out.content = value(name == "true" || name == "True");
      } else if (name == "none" || name == "None") {
        out.content = value::none();
      } else {
        out.what = op::name;
        out.content = pool_.text(name);
        if (members && skip(token_type::dot)) {
          out.what = op::member;
          out.names.push_back(pool_.text(expect(token_type::name).text));
        }
      }
      return out;
    }
    case token_type::string: {
      std::string all;
      for (; is(token_type::string); advance())
        all += current().text;
      return text(all, line);
    }
    case token_type::integer:
    case token_type::real: {
      expr out = make(op::constant, line);
      if (here.type == token_type::integer)
        out.content = value(*parse_integer(here.text, 0));
      else
        out.content = value(*parse_real(here.text));
      advance();
      return out;
    }
    case token_type::lparen: {
      advance();
      expr out = tuple(false, true, {}, true);
      expect(token_type::rparen);
      return out;
    }
    case token_type::lbracket: return list();
    case token_type::lbrace: return dict();
    default: fail("unexpected " + quoted(describe(here.type)), line);
  }
}

expr parser::tuple(bool simple, bool with_condition, std::string_view end_name, bool parentheses,
                   bool members) {
  int line = current().line;
  std::vector<expr> items;
  bool is_tuple = false;
  for (;;) {
    if (!items.empty()) expect(token_type::comma);
    if (is(token_type::variable_end) || is(token_type::block_end) || is(token_type::rparen) ||
        (!end_name.empty() && is_name(end_name)))
      break;
    items.push_back(simple ? primary(members) : expression(with_condition));
    if (!is(token_type::comma)) break;
    is_tuple = true;
    line = current().line;
  }
  if (!is_tuple) {
    if (!items.empty()) return std::move(items[0]);
    if (!parentheses)
      fail("Expected an expression, got " +
           quoted(is(token_type::name) ? current().text : describe(current().type)));
  }
  expr out = make(op::tuple, line, std::move(items));
  return simple ? std::move(out) : folded(kind::tuple, std::move(out));
}

expr parser::list() {
  const int line = expect(token_type::lbracket).line;
  std::vector<expr> items;
  while (!is(token_type::rbracket)) {
    if (!items.empty()) expect(token_type::comma);
    if (is(token_type::rbracket)) break;
    items.push_back(expression());
  }
  expect(token_type::rbracket);
  return folded(kind::list, make(op::list, line, std::move(items)));
}

expr parser::dict() {
  const int line = expect(token_type::lbrace).line;
  std::vector<expr> items;
  while (!is(token_type::rbrace)) {
    if (!items.empty()) expect(token_type::comma);
    if (is(token_type::rbrace)) break;
    items.push_back(expression());
    expect(token_type::colon);
    items.push_back(expression());
  }
  expect(token_type::rbrace);
  return make(op::dict, line, std::move(items));
}

}  // namespace jinja
