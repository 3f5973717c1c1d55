// The order of the rows. Performs no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <inferbench/random.hpp>

namespace inferbench::dataset {

/// A fixed sequence of rows.
class order {
 public:
  /// The rows 0, 1, 2, ... up to rows-1. If `rows` is -1, the sequence has no end.
  [[nodiscard]] static order natural(std::int64_t rows);

  /// The rows 0 .. rows-1 in the order of random.seed(seed); random.shuffle(list) in Python. Throws
  /// base::error if there are more than 2^32 rows, because only 4 bytes are kept for each row.
  [[nodiscard]] static order shuffled(std::int64_t rows, std::uint64_t seed);

  /// The row at this position; nullopt beyond the end.
  [[nodiscard]] std::optional<std::uint64_t> row(std::uint64_t position) const;

  /// Whether the rows come in ascending order because they are not shuffled.
  [[nodiscard]] bool is_natural() const noexcept { return rows_shuffled_.empty(); }

 private:
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> rows_shuffled_;
};

/// Chooses the accepted rows that are sent again to fill up a run. It works like calls of Python's
/// random.choice with a newly seeded generator.
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
