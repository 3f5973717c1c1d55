// The tokenizer service for plugins.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::services {

/// A service table. Its functions use the `const tokenizer` to which services.tokenizer_state
/// points. `name` must live as long as the table.
[[nodiscard]] ifb_tokenizer_service tokenizer_service(const char* name) noexcept;

}  // namespace inferbench::services
