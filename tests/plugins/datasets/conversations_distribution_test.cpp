// Tests the distributions of turns and tokens: the drawn numbers, and the values that are refused.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "datasets/conversations/distribution.hpp"
#include "datasets/conversations/statistics.hpp"
#include "support/plugin_box.hpp"

namespace {

using conversations::distribution;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

std::vector<std::uint32_t> draw(const std::string& json, std::size_t count = 20000,
                                std::uint64_t seed = 1) {
  const support::host host;
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  ifb::numpy_pcg64 random(seed);
  return distribution::parse(ifb::host(host.table()), {"FILE", document}).draw(random, count);
}

std::string refusal(const std::string& json) {
  try {
    (void)draw(json, 1);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "path");
    return std::string(e.message());
  }
  return "taken";
}

double mean_of(const std::vector<std::uint32_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double variance_of(const std::vector<std::uint32_t>& numbers) {
  const double mean = mean_of(numbers);
  double out = 0;
  for (const std::uint32_t each : numbers)
    out += (each - mean) * (each - mean);
  return out / static_cast<double>(numbers.size());
}

double median_of(std::vector<std::uint32_t> numbers) {
  std::ranges::nth_element(numbers,
                           numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2));
  return numbers[numbers.size() / 2];
}

TEST(conversation_distribution, a_constant_always_has_its_value) {
  EXPECT_THAT(draw(R"({"distribution": "constant", "value": 500})", 3), ElementsAre(500, 500, 500));
  EXPECT_THAT(draw(R"({"distribution": "constant", "value": 2.9})", 1), ElementsAre(2));
}

TEST(conversation_distribution, a_uniform_one_reaches_both_of_its_whole_ends) {
  const auto drawn = draw(R"({"distribution": "uniform", "min": 12, "max": 18})");
  for (std::uint32_t value = 12; value <= 18; ++value)
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, value)), 20000.0 / 7, 250);
  EXPECT_THAT(drawn, Each(Ge(12U)));
  EXPECT_THAT(drawn, Each(Le(18U)));
  // With real bounds the draws are truncated to integers, so the upper bound does not occur.
  const auto real = draw(R"({"distribution": "uniform", "min": 12.0, "max": 18})");
  EXPECT_NEAR(static_cast<double>(std::ranges::count(real, 12U)), 20000.0 / 6, 250);
  EXPECT_THAT(real, Each(Le(17U)));
}

TEST(conversation_distribution, a_lognormal_one_with_an_average_has_it_exactly_before_the_cap) {
  const auto drawn = draw(R"({"distribution": "lognormal", "average": 1000})");
  EXPECT_NEAR(mean_of(drawn), 1000, 0.1);
  EXPECT_NEAR(median_of(drawn), 850, 20);
  const auto few = draw(R"({"distribution": "lognormal", "average": 1000})", 5);
  EXPECT_NEAR(mean_of(few), 1000, 0.5);
  const auto wide = draw(R"({"distribution": "lognormal", "average": 1000, "median_ratio": 0.5})");
  EXPECT_NEAR(mean_of(wide), 1000, 0.1);
  EXPECT_NEAR(median_of(wide), 500, 25);
  const auto capped = draw(R"({"distribution": "lognormal", "average": 1000, "max": 900})");
  EXPECT_EQ(*std::ranges::max_element(capped), 900U);
  EXPECT_LT(mean_of(capped), 900);
}

TEST(conversation_distribution, a_lognormal_one_of_the_logarithm_is_not_brought_to_an_average) {
  const auto drawn = draw(R"({"distribution": "lognormal", "mean": 6, "sigma": 0.5})");
  EXPECT_NEAR(median_of(drawn), std::exp(6), 10);
  EXPECT_NEAR(mean_of(drawn), std::exp(6 + 0.125), 15);
  EXPECT_THAT(draw(R"({"distribution": "lognormal", "mean": 2, "sigma": 0})", 3),
              ElementsAre(7, 7, 7));  // e^2 is 7.39
}

TEST(conversation_distribution, a_zipf_one_has_the_shares_of_its_law) {
  const auto drawn = draw(R"({"distribution": "zipf", "alpha": 2, "max": 100})", 100000);
  const double zeta = 1.6449340668482264;  // zeta(2)
  for (const double k : {1, 2, 3, 5})
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, static_cast<std::uint32_t>(k))),
                100000 / zeta / (k * k), 600)
        << k;
  EXPECT_THAT(drawn, Each(Ge(1U)));
  EXPECT_THAT(drawn, Each(Le(100U)));
  EXPECT_GT(std::ranges::count(drawn, 100U), 100);  // includes all larger draws
  // With alpha close to 1 and with a large alpha the draws must end, too.
  EXPECT_THAT(draw(R"({"distribution": "zipf", "alpha": 1.0000000000000002, "max": 9})", 100),
              Each(Le(9U)));
  EXPECT_THAT(draw(R"({"distribution": "zipf", "alpha": 16777216})", 100), Each(1U));
}

