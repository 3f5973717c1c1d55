// The head of one request: what the codec wants, what the user wants over it, and
// the request id over all.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "client/backend.hpp"

namespace inferbench::client {

/// Replaces `out`. Priority, names taken without case: codec < backend.headers in
/// order < x-request-id (only with an id). False when a part would break the framing
/// of HTTP/1.1.
[[nodiscard]] bool write_head(std::string& out, const backend& shared,
                              const transport::endpoint& server, const ifb_http_request& request,
                              std::string_view id);

}  // namespace inferbench::client
