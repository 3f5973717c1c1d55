// The command line of a command that reads results: options by name, and the folder. The rules are
// those of upstream's parser: "_" means "-" in names, "--name=value" and "--name value" are equal,
// a unique prefix of a name is the name, and the last of several values counts.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::plot {

/// A row of the table of options, from which parser and help are made. Texts outlive the parser.
struct argument_row {
  std::string_view name;      // "var-x", without dashes
  std::string_view value;     // the word for the value in the help; empty: a switch
  std::string_view fallback;  // the default
  std::string_view help;      // a sentence without the full stop
};

class plot_arguments {
 public:
  /// Throws options::usage_error for an unknown or ambiguous option, an option without its value, a
  /// switch with a value, and more or fewer than one folder. With --help nothing else is checked.
  plot_arguments(std::span<const argument_row> table, std::span<const std::string> args);

  [[nodiscard]] bool asks_for_help() const noexcept { return help_; }
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  /// `name` is a name of the table.
  [[nodiscard]] bool given(std::string_view name) const;
  /// The value, or the default.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// The value of a switch.
  [[nodiscard]] bool on(std::string_view name) const { return given(name); }
  /// The items of a comma-separated list, not trimmed; none for an empty text.
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  /// Throws options::usage_error if the value is not a number above 0 and at most `most`.
  [[nodiscard]] double positive(std::string_view name, double most) const;
  /// The same for a whole number.
  [[nodiscard]] int positive_whole(std::string_view name, int most) const;

 private:
  [[nodiscard]] const argument_row& row_of(const std::string& written) const;

  std::span<const argument_row> table_;
  std::map<std::string, std::string, std::less<>> values_;
  std::string folder_;
  bool help_ = false;
};

/// The text of --help: `usage`, the sentence `about`, and a paragraph for each option.
[[nodiscard]] std::string arguments_help(std::string_view usage, std::string_view about,
                                         std::span<const argument_row> table);

}  // namespace inferbench::plot
