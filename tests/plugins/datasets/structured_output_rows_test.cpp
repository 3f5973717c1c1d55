#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "datasets/structured-output/constrained_rows.hpp"

namespace {

struct python_sample {
  std::uint64_t seed;
  std::size_t n;
  std::size_t count;
  std::size_t sum;  // of the numbers drawn
};

// python3 -c "import random; random.seed(SEED); print(sum(random.sample(range(N), COUNT)))"
constexpr python_sample python_samples[] = {{0, 10, 3, 15},
                                            {0, 100, 5, 237},
                                            {7, 1000, 6, 2574},
                                            {0, 1000, 300, 156256},
                                            {1099511627781, 50, 49, 1214},
                                            {1, 5000, 900, 2256543},
                                            {3, 1, 1, 0},
                                            {3, 5, 0, 0}};

TEST(drawn_numbers, are_those_of_random_sample_in_python) {
  for (const python_sample& each : python_samples) {
    ifb::python_random random(each.seed);
    const std::vector<bool> drawn = structured::drawn_numbers(random, each.n, each.count);
    ASSERT_EQ(drawn.size(), each.n);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(drawn, true)), each.count);
    std::size_t sum = 0;
    for (std::size_t number = 0; number < each.n; ++number)
      sum += drawn[number] ? number : 0;
    EXPECT_EQ(sum, each.sum) << "seed " << each.seed << ", " << each.count << " of " << each.n;
  }
}

TEST(constrained_rows, have_their_number_if_the_number_of_requests_is_known) {
  for (const double ratio : {0.0, 0.001, 0.29, 0.5, 0.999, 1.0}) {
    const structured::constrained_rows rows(1000, ratio, 11);
    std::size_t found = 0;
    for (std::uint64_t row = 0; row < 1000; ++row)
      found += rows.contains(row) ? 1 : 0;
    EXPECT_EQ(found, static_cast<std::size_t>(1000 * ratio)) << ratio;
  }
}

}  // namespace
