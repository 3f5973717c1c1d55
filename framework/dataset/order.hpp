// Which row comes when. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <inferbench/random.hpp>

namespace inferbench::dataset {

/// A fixed sequence of rows.
class order {
 public:
  /// 0, 1, 2, ... as far as `rows` goes; -1: without end.
  [[nodiscard]] static order natural(std::int64_t rows);

  /// The list 0 .. rows-1 shuffled as random.seed(seed); random.shuffle(list) does.
  /// Throws base::error beyond 2^32 rows: 4 bytes are kept for each.
  [[nodiscard]] static order shuffled(std::int64_t rows, std::uint64_t seed);

  /// The row at that place; nothing past the end.
  [[nodiscard]] std::optional<std::uint64_t> row(std::uint64_t position) const;

 private:
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> rows_shuffled_;
};

/// Which of the accepted samples are sent again to fill a run up: one
/// random.choice for each, freshly seeded.
class repetition {
 public:
  explicit repetition(std::uint64_t seed) : random_(seed) {}

  /// One of `accepted`, which must not be empty and be the same at every call.
  [[nodiscard]] std::uint64_t next(const std::vector<std::uint64_t>& accepted) {
    return accepted[random_.below(accepted.size())];
  }

 private:
  ifb::python_random random_;
};

}  // namespace inferbench::dataset
