// The flags that a command knows while its line is read: its own flags, the flags of the host's
// keys, and the flags of plugins.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Flags by name. If several options have one flag, the first option decides how the flag is
/// parsed.
class flag_table {
 public:
  /// Does nothing for an option without a flag.
  void add(const options::option& o);
  /// Adds the flags that `who` knows. An option without a table belongs to the command itself.
  void add(std::span<const options::option> options, options::command who);

  [[nodiscard]] const std::vector<flag>& flags() const noexcept { return flags_; }
  [[nodiscard]] bool contains(std::string_view name) const;
  /// The names with dashes, for "did you mean".
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whether `written` ("--num-p", "--extra-b.a") begins the name of a flag.
  [[nodiscard]] bool begins(const std::string& written) const;

 private:
  std::vector<flag> flags_;
};

/// The options that the installed plugins declare, each option once, without options whose flag is
/// in `known`. `also` and the cost are the same as for catalog::list.
[[nodiscard]] std::vector<options::option> listed_options(
    catalog& plugins, const flag_table& known, const std::vector<std::string>& also = {});

}  // namespace inferbench::config
