// The flags that a command knows while its line is read: its own, those of the host's
// keys, and those that plugins bring.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/catalog.hpp"
#include "config/flags.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Flags by name. Of several options with one flag the first decides how it is spelled.
class flag_table {
 public:
  /// Nothing for an option without a flag.
  void add(const options::option& o);
  /// Those that `who` knows; an option without a table belongs to the command itself.
  void add(std::span<const options::option> options, options::command who);

  [[nodiscard]] const std::vector<flag>& flags() const noexcept { return flags_; }
  [[nodiscard]] bool contains(std::string_view name) const;
  /// With dashes, for "did you mean".
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whether `written` ("--num-p", "--extra-b.a") begins the name of a flag.
  [[nodiscard]] bool begins(const std::string& written) const;

 private:
  std::vector<flag> flags_;
};

/// What the installed plugins declare, each option once, less what `known` spells already.
/// `also`, and how slow it is: as for catalog::list.
[[nodiscard]] std::vector<options::option> listed_options(
    catalog& plugins, const flag_table& known, const std::vector<std::string>& also = {});

}  // namespace inferbench::config
