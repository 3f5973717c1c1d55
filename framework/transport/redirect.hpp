// Computes the target of a redirect from its Location header. Stateless, any thread.
#pragma once

#include <string_view>

#include "transport/url.hpp"

namespace inferbench::transport {

/// Resolves `location` against `base` (RFC 3986, section 5). `location` may be absolute or
/// relative; a fragment is dropped. If `base` is a unix socket, a location at localhost stays on
/// the socket. Throws base::error if parse_url() refuses the result, and if `location` is the URL
/// of a unix socket.
[[nodiscard]] url redirected(const url& base, std::string_view location);

}  // namespace inferbench::transport
