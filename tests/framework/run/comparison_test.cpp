#include "run/comparison.hpp"

#include <array>

#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

metrics::report run_of(double throughput, double ttft) {
  metrics::report out;
  out.add(metrics::metric::completed, 10);
  out.add(metrics::metric::failed, 0);
  out.add(metrics::metric::request_throughput, throughput);
  metrics::statistics values;
  values.mean = ttft;
  values.median = ttft - 1;
  values.quantiles = {ttft + 5, ttft + 7};
  constexpr std::array asked = {99.0, 99.9};
  out.add(metrics::metric::ttft, values, asked, true);
  out.add(metrics::metric::tpot, values, asked, false);
  return out;
}

TEST(comparison, has_mean_and_deviation_of_the_requested_figures) {
  comparison of;
  for (const double x : {1.0, 2.0, 6.0})
    of.add(run_of(x, 10 * x));
  EXPECT_EQ(of.table(),
            "==================== Comparison of 3 runs ====================\n"
            "                                               mean  deviation\n"
            "Successful requests:                          10.00       0.00\n"
            "Failed requests:                               0.00       0.00\n"
            "Request throughput (req/s):                    3.00       2.65\n"
            "Mean TTFT (ms):                               30.00      26.46\n"
            "Median TTFT (ms):                             29.00      26.46\n"
            "P99 TTFT (ms):                                35.00      26.46\n"
            "P99.9 TTFT (ms):                              37.00      26.46\n"
            "==============================================================\n");
}

TEST(comparison, of_one_run_says_nothing) {
  comparison of;
  EXPECT_EQ(of.table(), "");
  of.add(run_of(1, 1));
  EXPECT_EQ(of.table(), "");
}

TEST(comparison, takes_a_figure_that_a_run_lacks_from_the_others) {
  comparison of;
  of.add(run_of(4, 10));
  of.add({});
  EXPECT_NE(of.table().find("Request throughput (req/s):                    4.00       0.00\n"),
            std::string::npos);
}

}  // namespace
}  // namespace inferbench::run
