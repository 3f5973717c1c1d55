// The text of --help, from the same declarations that the parser reads.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "options/option.hpp"

namespace inferbench::config {

/// `topic`: empty for all options except the options of plugins and advanced options; "all" for all
/// options; the name of a group ("load", "dataset random"); or a text that is searched in flags and
/// help sentences. `usage`: the line above the groups. `options`: the options in the order of
/// output; an option without a flag is shown as a key of the file.
[[nodiscard]] std::string help_text(std::string_view usage,
                                    std::span<const options::option> options,
                                    std::string_view topic);

}  // namespace inferbench::config
