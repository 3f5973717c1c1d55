// The long options of `vllm bench serve`, from the list that vLLM tested its parser against in
// August 2026. docs/vllm-compatibility.md describes their meaning as of September 2026.
#pragma once

#include <string_view>

namespace inferbench::config {

/// Whether upstream has the flag. `flag`: the name without dashes.
[[nodiscard]] bool of_upstream(std::string_view flag) noexcept;

}  // namespace inferbench::config
