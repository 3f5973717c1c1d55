// Numbers, durations and sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::base {

/// As Python's float() and int() read a text: blanks around it, one "_" between two digits,
/// ".5", "1e3", "inf", "-nan"; too large a number is inf. Nothing for anything else.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);

/// "30s", "1.5ms", "2m", "1h", "250us", "10ns"; without a unit seconds. Nanoseconds;
/// nothing for anything else and for what does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> duration_of_seconds(double seconds) noexcept;

/// "64KiB", "1.5MB", "10B"; k M G T count in thousands, Ki Mi Gi Ti in 1024s, the B
/// may be left out. Bytes.
[[nodiscard]] std::optional<std::int64_t> parse_size(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> size_of_bytes(double bytes) noexcept;

/// The shortest whole spelling: "30s", "1500us", "64KiB", "1000B".
[[nodiscard]] std::string duration_text(std::int64_t ns);
[[nodiscard]] std::string size_text(std::int64_t bytes);

/// Upstream's integers with a suffix, in dotted JSON flags only: k m g t are powers
/// of 1000 and take decimals, K M G T powers of 1024 and take none.
[[nodiscard]] std::optional<std::int64_t> parse_suffixed_int(std::string_view text) noexcept;

}  // namespace inferbench::base
