// Options of plugins that the host's own keys speak for (abi.h, "Option names with a meaning
// for the host too"), where table and name are not the same on both sides.
#pragma once

#include <span>
#include <string_view>

#include <inferbench/abi.h>

#include "config/option.hpp"

namespace inferbench::config {

/// The path of the host's key for that option of a plugin: "run.label" for a reporter's label;
/// empty when there is none.
[[nodiscard]] std::string_view forwarded_path(ifb_kind kind, std::string_view option) noexcept;

/// The flag that sets a plugin's option: its own, or the general one of the host. Empty: none.
/// `keys`: of the host. A view into `declared` or `keys`.
[[nodiscard]] std::string_view flag_for(const option& declared, ifb_kind kind,
                                        std::span<const option> keys);

}  // namespace inferbench::config
