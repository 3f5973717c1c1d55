#include "dataset/order.hpp"

#include <cstddef>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace inferbench::dataset {

order order::natural(std::int64_t rows) {
  order out;
  out.rows_ = rows;
  return out;
}

order order::shuffled(std::int64_t rows, std::uint64_t seed) {
  if (rows > std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1)
    throw base::error("a dataset of " + std::to_string(rows) + " rows is too large to shuffle",
                      "give --disable-shuffle");
  order out;
  out.rows_ = rows;
  out.rows_shuffled_ = ifb::ascending<std::uint32_t>(static_cast<std::size_t>(rows));
  ifb::python_random(seed).shuffle(out.rows_shuffled_);
  return out;
}

std::optional<std::uint64_t> order::row(std::uint64_t position) const {
  if (rows_ >= 0 && position >= static_cast<std::uint64_t>(rows_)) return std::nullopt;
  if (rows_shuffled_.empty()) return position;
  return rows_shuffled_[static_cast<std::size_t>(position)];
}

}  // namespace inferbench::dataset
