// The arguments of an offline command as texts: values of declared flags, and the options that the
// engine gets. The rules are those of upstream's parser: "_" means "-" in a name, --NAME=TEXT is
// --NAME TEXT, and the last of several equal flags counts. A flag cannot be abbreviated, because
// the engine may have an option with the short name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "offline/engine_options.hpp"
#include "offline/offline_flags.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// The value of a declared flag.
struct flag_text {
  const offline_flag* flag = nullptr;
  std::string member;  // of a JSON flag with --NAME.MEMBER; otherwise empty
  std::string text;    // of a toggle: "true" or "false"
  base::source_position where;
};

struct offline_line {
  benchmark command = benchmark::throughput;
  std::vector<flag_text> given;  // in order
  engine_options engine;
  bool help = false;  // --help or -h; later arguments were not read
};

/// Reads the arguments after the command's name. An option that is not declared goes to the engine
/// with all arguments up to the next option; -tp, -pp, -dp, -ep, -q, -cc and -O stand for the long
/// names. Throws options::usage_error for a value that is missing or that a toggle does not take,
/// an argument that is no option, another short option, --config, and what engine_options::table()
/// refuses.
[[nodiscard]] offline_line read_offline_line(benchmark which, std::span<const std::string> args);

/// The same from a table of a TOML file: declared keys, and the options of the engine in the table
/// `engine`. Throws options::usage_error, with the position, for a key that is not declared and for
/// a value whose type does not fit.
[[nodiscard]] offline_line read_offline_table(benchmark which, const options::node& table);

/// The checked values of a line. Errors are options::usage_error for texts of the wrong form, as of
/// upstream's parser (status 2), and base::error for numbers out of range (status 1).
class offline_values {
 public:
  /// `line` must outlive this object.
  explicit offline_values(const offline_line& line) : line_(line) {}

  [[nodiscard]] bool given(std::string_view name) const { return last(name) != nullptr; }
  [[nodiscard]] bool on(std::string_view name) const;
  // The given value, otherwise the default, which may be null.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const;
  [[nodiscard]] std::optional<double> real(std::string_view name) const;
  /// The text, which must be one of the names in `of` or `also`.
  [[nodiscard]] std::string choice(std::string_view name, std::span<const std::string> of,
                                   std::span<const std::string> also = {}) const;
  /// An object: members that were given one by one are laid over the object that was given before
  /// them, or over an empty object.
  [[nodiscard]] options::node object(std::string_view name) const;
  /// The value with the type of the flag, for records of the arguments.
  [[nodiscard]] options::node value(const offline_flag& flag) const;

 private:
  [[nodiscard]] const flag_text* last(std::string_view name) const;
  [[nodiscard]] const offline_flag& flag(std::string_view name) const;

  const offline_line& line_;
};

/// All arguments of upstream's parser by its names: the declared flags with their values or
/// defaults, and the options of the engine.
[[nodiscard]] options::node arguments_of(const offline_line& line);

}  // namespace inferbench::offline
