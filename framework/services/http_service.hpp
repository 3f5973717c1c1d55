// The HTTP service for plugins: each call makes one blocking request to the server under test.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::services {

/// The service table. Its functions use the `const target` to which services.http_state points.
[[nodiscard]] const ifb_http_service& http_service() noexcept;

}  // namespace inferbench::services
