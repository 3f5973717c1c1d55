// The address of a server, according to its command line. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "transport/url.hpp"

namespace inferbench::transport {

/// The address from the arguments of a server: the value after --host, otherwise localhost, and the
/// value after --port or -p, otherwise 8000. `--host=VALUE` and `--port=VALUE` are understood, too,
/// and the last occurrence counts, as it does for the server. The URL begins with http:// and has
/// no path. Throws base::error for an option without a value, a port that is no number from 1 to
/// 65535, and text that is no host.
[[nodiscard]] url server_address(const std::vector<std::string>& command);

}  // namespace inferbench::transport
