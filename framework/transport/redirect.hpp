// Where a Location header leads. Stateless, any thread.
#pragma once

#include <string_view>

#include "transport/url.hpp"

namespace inferbench::transport {

/// `location`, absolute or relative (RFC 3986, section 5), seen from `base`; a fragment
/// is dropped. What leads to the server of a unix socket by its name, localhost, stays
/// on the socket. Throws base::error for what parse_url() refuses.
[[nodiscard]] url redirected(const url& base, std::string_view location);

}  // namespace inferbench::transport
