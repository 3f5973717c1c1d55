// The order of the rows. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <inferbench/random.hpp>

namespace inferbench::dataset {

/// A fixed sequence of rows.
class order {
 public:
  /// 0, 1, 2, ... up to `rows`; -1: without end.
  [[nodiscard]] static order natural(std::int64_t rows);

  /// The list 0 .. rows-1 in the order that random.seed(seed); random.shuffle(list) gives. Throws
  /// base::error beyond 2^32 rows: 4 bytes are kept for each row.
  [[nodiscard]] static order shuffled(std::int64_t rows, std::uint64_t seed);

  /// The row at that position; nullopt past the end.
  [[nodiscard]] std::optional<std::uint64_t> row(std::uint64_t position) const;

 private:
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> rows_shuffled_;
};

/// Chooses the accepted samples that are sent again to fill up a run: one random.choice for each,
/// freshly seeded.
class repetition {
 public:
  explicit repetition(std::uint64_t seed) : random_(seed) {}

  /// Returns an element of `accepted`, which must not be empty and must be the same at every call.
  [[nodiscard]] std::uint64_t next(const std::vector<std::uint64_t>& accepted) {
    return accepted[random_.below(accepted.size())];
  }

 private:
  ifb::python_random random_;
};

}  // namespace inferbench::dataset
