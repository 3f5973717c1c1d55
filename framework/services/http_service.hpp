// The HTTP service for plugins: each call makes one blocking request, to the server under test or
// to another server.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::services {

/// The service table. Its functions use the `const services::target` to which services.http_state
/// points.
///
/// A request whose target (ifb_http_request) begins with "/" goes to the first server under test,
/// with API key and the user's headers; a request whose target is a whole URL goes to the server of
/// the URL, without both. TLS settings and proxies of the user apply to both. The answer has at
/// most 64 MiB, and GET and HEAD follow redirects (transport/fetch.hpp). Errors: IFB_E_UNSUPPORTED
/// for a request that cannot be sent, IFB_E_TIMEOUT, IFB_E_MEMORY if the arena is exhausted, and
/// IFB_E_IO if there is no answer. The message names the URL.
[[nodiscard]] const ifb_http_service& http_service() noexcept;

}  // namespace inferbench::services
