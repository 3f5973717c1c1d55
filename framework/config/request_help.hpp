// The texts about the flags of a command: --help, and the remedies for flags that the command does
// not know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/flag_table.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The text of --help. `own`: flags of the command that are not keys; `keys`: the host's keys;
/// `listed`: the options of the installed plugins; `topic`: as in help_text(), or "true" for --help
/// alone. The text for `run` has the keys of its file, too.
[[nodiscard]] std::string help_of(options::command who, std::string_view usage,
                                  std::vector<options::option> own,
                                  std::span<const options::option> keys,
                                  std::vector<options::option> listed, std::string_view topic);

/// The remedy for "--flag", as `written`, if another command has it; otherwise empty. `known`: the
/// flags of this command.
[[nodiscard]] std::string of_other_command(std::string_view written, options::command who,
                                           const flag_table& known,
                                           std::span<const options::option> keys);

/// The remedy for a flag such as "--acme-endpoint", if a general flag sets this option of every
/// plugin; otherwise empty.
[[nodiscard]] std::string of_general_flag(std::string_view written, const flag_table& known);

}  // namespace inferbench::config
