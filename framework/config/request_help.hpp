// Texts about the flags of a command: --help, and the remedies in errors about flags that the
// command does not know. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/flag_table.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The text of --help of the command `who`. `usage`: the line above the groups; `own`: flags of the
/// command that are not keys; `keys`: the host's keys; `listed`: the options of the installed
/// plugins; `topic`: like in help_text(), or "true" for --help without a topic. The text for `run`
/// also contains the keys that only the TOML file or --set can give.
[[nodiscard]] std::string help_of(options::command who, std::string_view usage,
                                  std::vector<options::option> own,
                                  std::span<const options::option> keys,
                                  std::vector<options::option> listed, std::string_view topic);

/// The remedy for the flag `written` ("--flag"), which the command `who` does not know, if another
/// command has the flag: "it is a flag of inferbench serve"; otherwise empty. `known`: the flags of
/// `who`; `keys`: the host's keys.
[[nodiscard]] std::string of_other_command(std::string_view written, options::command who,
                                           const flag_table& known,
                                           std::span<const options::option> keys);

/// The remedy for an unknown flag of a plugin's option, if a flag of the host sets this option of
/// every plugin: "--endpoint sets this option of every plugin" for "--acme-endpoint"; otherwise
/// empty.
[[nodiscard]] std::string of_general_flag(std::string_view written, const flag_table& known);

}  // namespace inferbench::config
