// The command line of `inferbench structured-output`: the flags of the script, and all other words,
// which are for `inferbench serve`. The rules are those of Python's argparse: "_" means "-" in a
// name, --NAME=TEXT is --NAME TEXT, a unique beginning of a name is enough, and the last of several
// equal flags counts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/script_flags.hpp"

namespace inferbench::structured {

/// The flags that a user gave.
class script_line {
 public:
  /// Reads the arguments after the command's name. Throws options::usage_error, in the order of the
  /// arguments, for a value that is missing or has the wrong form and for an unknown data set, and
  /// at the end if --model is missing.
  explicit script_line(std::span<const std::string> args);

  /// --help or -h was given: the arguments after it were not read.
  [[nodiscard]] bool help() const noexcept { return help_; }
  [[nodiscard]] bool has(std::string_view name) const { return last(name) != nullptr; }
  /// The value, the default, or an empty text.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// The values of a list; without values of a toggle; nullptr: the flag was not given.
  [[nodiscard]] const std::vector<std::string>* last(std::string_view name) const;

  /// The words for serve, in their order.
  [[nodiscard]] const std::vector<std::string>& rest() const noexcept { return rest_; }
  /// Whether the words for serve have this flag, written in full.
  [[nodiscard]] bool rest_has(std::string_view name) const;

 private:
  void read(std::span<const std::string> args);

  std::vector<std::pair<const script_flag*, std::vector<std::string>>> given_;
  std::vector<std::string> rest_;
  bool help_ = false;
};

}  // namespace inferbench::structured
