// The verdicts on a metric and on a whole comparison.
#pragma once

#include <cstdint>
#include <string_view>

namespace inferbench::comparison {

/// The verdict on one metric. `faster` means better and `slower` worse, in the direction of the
/// metric: a higher throughput is `faster`.
enum class verdict : std::uint8_t { same, faster, slower, cannot_tell };

/// The conclusion from the verdicts on all metrics:
/// - slower: a metric is slower and no metric is faster;
/// - mixed: a metric is slower and another is faster;
/// - faster: a metric is faster and no metric is slower;
/// - same: all metrics are the same;
/// - cannot_tell: all other cases.
enum class conclusion : std::uint8_t { same, faster, slower, mixed, cannot_tell };

/// "same", "faster", "slower", "cannot tell".
[[nodiscard]] std::string_view name_of(verdict value) noexcept;
/// "same", "faster", "slower", "mixed", "cannot tell".
[[nodiscard]] std::string_view name_of(conclusion value) noexcept;

}  // namespace inferbench::comparison
