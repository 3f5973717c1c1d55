// Options of plugins that keys of the host set (abi.h, "Option names with a meaning for the host
// too"). Only this file lists these options.
#pragma once

#include <span>
#include <string_view>

#include <inferbench/abi.h>

#include "options/option.hpp"

namespace inferbench::options {

/// The path of the host's key for this option of a plugin, if the key has another table or name
/// than the option: "run.label" for a reporter's label. Otherwise empty.
[[nodiscard]] std::string_view forwarded_path(ifb_kind kind, std::string_view option) noexcept;

/// Whether `path` is the forwarded_path() of an option of a plugin of this kind. Example:
/// "run.label" for reporters.
[[nodiscard]] bool is_forwarded(ifb_kind kind, std::string_view path) noexcept;

/// Whether a key of the host sets the option, so that the option gets no flag of its own. False for
/// a dataset's lengths, which have their own flags and a key of the host.
[[nodiscard]] bool has_host_flag(ifb_kind kind, std::string_view option) noexcept;

/// The flag that sets a plugin's option: the option's own flag, otherwise the general flag of the
/// host, otherwise empty. `keys`: the host's keys. Returns a view into `declared` or `keys`.
[[nodiscard]] std::string_view flag_for(const option& declared, ifb_kind kind,
                                        std::span<const option> keys);

}  // namespace inferbench::options
