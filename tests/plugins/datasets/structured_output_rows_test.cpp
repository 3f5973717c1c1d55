#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "datasets/structured-output/constrained_rows.hpp"

namespace {

struct python_sample {
  std::uint64_t seed;
  std::int64_t rows;
  double ratio;
  std::uint64_t sum;  // of the rows drawn
};

// python3 -c "import random; random.seed(SEED); print(sum(random.sample(range(ROWS), COUNT)))"
constexpr python_sample python_samples[] = {{0, 10, 0.3, 15},
                                            {7, 1000, 0.006, 2574},
                                            {0, 1000, 0.3, 156256},
                                            {1, 5000, 0.18, 2256543},
                                            {3, 5, 0, 0}};

TEST(constrained_rows, are_those_of_random_sample_in_python) {
  for (const python_sample& each : python_samples) {
    const structured::constrained_rows rows(each.rows, each.ratio, each.seed);
    std::uint64_t sum = 0;
    for (std::uint64_t row = 0; row < static_cast<std::uint64_t>(each.rows); ++row)
      sum += rows.contains(row) ? row : 0;
    EXPECT_EQ(sum, each.sum) << "seed " << each.seed << ", " << each.ratio << " of " << each.rows;
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
