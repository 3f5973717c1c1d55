// The http service for plugins: one blocking request to the server under test.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::services {

/// Its functions find a `const target` as services.http_state.
[[nodiscard]] const ifb_http_service& http_service() noexcept;

}  // namespace inferbench::services
