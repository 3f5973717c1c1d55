// General options of plugins, which keys of the host set (abi.h, "GENERAL OPTIONS"): the key of
// each of them. Only this file pairs options and keys.
#pragma once

#include <span>
#include <string_view>

#include <inferbench/abi.h>

#include "options/option.hpp"

namespace inferbench::options {

/// The path of the host's key for a general option of a plugin, if the key has another table or
/// name than the option: "run.label" for a reporter's label. Empty for all other options.
[[nodiscard]] std::string_view forwarded_path(const option& declared) noexcept;

/// Whether `path` is the forwarded_path() of an option of a plugin of this kind. Example:
/// "run.label" for reporters.
[[nodiscard]] bool is_forwarded(ifb_kind kind, std::string_view path) noexcept;

/// Whether general options of this kind and name have no flag of their own, unless they name one.
/// False for a dataset's lengths, which have their own flags and a key of the host.
[[nodiscard]] bool has_host_flag(ifb_kind kind, std::string_view option) noexcept;

/// The flag that sets a plugin's option: the option's own flag, otherwise the general flag of the
/// host, otherwise empty. `keys`: the host's keys. Returns a view into `declared` or `keys`.
[[nodiscard]] std::string_view flag_for(const option& declared, std::span<const option> keys);

}  // namespace inferbench::options
