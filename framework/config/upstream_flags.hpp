// The long options of `vllm bench serve`, as the list that vLLM tests its parser against had them
// in August 2026. What they do is told as of September 2026 (docs/vllm-compatibility.md).
#pragma once

#include <string_view>

namespace inferbench::config {

/// `flag`: its name without dashes.
[[nodiscard]] bool of_upstream(std::string_view flag) noexcept;

}  // namespace inferbench::config
