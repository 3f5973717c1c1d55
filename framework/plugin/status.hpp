// Checks the statuses that the calls of plugins return.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// Whether the status is an error that this version of abi.h has.
[[nodiscard]] constexpr bool is_known_error(ifb_status status) noexcept {
  return status < IFB_OK && status >= IFB_E_DATA;
}

/// The result of settled() for a status that it does not keep.
[[nodiscard]] ifb_status unexpected_status(ifb_status status, const char* call, ifb_error* error);

/// The status of `call` as the rest of the host sees it. A positive status that is not in
/// `of_call`, and a negative status that abi.h does not have, become IFB_E_INTERNAL (abi.h,
/// UNKNOWN). A positive status leaves its number in `error`, which may be null. Any thread.
[[nodiscard]] inline ifb_status settled(ifb_status status, const char* call, ifb_error* error,
                                        std::initializer_list<ifb_status> of_call = {}) {
  if (status == IFB_OK || is_known_error(status)) return status;
  if (std::ranges::find(of_call, status) != of_call.end()) return status;
  return unexpected_status(status, call, error);
}

}  // namespace inferbench::plugin
