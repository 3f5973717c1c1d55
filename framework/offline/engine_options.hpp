// Options that a command line passes through to the engine. The engine checks them; the framework
// looks at a few of them only, such as --model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/node.hpp"

namespace inferbench::offline {

/// One option as it was given.
struct engine_option {
  // Without dashes at the beginning: "max-model-len", "no-enable-prefix-caching". The first part of
  // a name has "-" for "_"; the parts behind a dot are as written:
  // "compilation-config.cudagraph_mode". A "+" at the end adds to a list.
  std::string name;
  std::vector<std::string> values;  // empty: a switch
  bool for_engine = false;          // written as --engine.NAME: no option of another plugin

  friend bool operator==(const engine_option&, const engine_option&) = default;
};

/// The options in the order of the command line. A value type.
class engine_options {
 public:
  engine_options() = default;
  explicit engine_options(std::vector<engine_option> all) : all_(std::move(all)) {}

  [[nodiscard]] const std::vector<engine_option>& all() const noexcept { return all_; }
  void add(engine_option option) { all_.push_back(std::move(option)); }

  /// The value of the last option with this name; nullptr if it was not given or has no value.
  [[nodiscard]] const std::string* text(std::string_view name) const;
  /// The text as a whole number; nullopt if it was not given. Throws options::usage_error if it is
  /// no whole number.
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const;
  /// The value of the last of --NAME and --no-NAME; nullopt if neither was given. Throws
  /// options::usage_error for a value other than true and false.
  [[nodiscard]] std::optional<bool> toggle(std::string_view name) const;
  /// Whether --NAME, --no-NAME or a member of it was given.
  [[nodiscard]] bool has(std::string_view name) const;

  /// The options as Python's destinations: "_" for "-" in names, false for --no-NAME, true for a
  /// switch, JSON for a text that is JSON, lists for several values, tables for --NAME.KEY. The
  /// last of equal options counts. Throws options::usage_error for more than options::deepest
  /// levels and for a name with an empty part, such as "a..b".
  [[nodiscard]] options::node table() const;

 private:
  std::vector<engine_option> all_;
};

/// The value of a text of the command line: JSON if the text is JSON, True, False and None of
/// Python, otherwise the text.
[[nodiscard]] options::node value_of_text(const std::string& text);

/// Sets the member `path` ("a.b.c", or "a.b+", which adds to a list) of a table.
void put_member(options::node& table, std::string_view path, options::node value);

/// Appends the option as words of a command line.
void add_words(const engine_option& option, std::vector<std::string>& to);

/// Dashes as underscores.
[[nodiscard]] std::string destination_of(std::string_view name);

}  // namespace inferbench::offline
