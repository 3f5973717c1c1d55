#include "constrained_rows.hpp"

#include "datasets/synthetic/row_random.hpp"

namespace structured {

namespace {

// The number of words that unique_name.hpp draws from the generator of a row.
constexpr std::uint64_t words_of_name = 2;

// Python keeps the drawn numbers in a set if the list of all numbers is larger than this. It
// assumes that a set of more than five numbers takes as much memory as a power of 4 of entries.
std::size_t largest_list(std::size_t count) {
  std::size_t entries = 1;
  while (entries < count * 3)
    entries *= 4;
  return 21 + (count > 5 ? entries : 0);
}

}  // namespace

std::vector<bool> drawn_numbers(ifb::python_random& random, std::size_t n, std::size_t count) {
  std::vector<bool> out(n, count == n);
  if (count == n) return out;
  if (n > largest_list(count)) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t number = 0;
      do
        number = static_cast<std::size_t>(random.below(n));
      while (out[number]);
      out[number] = true;
    }
    return out;
  }
  auto left = ifb::ascending<std::size_t>(n);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(random.below(left.size()));
    out[left[at]] = true;
    left[at] = left.back();
    left.pop_back();
  }
  return out;
}

constrained_rows::constrained_rows(std::int64_t wanted, double ratio, std::uint64_t seed)
    : ratio_(ratio), seed_(seed) {
  if (wanted <= 0) return;
  const auto count = static_cast<std::size_t>(static_cast<double>(wanted) * ratio);
  ifb::python_random random(seed);
  rows_ = drawn_numbers(random, static_cast<std::size_t>(wanted), count);
}

bool constrained_rows::contains(std::uint64_t row) const {
  if (!rows_.empty()) return rows_[static_cast<std::size_t>(row)];
  ifb::numpy_pcg64 random(synthetic::seed_of_row(seed_, row));
  random.advance(words_of_name);
  return random.real() < ratio_;
}

}  // namespace structured
