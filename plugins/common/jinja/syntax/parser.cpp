#include "parser.hpp"

#include <algorithm>

namespace jinja {

namespace {

// Python's compiler allows a hundred levels of indentation.
constexpr std::size_t deepest_block = 90;

}  // namespace

value constant_pool::text(std::string_view of) {
  const auto found = known_.find(of);
  if (found != known_.end()) return found->second;
  into_.constants.push_back(std::make_unique<text_object>(std::string(of)));
  return known_.emplace(of, value(into_.constants.back().get())).first->second;
}

value constant_pool::sequence(kind what, values items) {
  into_.constants.push_back(std::make_unique<sequence_object>(what, std::move(items)));
  return value(into_.constants.back().get());
}

parser::parser(std::string_view source, constant_pool& pool)
    : pool_(pool), tokens_(tokenize(source)) {
  if (is(token_type::fault)) throw error(*current().fault);
}

std::vector<stmt> parser::run() { return subparse(nullptr); }

bool parser::is_name(std::string_view name) const {
  return is(token_type::name) && current().text == name;
}

const token& parser::look() {
  const token& next = tokens_[std::min(at_ + 1, tokens_.size() - 1)];
  if (next.type == token_type::fault) throw error(*next.fault);
  return next;
}

void parser::advance() {
  if (at_ + 1 < tokens_.size()) ++at_;
  if (is(token_type::fault)) throw error(*current().fault);
}

bool parser::skip(token_type type) {
  if (!is(type)) return false;
  advance();
  return true;
}

bool parser::skip_name(std::string_view name) {
  if (!is_name(name)) return false;
  advance();
  return true;
}

token parser::expect(token_type type) {
  if (!is(type)) unexpected(describe(type));
  token out = current();
  advance();
  return out;
}

token parser::expect_name(std::string_view name) {
  if (!is_name(name)) unexpected(name);
  token out = current();
  advance();
  return out;
}

void parser::unexpected(std::string_view wanted) const {
  if (is(token_type::end)) fail("unexpected end of template, expected " + quoted(wanted) + ".");
  fail("expected token " + quoted(wanted) + ", got " +
       quoted(is(token_type::name) ? current().text : describe(current().type)));
}

void parser::fail(const std::string& message, int line) const {
  throw error("TemplateSyntaxError", message, line == 0 ? current().line : line);
}

std::vector<stmt> parser::statements(ends until, bool drop) {
  skip(token_type::colon);
  expect(token_type::block_end);
  const std::vector<std::string_view> names(until);
  auto out = subparse(&names);
  if (is(token_type::end)) {
    until_.push_back(names);
    unknown_tag(nullptr, current().line);
  }
  if (drop) advance();
  return out;
}

std::vector<stmt> parser::subparse(const std::vector<std::string_view>* until) {
  stack_.check();
  if (until_.size() > deepest_block) fail("too many levels of nesting");
  std::vector<stmt> out;
  if (until != nullptr) until_.push_back(*until);
  // Adjacent texts and expressions become one statement.
  bool flushed = true;
  while (!is(token_type::end)) {
    if (is(token_type::data) || is(token_type::variable_begin)) {
      if (flushed) {
        out.emplace_back();
        out.back().what = verb::output;
        out.back().line = current().line;
        flushed = false;
      }
      if (is(token_type::data)) {
        out.back().parts.push_back(text(current().text, current().line));
        advance();
      } else {
        advance();
        out.back().parts.push_back(tuple(false, true, {}, false));
        expect(token_type::variable_end);
      }
      continue;
    }
    if (!is(token_type::block_begin)) fail("internal parsing error");
    flushed = true;
    advance();
    if (until != nullptr && is(token_type::name) &&
        std::ranges::find(*until, current().text) != until->end()) {
      until_.pop_back();
      return out;
    }
    out.push_back(statement());
    expect(token_type::block_end);
  }
  if (until != nullptr) until_.pop_back();
  return out;
}

stmt parser::statement() {
  if (!is(token_type::name)) fail("tag name expected");
  tags_.push_back(current().text);
  stmt out = tag();
  tags_.pop_back();
  return out;
}

stmt parser::tag() {
  const std::string name = current().text;
  const int line = current().line;
  if (name == "for") return for_loop();
  if (name == "if") return condition();
  if (name == "set") return assignment();
  if (name == "with") return with();
  if (name == "macro") return macro();
  if (name == "call") return call_block();
  if (name == "filter") return filter_block();
  if (name == "generation") return generation();
  if (name == "print") return print();
  if (name == "break" || name == "continue") {
    advance();
    stmt out;
    out.what = name == "break" ? verb::stop : verb::next;
    out.line = line;
    return out;
  }
  for (const char* const other : {"block", "extends", "include", "import", "from", "autoescape"})
    if (name == other) raise_unsupported("the tag " + quoted(name), line);
  tags_.pop_back();
  unknown_tag(&name, line);
}

stmt parser::for_loop() {
  stmt out;
  out.what = verb::loop;
  out.line = expect_name("for").line;
  out.targets.push_back(assign_target(false, true, false));
  expect_name("in");
  out.parts.push_back(tuple(false, false, "recursive", false));
  if (skip_name("if")) out.filter = expression();
  if (is_name("recursive")) raise_unsupported("a recursive loop", current().line);
  out.blocks.push_back(statements({"endfor", "else"}, false));
  const bool otherwise = is_name("else");
  advance();
  out.blocks.emplace_back();
  if (otherwise) out.blocks.back() = statements({"endfor"}, true);
  return out;
}

stmt parser::condition() {
  stmt out;
  out.what = verb::condition;
  out.line = expect_name("if").line;
  for (;;) {
    out.parts.push_back(tuple(false, false, {}, false));
    out.blocks.push_back(statements({"elif", "else", "endif"}, false));
    const bool again = is_name("elif");
    const bool otherwise = is_name("else");
    advance();
    if (again) continue;
    if (otherwise) out.blocks.push_back(statements({"endif"}, true));
    return out;
  }
}

stmt parser::assignment() {
  stmt out;
  out.line = current().line;
  advance();
  out.targets.push_back(assign_target(false, false, true));
  if (skip(token_type::assign)) {
    out.what = verb::assign;
    out.parts.push_back(tuple(false, true, {}, false));
    return out;
  }
  out.what = verb::assign_block;
  if (is(token_type::pipe)) out.filter = filter(make(op::buffer, out.line), false);
  out.blocks.push_back(statements({"endset"}, true));
  return out;
}

stmt parser::with() {
  stmt out;
  out.what = verb::with;
  out.line = current().line;
  advance();
  while (!is(token_type::block_end)) {
    if (!out.targets.empty()) expect(token_type::comma);
    out.targets.push_back(assign_target(false, false, false));
    const auto declare = [](const auto& self, expr& target) -> void {
      target.ctx = use::parameter;
      for (expr& item : target.items)
        self(self, item);
    };
    declare(declare, out.targets.back());
    expect(token_type::assign);
    out.parts.push_back(expression());
  }
  out.blocks.push_back(statements({"endwith"}, true));
  return out;
}

void parser::parameters(stmt& of) {
  expect(token_type::lparen);
  while (!is(token_type::rparen)) {
    if (!of.code->parameters.empty()) expect(token_type::comma);
    const expr name = assign_target(true, false, false);
    if (skip(token_type::assign))
      of.code->defaults.push_back(expression());
    else if (!of.code->defaults.empty())
      fail("non-default argument follows default argument");
    of.code->parameters.push_back(name.content);
  }
  expect(token_type::rparen);
}

stmt parser::macro() {
  stmt out;
  out.what = verb::macro;
  out.line = current().line;
  out.code = std::make_unique<function>();
  advance();
  out.targets.push_back(assign_target(true, false, false));
  parameters(out);
  out.code->body = statements({"endmacro"}, true);
  return out;
}

stmt parser::call_block() {
  stmt out;
  out.what = verb::call_block;
  out.line = current().line;
  out.code = std::make_unique<function>();
  advance();
  if (is(token_type::lparen)) parameters(out);
  out.parts.push_back(expression());
  if (out.parts[0].what != op::call) fail("expected call", out.line);
  out.code->body = statements({"endcall"}, true);
  return out;
}

stmt parser::filter_block() {
  stmt out;
  out.what = verb::filter_block;
  out.line = current().line;
  advance();
  out.filter = filter(make(op::buffer, out.line), true);
  out.blocks.push_back(statements({"endfilter"}, true));
  return out;
}

stmt parser::generation() {
  stmt out;
  out.what = verb::generation;
  out.line = current().line;
  out.code = std::make_unique<function>();
  advance();
  out.code->body = statements({"endgeneration"}, true);
  return out;
}

stmt parser::print() {
  stmt out;
  out.line = current().line;
  advance();
  while (!is(token_type::block_end)) {
    if (!out.parts.empty()) expect(token_type::comma);
    out.parts.push_back(expression());
  }
  return out;
}

void parser::unknown_tag(const std::string* name, int line) const {
  std::string message = name == nullptr ? "Unexpected end of template."
                                        : "Encountered unknown tag " + quoted(*name) + ".";
  if (!until_.empty()) {
    std::string wanted;
    for (const std::string_view end : until_.back())
      wanted += (wanted.empty() ? "" : " or ") + quoted(end);
    const bool misplaced = name != nullptr && std::ranges::any_of(until_, [&](const auto& names) {
                             return std::ranges::find(names, *name) != names.end();
                           });
    message += misplaced ? " You probably made a nesting mistake. Jinja is expecting this tag, but "
                           "currently looking for " +
                               wanted + "."
                         : " Jinja was looking for the following tags: " + wanted + ".";
  }
  if (!tags_.empty())
    message += " The innermost block that needs to be closed is " + quoted(tags_.back()) + ".";
  fail(message, line);
}

}  // namespace jinja
