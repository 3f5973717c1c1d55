// The flags that a command knows while its command line is parsed: the command's own flags, the
// flags of the host's keys, and the flags of plugins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Flags by name. If several options have the same flag, the first option decides how the flag is
/// parsed.
class flag_table {
 public:
  /// Does nothing for an option without a flag.
  void add(const options::option& o);
  /// Adds the options whose flags the command `who` knows. An option without a table is a flag of
  /// the command itself.
  void add(std::span<const options::option> options, options::command who);

  [[nodiscard]] const std::vector<flag>& flags() const noexcept { return flags_; }
  [[nodiscard]] bool contains(std::string_view name) const;
  /// The names of the flags with dashes, for "did you mean".
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whether `written` ("--num-p", "--extra-b.a") is a prefix of a flag's name.
  [[nodiscard]] bool begins(const std::string& written) const;

 private:
  std::vector<flag> flags_;
};

/// The options that the installed plugins declare, each option once, without options whose flag is
/// in `known`. `also`: see catalog::list(), which this function calls and which is slow.
[[nodiscard]] std::vector<options::option> listed_options(
    catalog& plugins, const flag_table& known, const std::vector<std::string>& also = {});

}  // namespace inferbench::config
