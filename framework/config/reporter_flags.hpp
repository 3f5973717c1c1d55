// Flags of reporters that the command does not use. Such a flag is an error, because the user
// expects a report.
#pragma once

#include <string>

#include "config/catalog.hpp"
#include "config/flag_table.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The id of the reporter that declares the option; empty if another plugin or the host declares
/// it.
[[nodiscard]] std::string reporter_of(const options::option& declared);

/// The remedy for an unknown flag that is a flag of an installed reporter: "add --reporter NAME".
/// Empty if no installed reporter has such a flag. `written`: the flag as in command_line.unknown;
/// `known`: the flags of the command. Slow: lists all plugins.
[[nodiscard]] std::string of_idle_reporter(const std::string& written, catalog& plugins,
                                           const flag_table& known);

}  // namespace inferbench::config
