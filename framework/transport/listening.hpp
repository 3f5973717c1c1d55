// Whether somebody listens at an address: the first sign of life of a server that is starting. Any
// thread.
#pragma once

#include "transport/resolver.hpp"

namespace inferbench::transport {

/// Whether a connection to one of the addresses is accepted; it is closed at once. An address that
/// neither accepts nor refuses a connection counts as not listening after a second.
[[nodiscard]] bool accepts(const endpoint& where);

/// Throws base::error if a process listens at the address already. Without this check before the
/// start of a server the health of the other server would be taken for the health of ours, and the
/// wrong server would be measured. Servers that set SO_REUSEPORT, such as vLLM, can even share a
/// port.
void require_free(const endpoint& where);

}  // namespace inferbench::transport
