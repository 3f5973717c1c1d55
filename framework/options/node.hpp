// A value whose type is not checked yet, from TOML, JSON or the command line. Tables keep the order
// of the input, so that the JSON for a plugin and the printed configuration have the order in which
// the user wrote them.
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
  std::string text;                // contents of a text; digits of a big integer; a flag's number
                                   // as the user wrote it
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

  /// The member with this name; nullptr if there is no such member or if this node is not a table.
  [[nodiscard]] const node* find(std::string_view name) const;
  [[nodiscard]] node* find(std::string_view name);

  /// Adds a member, or replaces the value of the member with this name at its position. This node
  /// must be a table.
  node& set(std::string_view name, node value);
};

/// The largest number of nested levels in a value. Nodes are read, written and destroyed by
/// recursion, so deeper nodes would overflow the stack.
inline constexpr int deepest = 200;

/// A noun for the type of a value, for messages: "a text", "a whole number", "a table".
[[nodiscard]] std::string_view noun_of(const node& value);

/// Merges `above` into `below`: tables are merged, lists are joined, and all other values of
/// `below` are replaced.
void merge(node& below, node above);

/// Lays `above` over `below`, as a later file over an earlier file: tables are merged, and all
/// other values of `below`, lists too, are replaced.
void lay_over(node& below, node above);

/// The value of a JSON text. If several members have the same name, the last counts. Throws an
/// error that contains `place` if the JSON is malformed.
[[nodiscard]] node parse_json_node(std::string_view text, const std::string& place);

/// The treatment of inf and nan, which JSON does not have.
enum class non_finite : std::uint8_t {
  refused,  // base::error with the position of the value
  written   // as ifb::json_writer does: the texts "inf" and "-inf", and null
};

/// JSON text in the layout of ifb::json_writer.
[[nodiscard]] std::string to_json(const node& value, non_finite then = non_finite::refused);

/// TOML text of a value on one line. A text with a `variable` becomes "${NAME}". TOML has no null
/// and no integers beyond 64 bits. A value that contains them becomes a text with JSON, which
/// options of type JSON can read (holds_json() in flag_value.hpp).
[[nodiscard]] std::string to_toml(const node& value);

/// A text as a TOML basic string, including the quotes.
[[nodiscard]] std::string toml_text(std::string_view text);
/// A key for the left side of "=": without quotes if TOML allows that.
[[nodiscard]] std::string toml_key(std::string_view name);

/// In a value, "${NAME}" means the value of an environment variable, and "$${NAME}" means the text
/// "${NAME}". In both cases there must be no other text in the value. variable_in() returns NAME,
/// or an empty text if `text` does not have the form "${NAME}".
[[nodiscard]] std::string_view variable_in(std::string_view text) noexcept;
[[nodiscard]] std::string escape_variable(std::string_view text);
[[nodiscard]] std::string unescape_variable(std::string_view text);

}  // namespace inferbench::options
