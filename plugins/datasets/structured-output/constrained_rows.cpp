#include "constrained_rows.hpp"

#include <cstddef>

#include <inferbench/random.hpp>

#include "datasets/synthetic/row_random.hpp"

namespace structured {

namespace {

// The number of words that unique_name.hpp draws from the generator of a row.
constexpr std::uint64_t words_of_name = 2;

}  // namespace

constrained_rows::constrained_rows(std::int64_t wanted, double ratio, std::uint64_t seed)
    : ratio_(ratio), seed_(seed) {
  if (wanted <= 0) return;
  const auto count = static_cast<std::size_t>(static_cast<double>(wanted) * ratio);
  ifb::python_random random(seed);
  rows_.resize(static_cast<std::size_t>(wanted));
  for (const std::size_t row : random.sample(rows_.size(), count))
    rows_[row] = true;
}

bool constrained_rows::contains(std::uint64_t row) const {
  if (!rows_.empty()) return rows_[static_cast<std::size_t>(row)];
  ifb::numpy_pcg64 random(synthetic::seed_of_row(seed_, row));
  random.advance(words_of_name);
  return random.real() < ratio_;
}

}  // namespace structured
