// The rows whose requests ask the server for a structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inferbench/random.hpp>

namespace structured {

/// Draws `count` of the numbers 0 to n - 1 without repetition, as Python's random.sample(range(n),
/// count) does, and returns for each number whether it was drawn. `count` is at most `n`.
[[nodiscard]] std::vector<bool> drawn_numbers(ifb::python_random& random, std::size_t n,
                                              std::size_t count);

/// Immutable; any thread.
class constrained_rows {
 public:
  /// With `wanted` > 0, exactly the whole part of wanted * ratio rows are constrained. They are the
  /// rows that upstream's script draws for this seed. Otherwise each row is constrained with the
  /// probability `ratio`; the draw depends on the seed and on the number of the row alone.
  constrained_rows(std::int64_t wanted, double ratio, std::uint64_t seed);

  /// With `wanted` > 0, `row` must be less than it.
  [[nodiscard]] bool contains(std::uint64_t row) const;

 private:
  double ratio_;
  std::uint64_t seed_;
  std::vector<bool> rows_;  // empty: drawn for each row
};

}  // namespace structured
