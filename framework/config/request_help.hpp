// What a command tells of its flags: the text of --help, and where a flag belongs that it does not
// know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/flag_table.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The text of --help. `own`: flags of the command that are no keys; `keys`: of the host;
/// `listed`: of the installed plugins; `topic`: as help_text(), or "true" for --help alone. `run`
/// is shown the keys of its file, too.
[[nodiscard]] std::string help_of(options::command who, std::string_view usage,
                                  std::vector<options::option> own,
                                  std::span<const options::option> keys,
                                  std::vector<options::option> listed, std::string_view topic);

/// What to do about "--flag", as `written`, that another command has; empty: none has it. `known`:
/// the flags of this one.
[[nodiscard]] std::string of_other_command(std::string_view written, options::command who,
                                           const flag_table& known,
                                           std::span<const options::option> keys);

/// A remedy for "--acme-endpoint", where a general flag speaks for that option of every plugin;
/// empty: it is none of these.
[[nodiscard]] std::string of_general_flag(std::string_view written, const flag_table& known);

}  // namespace inferbench::config