TEST(conversation_distribution, a_poisson_one_has_its_mean_and_its_variance) {
  for (const char* const mean : {"0.5", "4", "9.9", "10", "60", "5000"}) {
    const auto drawn =
        draw(std::string(R"({"distribution": "poisson", "alpha": )") + mean + "}", 100000);
    const double expected = std::stod(mean);
    EXPECT_NEAR(mean_of(drawn), expected, 5 * std::sqrt(expected / 100000)) << mean;
    EXPECT_NEAR(variance_of(drawn) / expected, 1, 0.04) << mean;
  }
  EXPECT_THAT(draw(R"({"distribution": "poisson", "alpha": 60, "max": 50})"), Each(Le(50U)));
}

TEST(conversation_distribution, equal_seeds_draw_equally) {
  for (const char* const json : {R"({"distribution": "uniform", "min": 1, "max": 1000})",
                                 R"({"distribution": "lognormal", "average": 1000})",
                                 R"({"distribution": "zipf", "alpha": 1.2})",
                                 R"({"distribution": "poisson", "alpha": 100})"}) {
    EXPECT_EQ(draw(json, 20, 3), draw(json, 20, 3));
    EXPECT_NE(draw(json, 20, 3), draw(json, 20, 4));
  }
}

TEST(conversation_distribution, leaves_that_make_no_sense_are_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("constant", "value": -1)", "FILE: value: must be at least 0"},
      {R"("constant", "value": "5")", "FILE: value: must be a number"},
      {R"("constant", "value": 1e300)", "at most 16777216"},
      {R"("uniform", "min": 0, "max": 5)", "FILE: min: must be above 0"},
      {R"("uniform", "min": 6, "max": 5)", "FILE: max: must not be below \"min\""},
      {R"("uniform", "min": 6)", "FILE: \"max\" is missing"},
      {R"("lognormal")", "give either \"average\""},
      {R"("lognormal", "average": 5, "mean": 2, "sigma": 1)", "give either \"average\""},
      {R"("lognormal", "average": 5, "sigma": 1)", "give either \"average\""},
      {R"("lognormal", "average": 0.5)", "FILE: average: must be at least 1"},
      {R"("lognormal", "average": 5, "median_ratio": 0)", "FILE: median_ratio: must be above 0"},
      {R"("lognormal", "average": 5, "median_ratio": 1)", "FILE: median_ratio: must be above 0"},
      {R"("lognormal", "mean": 2)", "FILE: \"sigma\" is missing"},
      {R"("lognormal", "sigma": 2)", "FILE: \"mean\" is missing"},
      {R"("lognormal", "mean": 0, "sigma": 2)", "FILE: mean: must be above 0"},
      {R"("lognormal", "mean": 2, "sigma": -1)", "FILE: sigma: must be at least 0"},
      {R"("lognormal", "mean": 2, "sigma": 1, "median_ratio": 0.5)", "belongs to \"average\""},
      {R"("lognormal", "average": 5, "max": 0)", "FILE: max: must be above 0"},
      {R"("zipf", "alpha": 1)", "FILE: alpha: must be above 1"},
      {R"("zipf")", "FILE: \"alpha\" is missing"},
      {R"("poisson", "alpha": 0)", "FILE: alpha: must be above 0"},
      {R"("poisson", "alpha": 5, "max": -3)", "FILE: max: must be above 0"},
      {R"(3)", "FILE: distribution: must be a text"}};
  for (const auto& [leaf, said] : cases)
    EXPECT_THAT(refusal(std::string(R"({"distribution": )") + leaf + "}"), HasSubstr(said)) << leaf;
}

TEST(conversation_statistics, a_line_has_the_figures_of_a_sample) {
  EXPECT_EQ(conversations::statistics_line("turns", {4, 2, 3, 1}),
            "turns: count 4, mean 2.50, std 1.29, min 1.00, 25% 1.75, 50% 2.50, 75% 3.25, 90% "
            "3.70, max 4.00");
  EXPECT_EQ(conversations::statistics_line("one", {7}),
            "one: count 1, mean 7.00, min 7.00, 25% 7.00, 50% 7.00, 75% 7.00, 90% 7.00, max 7.00");
}

TEST(conversation_statistics, high_percentiles_need_enough_numbers) {
  const auto line = [](std::size_t count) {
    std::vector<double> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return conversations::statistics_line("x", std::move(numbers));
  };
  EXPECT_EQ(line(99).find(" 99% "), std::string::npos);
  EXPECT_THAT(line(101), HasSubstr(", 99% 99.00, max"));
  EXPECT_THAT(line(1001), HasSubstr(", 99.9% 999.00, max"));
  EXPECT_THAT(line(10001), HasSubstr(", 99.99% 9999.00, max 10000.00"));
}

}  // namespace
