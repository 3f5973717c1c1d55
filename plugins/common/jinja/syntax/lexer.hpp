// Splits a template's text into tokens, by Jinja2's rules for white space around tags.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/jinja/python/error.hpp"
#include "common/jinja/python/value.hpp"

namespace jinja {

enum class token_type : std::uint8_t {
  data,
  variable_begin,
  variable_end,
  block_begin,
  block_end,
  name,
  string,
  integer,
  real,
  add,
  sub,
  mul,
  div,
  floordiv,
  mod,
  pow,
  tilde,
  lbracket,
  rbracket,
  lparen,
  rparen,
  lbrace,
  rbrace,
  eq,
  ne,
  lt,
  lteq,
  gt,
  gteq,
  assign,
  dot,
  colon,
  pipe,
  comma,
  semicolon,
  end,
  fault,  // the rest of the text cannot be read; the parser raises the error when it gets there
};

struct token {
  token_type type = token_type::end;
  int line = 1;
  /// Names and numbers are spelled as in the template. Data is the text outside the tags, without
  /// the white space that the rules remove. A string has no quotes, and its escape sequences are
  /// replaced by their characters.
  std::string text;
  std::optional<error> fault;
};

/// The last token is `end` or `fault`. `source` must be valid UTF-8.
[[nodiscard]] std::vector<token> tokenize(std::string_view source);

/// Returns the name of a token type for messages: "end of print statement", ")".
[[nodiscard]] std::string_view describe(token_type type);

}  // namespace jinja
