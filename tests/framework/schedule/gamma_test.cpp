#include "schedule/gamma.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace inferbench::schedule {

// np.random.seed(0); np.random.normal(size=5)
TEST(gamma_source, draws_the_normals_of_numpys_legacy_generator) {
  gamma_source source(0);
  for (const double expected : {1.764052345967664, 0.4001572083672233, 0.9787379841057392,
                                2.240893199201458, 1.8675579901499675})
    EXPECT_DOUBLE_EQ(source.normal(), expected);
}

// np.random.seed(0); np.random.random() is 0.5488135039273248
TEST(gamma_source, is_exponential_for_shape_one) {
  gamma_source source(0);
  EXPECT_DOUBLE_EQ(source.standard_gamma(1.0), -std::log(1 - 0.5488135039273248));
}

TEST(gamma_source, has_mean_and_variance_of_its_shape) {
  for (const double shape : {0.1, 0.5, 0.99, 1.0, 1.5, 4.0, 100.0}) {
    gamma_source source(7);
    constexpr int n = 200'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; ++i) {
      const double x = source.standard_gamma(shape);
      ASSERT_GE(x, 0);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / n;
    EXPECT_NEAR(mean, shape, 5 * std::sqrt(shape / n)) << shape;
    EXPECT_NEAR(squares / n - mean * mean, shape, 0.1 * shape) << shape;
  }
}

}  // namespace inferbench::schedule
