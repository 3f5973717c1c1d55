// The content of the pieces of a trace's prompts: ids that depend only on the piece and the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// Returns a hash that is the same on every machine.
[[nodiscard]] std::uint64_t hash_of(std::string_view text) noexcept;

/// Immutable after construction: any thread.
class chunks {
 public:
  /// `allowed` contains the ids from which pieces are drawn.
  chunks(std::vector<std::uint32_t> allowed, std::uint64_t seed)
      : allowed_(std::move(allowed)), seed_(seed) {}

  /// Adds the first `count` ids of piece `hash` to `out`. A shorter piece is the beginning of a
  /// longer piece with the same hash.
  void append(std::uint64_t hash, std::size_t count, std::vector<std::uint32_t>& out) const;

 private:
  std::vector<std::uint32_t> allowed_;
  std::uint64_t seed_;
};
