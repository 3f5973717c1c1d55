// Makes the text of docs/configuration.md from the same declarations as flags, files and --help.
#pragma once

#include <span>
#include <string>

#include "options/option.hpp"
#include "plugin/library.hpp"

namespace inferbench::config {

/// The whole page. `keys`: the host's keys, in the order of --help. `plugins`: the installed
/// plugins; aliases and plugins that cannot be used are left out.
[[nodiscard]] std::string configuration_page(std::span<const options::option> keys,
                                             std::span<const plugin::described> plugins);

}  // namespace inferbench::config
