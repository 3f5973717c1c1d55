// The suffixes of a value: attributes, items, calls, filters and tests.
#include "parser.hpp"

namespace jinja {

namespace {

std::vector<expr> one(expr of) {
  std::vector<expr> out;
  out.push_back(std::move(of));
  return out;
}

}  // namespace

expr parser::postfix(expr of) {
  for (;;) {
    if (is(token_type::dot) || is(token_type::lbracket))
      of = subscript(std::move(of));
    else if (is(token_type::lparen))
      of = call(std::move(of));
    else
      return of;
  }
}

expr parser::filters_and_tests(expr of) {
  for (;;) {
    if (is(token_type::pipe))
      of = filter(std::move(of), false);
    else if (is_name("is"))
      of = test(std::move(of));
    else if (is(token_type::lparen))
      of = call(std::move(of));
    else
      return of;
  }
}

expr parser::subscript(expr of) {
  const int line = current().line;
  if (skip(token_type::dot)) {
    const token name = current();
    advance();
    if (name.type == token_type::name) {
      expr out = make(op::attribute, line, one(std::move(of)));
      out.content = pool_.text(name.text);
      return out;
    }
    if (name.type != token_type::integer) fail("expected name or number", name.line);
    std::vector<expr> items = one(std::move(of));
    items.push_back(make(op::constant, name.line));
    items.back().content = value(*parse_integer(name.text, 0));
    return make(op::item, line, std::move(items));
  }
  expect(token_type::lbracket);
  std::vector<expr> keys;
  while (!is(token_type::rbracket)) {
    if (!keys.empty()) expect(token_type::comma);
    keys.push_back(subscripted(of));
  }
  expect(token_type::rbracket);
  if (keys.size() == 1 && keys[0].what == op::slice) {
    std::vector<expr> parts = std::move(keys[0].items);
    parts.insert(parts.begin(), std::move(of));
    return make(op::slice, line, std::move(parts));
  }
  for (const expr& key : keys)
    if (key.what == op::slice) raise_unsupported("a slice among several subscripts", line);
  std::vector<expr> items = one(std::move(of));
  if (keys.size() == 1)
    items.push_back(std::move(keys[0]));
  else
    items.push_back(folded(kind::tuple, make(op::tuple, line, std::move(keys))));
  return make(op::item, line, std::move(items));
}

/// Parses the inside of the brackets: one key, or a slice.
expr parser::subscripted(const expr& of) {
  const int line = of.line;
  std::vector<expr> parts;
  const auto at_end = [&] { return is(token_type::rbracket) || is(token_type::comma); };
  if (skip(token_type::colon)) {
    parts.push_back(make(op::nothing, line));
  } else {
    expr key = expression();
    if (!skip(token_type::colon)) return key;
    parts.push_back(std::move(key));
  }
  if (is(token_type::colon) || at_end())
    parts.push_back(make(op::nothing, line));
  else
    parts.push_back(expression());
  if (skip(token_type::colon) && !at_end())
    parts.push_back(expression());
  else
    parts.push_back(make(op::nothing, line));
  return make(op::slice, line, std::move(parts));
}

expr parser::call(expr of) {
  expr out = make(op::call, current().line, one(std::move(of)));
  arguments_of(out);
  return out;
}

void parser::arguments_of(expr& into) {
  const int line = expect(token_type::lparen).line;
  const auto ensure = [&](bool good) {
    if (!good) fail("invalid syntax for function call expression", line);
  };
  bool comma = false;
  while (!is(token_type::rparen)) {
    if (comma) {
      expect(token_type::comma);
      if (is(token_type::rparen)) break;
    }
    comma = true;
    if (is(token_type::mul)) {
      ensure(into.more.empty() && into.more_named.empty());
      advance();
      into.more.push_back(expression());
    } else if (is(token_type::pow)) {
      ensure(into.more_named.empty());
      advance();
      into.more_named.push_back(expression());
    } else if (is(token_type::name) && look().type == token_type::assign) {
      ensure(into.more_named.empty());
      const value name = pool_.text(current().text);
      for (const value& other : into.names)
        if (other.same(name))
          throw error("SyntaxError", "keyword argument repeated: " + current().text, line);
      advance();
      advance();
      into.names.push_back(name);
      into.named.push_back(expression());
    } else {
      ensure(into.more.empty() && into.more_named.empty() && into.names.empty());
      into.items.push_back(expression());
    }
  }
  expect(token_type::rparen);
  // The depth of the arguments counts in the same way as the depth of the value.
  const auto deepen = [&](const std::vector<expr>& parts) {
    for (const expr& part : parts)
      into.depth = std::max(into.depth, static_cast<std::uint16_t>(part.depth + 1));
  };
  deepen(into.items);
  deepen(into.named);
  deepen(into.more);
  deepen(into.more_named);
}

expr parser::filter_one(expr of) {
  const token name = expect(token_type::name);
  std::string full = name.text;
  while (skip(token_type::dot))
    full += "." + expect(token_type::name).text;
  expr out = make(op::filter, name.line, one(std::move(of)));
  out.content = pool_.text(full);
  if (is(token_type::lparen)) arguments_of(out);
  return out;
}

expr parser::filter(expr of, bool start_inline) {
  if (start_inline) of = filter_one(std::move(of));
  while (skip(token_type::pipe))
    of = filter_one(std::move(of));
  return of;
}

expr parser::test(expr of) {
  const int line = current().line;
  advance();
  const bool negated = skip_name("not");
  std::string name = expect(token_type::name).text;
  while (skip(token_type::dot))
    name += "." + expect(token_type::name).text;
  expr out = make(op::test, line, one(std::move(of)));
  out.content = pool_.text(name);
  switch (current().type) {
    case token_type::lparen: arguments_of(out); break;
    case token_type::name:
      if (is_name("else") || is_name("or") || is_name("and")) break;
      if (is_name("is")) fail("You cannot chain multiple tests with is");
      [[fallthrough]];
    case token_type::string:
    case token_type::integer:
    case token_type::real:
    case token_type::lbracket:
    case token_type::lbrace:
      out.items.push_back(postfix(primary()));
      out.depth = std::max(out.depth, static_cast<std::uint16_t>(out.items.back().depth + 1));
      break;
    default: break;
  }
  return negated ? make(op::negation, line, one(std::move(out))) : std::move(out);
}

}  // namespace jinja
