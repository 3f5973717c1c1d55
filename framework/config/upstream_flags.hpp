// The long options of `vllm bench serve`, as its tested snapshot of August 2026 lists them.
#pragma once

#include <span>
#include <string_view>

namespace inferbench::config {

/// By name, without dashes.
[[nodiscard]] std::span<const std::string_view> upstream_flags() noexcept;
[[nodiscard]] bool of_upstream(std::string_view flag) noexcept;

}  // namespace inferbench::config
