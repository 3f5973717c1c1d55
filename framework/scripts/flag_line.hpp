// The command line of a script of upstream: flags by name, some of which an environment
// variable can set, too. The rules are those of the other commands: "_" means "-" in names,
// "--name=value" and "--name value" are equal, and the last of several values counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "options/environment.hpp"

namespace inferbench::scripts {

/// A row of the table of flags, from which parser and help are made. Texts outlive the parser.
struct flag_row {
  std::string_view name;      // "dry-run", without dashes
  char letter;                // of the short form; 0: none
  std::string_view variable;  // of the environment; empty: none
  std::string_view value;     // the word for the value in the help; empty: a switch
  std::string_view fallback;  // the default; empty: none
  std::string_view help;      // a sentence without the full stop
};

class flag_line {
 public:
  /// The values of the flags; for a flag that is not given the value of its variable, if that is
  /// not empty. A variable of a switch is on if its value is 1. `table` must outlive the object.
  /// Throws options::usage_error for an unknown flag, a value that is missing or that a switch does
  /// not take, and an argument that is no flag. With --help nothing is checked.
  flag_line(std::span<const flag_row> table, std::span<const std::string> args,
            const options::environment& env);

  [[nodiscard]] bool asks_for_help() const noexcept { return help_; }

  // `name` is a name of the table.

  /// Whether the flag is on the command line, and not only in the environment.
  [[nodiscard]] bool on_line(std::string_view name) const;
  /// Whether the flag or its variable is given.
  [[nodiscard]] bool given(std::string_view name) const;
  /// The value of a switch.
  [[nodiscard]] bool on(std::string_view name) const;
  /// The value, or the default.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Throws options::usage_error, which names the flag or the variable, if the value is not a whole
  /// number from `least` to `most`.
  [[nodiscard]] std::int64_t whole(std::string_view name, std::int64_t least,
                                   std::int64_t most) const;
  /// The same for a finite number above 0.
  [[nodiscard]] double positive(std::string_view name) const;

 private:
  struct setting {
    std::string text;
    std::string source;  // "--dry-run" or "$DRY_RUN"
    bool from_line = false;
  };

  void read_line(std::span<const std::string> args);
  [[nodiscard]] const flag_row& row_of(const std::string& written) const;
  /// The given value, or the default.
  [[nodiscard]] setting effective(std::string_view name) const;

  std::span<const flag_row> table_;
  std::map<std::string, setting, std::less<>> given_;
  bool help_ = false;
};

/// The text of --help: `usage`, the sentence `about`, and a paragraph for each flag.
[[nodiscard]] std::string flags_help(std::string_view usage, std::string_view about,
                                     std::span<const flag_row> table);

}  // namespace inferbench::scripts
