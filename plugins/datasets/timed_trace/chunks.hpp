// The content of the pieces of a trace's prompts: ids that depend on the piece alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// A hash that is the same on every machine.
[[nodiscard]] std::uint64_t hash_of(std::string_view text) noexcept;

/// Read-only once made: any thread.
class chunks {
 public:
  /// `allowed`: the ids that pieces are drawn from.
  chunks(std::vector<std::uint32_t> allowed, std::uint64_t seed)
      : allowed_(std::move(allowed)), seed_(seed) {}

  /// Adds the first `count` ids of piece `hash` to `out`: a shorter piece is the beginning of a
  /// longer one.
  void append(std::uint64_t hash, std::size_t count, std::vector<std::uint32_t>& out) const;

 private:
  std::vector<std::uint32_t> allowed_;
  std::uint64_t seed_;
};
