#include "datasets/synthetic/length.hpp"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "support/temporary_folder.hpp"

namespace synthetic {
namespace {

using ::testing::HasSubstr;

length parsed(const std::string& text) { return length::parse(text, "input-len"); }

std::vector<double> drawn(const length& from, std::size_t count) {
  ifb::numpy_pcg64 random(0);
  std::vector<double> out(count);
  for (double& each : out)
    each = from.draw(random);
  return out;
}
double mean_of(const std::vector<double>& of) {
  return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
}
double deviation_of(const std::vector<double>& of) {
  const double mean = mean_of(of);
  double sum = 0;
  for (const double each : of)
    sum += (each - mean) * (each - mean);
  return std::sqrt(sum / static_cast<double>(of.size()));
}

TEST(length, a_plain_number_is_not_a_distribution) {
  EXPECT_EQ(parsed("1024").plain(), 1024);
  EXPECT_EQ(parsed(" 0 ").plain(), 0);
  EXPECT_EQ(parsed("2147483647").plain(), 2147483647);
  EXPECT_EQ(parsed("1024").text(), "1024");
  EXPECT_FALSE(parsed("uniform(1, 2)").plain());
}

TEST(length, uniform_fills_its_interval_evenly_with_both_ends) {
  const auto values = drawn(parsed("uniform(3, 6)"), 40'000);
  EXPECT_EQ(*std::ranges::min_element(values), 3);
  EXPECT_EQ(*std::ranges::max_element(values), 6);
  for (const double each : {3.0, 4.0, 5.0, 6.0})
    EXPECT_NEAR(static_cast<double>(std::ranges::count(values, each)), 10'000, 400);
}

TEST(length, normal_has_the_mean_and_deviation_it_says) {
  const auto values = drawn(parsed("normal(1000, 50)"), 40'000);
  EXPECT_NEAR(mean_of(values), 1000, 1.5);
  EXPECT_NEAR(deviation_of(values), 50, 1);
}

TEST(length, lognormal_has_the_mean_of_the_lengths_and_the_sigma_of_their_logarithms) {
  auto values = drawn(parsed("lognormal(1024, 0.4)"), 60'000);
  EXPECT_NEAR(mean_of(values), 1024, 8);
  for (double& each : values)
    each = std::log(each);
  EXPECT_NEAR(deviation_of(values), 0.4, 0.005);
}

TEST(length, a_distribution_without_spread_is_one_length) {
  EXPECT_THAT(drawn(parsed("normal(7, 0)"), 5), ::testing::Each(7));
  EXPECT_THAT(drawn(parsed("lognormal(7, 0)"), 5), ::testing::Each(7));
  EXPECT_THAT(drawn(parsed("uniform(7, 7)"), 5), ::testing::Each(7));
}

double least_of(const std::vector<double>& of) { return *std::ranges::min_element(of); }
double most_of(const std::vector<double>& of) { return *std::ranges::max_element(of); }

TEST(length, is_never_drawn_below_1_nor_beyond_the_longest) {
  for (const char* text : {"normal(1, 1000)", "uniform(0, 1)", "lognormal(1, 5)"})
    EXPECT_GE(least_of(drawn(parsed(text), 5000)), 1) << text;
  EXPECT_EQ(most_of(drawn(parsed("normal(16777216, 1000000)"), 50)),
            static_cast<double>(longest_drawn));
  EXPECT_EQ(parsed("uniform(0, 5)").least(), 1U);
  EXPECT_EQ(parsed("uniform(4, 5)").least(), 4U);
  EXPECT_EQ(parsed("normal(400, 5)").least(), 1U);
}

TEST(length, comes_from_a_file_of_lines_or_of_json) {
  const inferbench::support::temporary_folder folder;
  const std::string lines = folder.write("lines.txt", "12\n\n 40 \r\n0\n12");
  const std::string json = folder.write("list.json", "\n[12, 40, 1, 12.0]");
  for (const std::string& path : {lines, json}) {
    const length made = parsed("file(" + path + ")");
    EXPECT_EQ(made.text(), "4 lengths of " + path);
    EXPECT_EQ(made.least(), 1U);
    const auto values = drawn(made, 8000);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(values, 12)), 4000, 200);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(values, 40)), 2000, 200);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(values, 1)), 2000, 200);
  }
  EXPECT_EQ(parsed("file(" + lines + ")").key(), parsed("file('" + json + "')").key());
}

TEST(length, that_cannot_be_read_is_refused_with_the_option) {
  const inferbench::support::temporary_folder folder;
  const std::string bad_line = folder.write("bad.txt", "12\nx\n");
  const std::string bad_json = folder.write("bad.json", "[12, \"x\"]");
  const std::string cut = folder.write("cut.json", "[12, ");
  const std::string none = folder.write("none.txt", "\n");
  const std::pair<std::string, std::string> cases[] = {
      {"", "a length is a whole number"},
      {"abc", "not \"abc\""},
      {"1.5", "a length is a whole number"},
      {"-1", "from 0 to 2147483647"},
      {"2147483648", "from 0 to 2147483647"},
      {"nan", "a length is a whole number"},
      {"gauss(1, 2)", "no distribution \"gauss\""},
      {"(1, 2)", "no distribution \"\""},
      {"uniform(1, 2", "a length is a whole number"},
      {"uniform(1)", "does not contain two numbers"},
      {"uniform(1, 2, 3)", "does not contain two numbers"},
      {"uniform(9, 1)", "the lower limit first"},
      {"uniform(1.5, 2)", "whole numbers"},
      {"uniform(1, 99999999)", "whole numbers from 0 to 16777216"},
      {"normal(0, 1)", "the mean is not above 0"},
      {"normal(1, -1)", "standard deviation"},
      {"normal(1, inf)", "does not contain two numbers"},
      {"lognormal(1024, 11)", "sigma is not from 0 to 10"},
      {"file(/nowhere/at-all)", "cannot read /nowhere/at-all"},
      {"file()", "cannot read"},
      {"file(" + bad_line + ")", bad_line + ":2:1: the length is not a whole number"},
      {"file(" + bad_json + ")", "the length is not a whole number"},
      {"file(" + cut + ")", "malformed JSON"},
      {"file(" + none + ")", "there are no lengths"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    try {
      (void)parsed(text);
      ADD_FAILURE() << "was taken";
    } catch (const ifb::failure& e) {
      EXPECT_THAT(e.message(), HasSubstr(said));
      EXPECT_EQ(e.option(), "input-len");
    }
  }
}

}  // namespace
}  // namespace synthetic
