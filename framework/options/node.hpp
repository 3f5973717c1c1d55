// A value whose type is not checked yet, from TOML, JSON or the command line. Tables keep the order
// in which they were written, so that JSON for a plugin and printed configuration look as the user
// wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace inferbench::options {

struct node {
  enum class kind : std::uint8_t { null, boolean, integer, real, big, text, list, table };

  kind type = kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;                // a text; a big integer's digits; a flag's number as written
  std::vector<std::string> names;  // in a table: names[i] belongs to items[i]
  std::vector<node> items;         // in a list or a table
  base::source_position where;
  std::string variable;  // `text` was "${variable}" and is now the variable's value

  [[nodiscard]] static node of(bool value);
  [[nodiscard]] static node of(std::int64_t value);
  [[nodiscard]] static node of(double value);
  [[nodiscard]] static node of(std::string value);
  [[nodiscard]] static node list();
  [[nodiscard]] static node table();

  [[nodiscard]] bool is(kind which) const noexcept { return type == which; }

  /// The member of this name; nullptr if there is none or if this is not a table.
  [[nodiscard]] const node* find(std::string_view name) const;
  [[nodiscard]] node* find(std::string_view name);

  /// Sets the member; a member of this name is replaced in its place. This must be a table.
  node& set(std::string_view name, node value);
};

/// The most levels of nesting in a value. Nodes are read, written and destroyed by recursion, and
/// deeper nodes would overflow the stack.
inline constexpr int deepest = 200;

/// "a text", "a whole number", "a table": for messages.
[[nodiscard]] std::string_view noun_of(const node& value);

/// Lays `above` over `below`: tables merge, lists join, all else is replaced.
void merge(node& below, node above);

/// The last of several members with one name counts. Throws an error that names `place`: malformed
/// JSON.
[[nodiscard]] node parse_json_node(std::string_view text, const std::string& place);

/// JSON text in the layout of ifb::json_writer. Throws base::error at the value's
/// position: inf or nan, which JSON does not have.
[[nodiscard]] std::string to_json(const node& value);

/// TOML text of a value on one line; a text with a `variable` as "${NAME}". TOML has neither null
/// nor integers beyond 64 bits: a value with one of them becomes a text that holds JSON, which
/// options of type JSON read back (flag_value.hpp, holds_json()).
[[nodiscard]] std::string to_toml(const node& value);

/// A text as a TOML basic string, quotes included.
[[nodiscard]] std::string toml_text(std::string_view text);
/// A key for the left side of "=": without quotes if TOML allows that.
[[nodiscard]] std::string toml_key(std::string_view name);

/// The text "${NAME}" stands for an environment variable, and "$${NAME}" for the text "${NAME}".
/// Both must be the whole value.
[[nodiscard]] std::string_view variable_in(std::string_view text) noexcept;
[[nodiscard]] std::string escape_variable(std::string_view text);
[[nodiscard]] std::string unescape_variable(std::string_view text);

}  // namespace inferbench::options
