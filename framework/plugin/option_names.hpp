// The names of options with a meaning for the host: the lists "GENERAL OPTIONS" and "TAKEN NAMES"
// of abi.h. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// The general names of a kind. The run's flag with the name sets an option that has the name and
/// IFB_OPT_GENERAL.
[[nodiscard]] std::span<const std::string_view> general_names(ifb_kind kind) noexcept;

/// Whether an option with these ifb_option.flags is general. The host treats all other options as
/// the plugin's own.
[[nodiscard]] bool is_general(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept;

/// Whether the name is a key of the host in the TOML table of the plugin, so that the plugin must
/// not declare such an option.
[[nodiscard]] bool is_taken(ifb_kind kind, std::string_view option, std::uint32_t flags) noexcept;

}  // namespace inferbench::plugin
