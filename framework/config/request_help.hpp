// Texts about the flags of a command: --help, and remedies for flags that the command does not
// know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/flag_table.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The text of --help. `own`: flags of the command that are not keys; `keys`: the host's keys;
/// `listed`: the options of the installed plugins; `topic`: like in help_text(), or "true" for
/// --help without a topic. The text for `run` also contains the keys of the file.
[[nodiscard]] std::string help_of(options::command who, std::string_view usage,
                                  std::vector<options::option> own,
                                  std::span<const options::option> keys,
                                  std::vector<options::option> listed, std::string_view topic);

/// The remedy for an unknown flag `written` ("--flag") if another command has this flag; otherwise
/// empty. `known`: the flags of this command.
[[nodiscard]] std::string of_other_command(std::string_view written, options::command who,
                                           const flag_table& known,
                                           std::span<const options::option> keys);

/// The remedy for a flag such as "--acme-endpoint", if a general flag sets this option of every
/// plugin; otherwise empty.
[[nodiscard]] std::string of_general_flag(std::string_view written, const flag_table& known);

}  // namespace inferbench::config
