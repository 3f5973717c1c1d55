// The rows whose requests ask the server for a structure.
#pragma once

#include <cstdint>
#include <vector>

namespace structured {

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
