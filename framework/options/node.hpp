// A value before its type is checked: what TOML, JSON and the command line have in
// common. Tables keep the order in which they were written, so that JSON handed to
// a plugin, and configuration that is printed, look as the user wrote them.
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
  std::string text;  // text; of a big integer its digits; of a flag's number as written
  std::vector<std::string> names;  // of a table: names[i] belongs to items[i]
  std::vector<node> items;         // of a list or a table
  base::source_position where;
  std::string variable;  // text was "${variable}" and is the variable's value now

  [[nodiscard]] static node of(bool value);
  [[nodiscard]] static node of(std::int64_t value);
  [[nodiscard]] static node of(double value);
  [[nodiscard]] static node of(std::string value);
  [[nodiscard]] static node list();
  [[nodiscard]] static node table();

  [[nodiscard]] bool is(kind which) const noexcept { return type == which; }

  /// The member of that name, or nullptr; also for what is no table.
  [[nodiscard]] const node* find(std::string_view name) const;
  [[nodiscard]] node* find(std::string_view name);

  /// Sets the member, in its old place if there was one. This must be a table.
  node& set(std::string_view name, node value);
};

/// Levels that a value may have. Nodes are read, written and destroyed by recursion, which
/// deeper ones would take beyond the stack.
inline constexpr int deepest = 200;

/// "a text", "a whole number", "a table": for messages.
[[nodiscard]] std::string_view noun_of(const node& value);

/// Lays `above` over `below`: tables merge, lists join, all else is replaced.
void merge(node& below, node above);

/// Throws error naming `place`: malformed JSON. Of a repeated member the last counts.
[[nodiscard]] node parse_json_node(std::string_view text, const std::string& place);

/// JSON text in the layout of ifb::json_writer. Throws base::error at the value's
/// position for inf and nan, which JSON has not.
[[nodiscard]] std::string to_json(const node& value);

/// TOML text of a value on one line; a text with a `variable` as "${NAME}". What TOML cannot say
/// (null, integers beyond 64 bits) makes the whole value a text that holds JSON, which options of
/// type JSON read back (option.hpp).
[[nodiscard]] std::string to_toml(const node& value);

/// A text as a TOML basic string, quotes included.
[[nodiscard]] std::string toml_text(std::string_view text);
/// A key as it stands left of "=": bare where it may be.
[[nodiscard]] std::string toml_key(std::string_view name);

/// A text that reads "${NAME}" stands for an environment variable; "$${NAME}" for the
/// text "${NAME}". Whole values only.
[[nodiscard]] std::string_view variable_in(std::string_view text) noexcept;
[[nodiscard]] std::string escape_variable(std::string_view text);
[[nodiscard]] std::string unescape_variable(std::string_view text);

}  // namespace inferbench::options
