// Parses and prints numbers, durations and sizes in the notation of flags and TOML. Functions that
// parse return nullopt for a text in any other notation. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::base {

/// Accept the same text as Python's float() and int(): blanks at both ends, one "_" between two
/// digits, ".5", "1e3", "inf", "-nan". parse_number returns inf for a number that is too large for
/// a double.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);

/// A duration in ns: "30s", "1.5ms", "2m", "1h", "250us", "10ns"; a number without a unit is in
/// seconds. Returns nullopt also if the result does not fit into 64 bits.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> duration_of_seconds(double seconds) noexcept;

/// A size in bytes: "64KiB", "1.5MB", "10B". k, M, G and T are powers of 1000; Ki, Mi, Gi and Ti
/// are powers of 1024. The B is optional. A number of bytes must be whole; with another unit
/// the result is rounded ("0.3KiB" is 307). Returns nullopt also if the result does not fit into 64
/// bits.
[[nodiscard]] std::optional<std::int64_t> parse_size(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int64_t> size_of_bytes(double bytes) noexcept;

/// The value as a whole number of the largest unit that divides it: "30s", "1500us", "64KiB",
/// "1000B". The units are s, ms, us and ns, and TiB, GiB, MiB, KiB and B.
[[nodiscard]] std::string duration_text(std::int64_t ns);
[[nodiscard]] std::string size_text(std::int64_t bytes);

/// An integer with a suffix, as upstream accepts it in dotted JSON flags only. k, m, g and t are
/// powers of 1000, and the number before them may have decimals ("1.5k"). K, M, G and T are powers
/// of 1024, and the number must be an integer.
[[nodiscard]] std::optional<std::int64_t> parse_suffixed_int(std::string_view text) noexcept;

}  // namespace inferbench::base
