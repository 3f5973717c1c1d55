#include "datasets/synthetic/draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace synthetic {
namespace {

length plain(const char* text) { return length::parse(text, "input-len"); }

TEST(draws, come_in_the_order_of_upstream_with_its_values) {
  ifb::numpy_pcg64 random(0);
  const auto made = draw_all(random, 4, length_range::of_inputs(plain("50"), 0, 0.3),
                             length_range::of_outputs(plain("20"), 0.3), 50257);
  std::vector<std::uint32_t> inputs;
  std::vector<std::uint32_t> outputs;
  std::vector<std::uint32_t> offsets;
  for (const draw& each : made) {
    inputs.push_back(each.input);
    outputs.push_back(each.output);
    offsets.push_back(each.offset);
  }
  EXPECT_THAT(inputs, ::testing::ElementsAre(61, 54, 50, 43));
  EXPECT_THAT(outputs, ::testing::ElementsAre(18, 14, 14, 14));
  EXPECT_THAT(offsets, ::testing::ElementsAre(8808, 40872, 32637, 45872));
}

TEST(draws, of_one_length_take_nothing_from_the_generator) {
  ifb::numpy_pcg64 random(3);
  const ifb::numpy_pcg64 before = random;
  EXPECT_EQ(length_range::of_inputs(plain("50"), 2, 0).draw(random), 48U);
  EXPECT_EQ(length_range::of_outputs(plain("0"), 0.5).draw(random), 1U);
  EXPECT_EQ(length_range::of(plain("9")).draw(random), 9U);
  EXPECT_TRUE(random == before);
}

TEST(draws, of_a_distribution_are_reduced_by_the_added_tokens_to_at_least_1) {
  ifb::numpy_pcg64 random(3);
  const length_range inputs = length_range::of_inputs(plain("uniform(2, 5)"), 3, 0);
  EXPECT_EQ(inputs.least(), 1);
  std::uint32_t most = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t one = inputs.draw(random);
    EXPECT_GE(one, 1U);
    most = std::max(most, one);
  }
  EXPECT_EQ(most, 2U);
}

TEST(draws, of_a_distribution_take_no_range_ratio) {
  for (const bool input : {true, false}) {
    try {
      const auto wanted = plain("normal(9, 2)");
      (void)(input ? length_range::of_inputs(wanted, 0, 0.1)
                   : length_range::of_outputs(wanted, 0.1));
      ADD_FAILURE() << "was taken";
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.option(), "range-ratio");
      EXPECT_THAT(e.message(), ::testing::HasSubstr("normal(9, 2) says itself"));
    }
  }
}

TEST(draws, are_distinguished_by_their_keys) {
  EXPECT_NE(length_range::of_inputs(plain("uniform(2, 5)"), 3, 0).key(),
            length_range::of_inputs(plain("uniform(2, 5)"), 2, 0).key());
  EXPECT_NE(length_range::of(plain("uniform(2, 5)")).key(),
            length_range::of(plain("uniform(2, 6)")).key());
  EXPECT_NE(length_range::of_inputs(plain("50"), 0, 0.3).key(),
            length_range::of_inputs(plain("50"), 0, 0.2).key());
}

}  // namespace
}  // namespace synthetic
