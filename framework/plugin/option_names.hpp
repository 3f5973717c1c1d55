// The names of plugin options that have a meaning for the host: the lists "GENERAL OPTIONS" and
// "TAKEN NAMES" of abi.h. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// Returns the general names of a plugin kind, valid forever. If a plugin's option has such a name
/// and the flag IFB_OPT_GENERAL, the run's flag with the same name sets the option: `--model` sets
/// the general option `model`.
[[nodiscard]] std::span<const std::string_view> general_names(ifb_kind kind) noexcept;

/// Returns whether an option is general. `flags`: the ifb_option.flags of the option. The host
/// treats all other options as the plugin's own.
[[nodiscard]] bool is_general(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept;

/// Returns whether the host itself uses the key `option` in the TOML table of a plugin. A plugin
/// that declares such an option is not loaded. With IFB_OPT_GENERAL in `flags`, some of these names
/// are allowed.
[[nodiscard]] bool is_taken(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept;

}  // namespace inferbench::plugin
