// Options of plugins that the host's own keys speak for (abi.h, "Option names with a meaning
// for the host too"). The one place that knows which they are.
#pragma once

#include <span>
#include <string_view>

#include <inferbench/abi.h>

#include "options/option.hpp"

namespace inferbench::options {

/// The path of the host's key for that option of a plugin, where table and name are not the same
/// on both sides: "run.label" for a reporter's label; empty elsewhere.
[[nodiscard]] std::string_view forwarded_path(ifb_kind kind, std::string_view option) noexcept;

/// Whether it is that of an option of such a plugin: "run.label" and a reporter.
[[nodiscard]] bool is_forwarded(ifb_kind kind, std::string_view path) noexcept;

/// Whether a key of the host speaks for that option, so that it gets no flag of its own. A
/// dataset's lengths have both and are none of these.
[[nodiscard]] bool has_host_flag(ifb_kind kind, std::string_view option) noexcept;

/// The flag that sets a plugin's option: its own, or the general one of the host. Empty: none.
/// `keys`: of the host. A view into `declared` or `keys`.
[[nodiscard]] std::string_view flag_for(const option& declared, ifb_kind kind,
                                        std::span<const option> keys);

}  // namespace inferbench::options
