#include "datasets/random-mm/item_draws.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace random_mm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

item_draws drawn_of(const char* buckets, item_draws::choices chosen) {
  return {parse_buckets(buckets), chosen};
}

// "5x7x1: 147 26 ... 238" for each item: its bucket, and the first two bytes and the last byte of
// its pixels.
std::vector<std::string> items_of(const item_draws& from, ifb::numpy_pcg64& random) {
  std::vector<std::string> out;
  from.draw(random, [&](const bucket& of, ifb::numpy_pcg64& pixels) {
    std::vector<std::uint8_t> noise(static_cast<std::size_t>(of.bytes()));
    pixels.bytes(noise);
    out.push_back(std::to_string(of.height) + "x" + std::to_string(of.width) + "x" +
                  std::to_string(of.frames) + ": " + std::to_string(noise[0]) + " " +
                  std::to_string(noise[1]) + " ... " + std::to_string(noise.back()));
  });
  return out;
}

// The expected values were computed with NumPy 1.24.
TEST(item_draws, buckets_and_pixels_are_drawn_in_turn_as_upstream_does) {
  const item_draws draws =
      drawn_of("{(5, 7, 1): 0.5, (9, 4, 1): 0.25, (3, 5, 4): 1.25}", {2, 1.0, {2, 1}});
  ifb::numpy_pcg64 random(3);
  ifb::numpy_pcg64 skipped(3);
  const std::vector<std::vector<std::string>> expected = {
      {"5x7x1: 147 26 ... 238", "3x5x4: 160 110 ... 74", "5x7x1: 249 202 ... 166"},
      {"3x5x4: 78 28 ... 21", "5x7x1: 119 59 ... 115", "9x4x1: 229 183 ... 52"},
      {},
      {"3x5x4: 232 47 ... 140", "5x7x1: 127 70 ... 166"},
      {},
      {"9x4x1: 147 7 ... 6"},
      {},
      {"3x5x4: 40 134 ... 0", "9x4x1: 64 126 ... 151", "5x7x1: 215 8 ... 115"}};
  for (const auto& items : expected) {
    EXPECT_EQ(items_of(draws, random), items);
    draws.skip(skipped);
    EXPECT_TRUE(random == skipped);
  }
  EXPECT_EQ(random.integer(0, 1 << 30), 39928759);
  EXPECT_EQ(random.real(), 0.4011253998887595);
}

TEST(item_draws, a_fixed_number_of_items_costs_no_draw) {
  const item_draws none = drawn_of("{(5, 7, 1): 1}", {0, 0.0, {3, 1}});
  ifb::numpy_pcg64 random(1);
  const ifb::numpy_pcg64 before = random;
  EXPECT_THAT(items_of(none, random), SizeIs(0));
  EXPECT_TRUE(random == before);
  const item_draws three = drawn_of("{(5, 7, 1): 1}", {3, 0.0, {3, 1}});
  for (int i = 0; i < 20; ++i)
    EXPECT_THAT(items_of(three, random), SizeIs(3));
}

TEST(item_draws, buckets_are_drawn_as_often_as_their_weights_say) {
  const item_draws draws =
      drawn_of("{(1, 1, 1): 3, (1, 2, 1): 1, (1, 3, 1): 0}", {4, 0.5, {255, 1}});
  std::map<std::uint32_t, int> widths;
  ifb::numpy_pcg64 random(7);
  int all = 0;
  for (int i = 0; i < 2000; ++i) {
    int count = 0;
    draws.draw(random, [&](const bucket& of, ifb::numpy_pcg64& pixels) {
      pixels.skip_bytes(of.bytes());
      ++widths[of.width];
      ++count;
    });
    EXPECT_GE(count, 2);
    EXPECT_LE(count, 6);
    all += count;
  }
  EXPECT_THAT(widths, SizeIs(2));
  EXPECT_NEAR(widths[1] / static_cast<double>(all), 0.75, 0.03);
}

TEST(item_draws, a_modality_at_its_limit_leaves_the_rest_to_the_other) {
  const item_draws draws = drawn_of("{(1, 1, 1): 1, (1, 1, 2): 1000}", {3, 0.0, {3, 1}});
  ifb::numpy_pcg64 random(0);
  for (int i = 0; i < 100; ++i) {
    std::map<modality, int> kinds;
    draws.draw(random, [&](const bucket& of, ifb::numpy_pcg64&) { ++kinds[of.kind()]; });
    EXPECT_EQ(kinds[modality::video], 1);
    EXPECT_EQ(kinds[modality::image], 2);
  }
}

TEST(item_draws, only_sizes_that_can_be_drawn_are_used) {
  const auto sizes = [](const item_draws& of) {
    std::vector<std::string> out;
    for (const bucket& each : of.used())
      out.push_back(each.text());
    return out;
  };
  EXPECT_THAT(sizes(drawn_of("{(1, 1, 1): 1, (2, 2, 2): 1, (3, 3, 1): 0}", {1, 0, {1, 1}})),
              ElementsAre("(1, 1, 1)", "(2, 2, 2)"));
  EXPECT_THAT(sizes(drawn_of("{(1, 1, 1): 1, (2, 2, 2): 1}", {1, 0, {0, 1}})),
              ElementsAre("(2, 2, 2)"));
  EXPECT_THAT(sizes(drawn_of("{(1, 1, 1): 1}", {0, 0, {1, 1}})), SizeIs(0));
}

TEST(item_draws, are_described_for_the_log) {
  EXPECT_EQ(drawn_of("{(1, 1, 1): 1}", {1, 0, {9, 1}}).text(), "1 image");
  EXPECT_EQ(drawn_of("{(1, 1, 1): 1}", {2, 0.5, {9, 1}}).text(), "1 to 3 images");
  EXPECT_EQ(drawn_of("{(1, 1, 2): 1}", {1, 1, {9, 9}}).text(), "0 to 2 videos");
  EXPECT_EQ(drawn_of("{(1, 1, 2): 1, (1, 1, 1): 1}", {2, 0, {9, 9}}).text(), "2 images or videos");
}

TEST(item_draws, a_limit_belongs_only_to_a_modality_with_a_weight) {
  EXPECT_NO_THROW(drawn_of("{(1, 1, 1): 1, (1, 1, 2): 0}", {1, 0, {3, std::nullopt}}));
  EXPECT_NO_THROW(drawn_of("{(64, 64, 8): 1}", {1, 0, {0, 1}}));
}

struct refused_items {
  const char* buckets;
  item_draws::choices chosen;
  const char* option;
  const char* message;
};

TEST(item_draws, that_are_impossible_are_refused_by_the_option_at_fault) {
  const refused_items cases[] = {
      {"{(1, 1, 1): 1}", {1, 1.5, {1, 1}}, "num-mm-items-range-ratio", "from 0 to 1, not 1.5"},
      {"{(1, 1, 1): 1}", {1, -0.1, {1, 1}}, "num-mm-items-range-ratio", "from 0 to 1, not -0.1"},
      {"{(1, 1, 1): 1}",
       {1, std::numeric_limits<double>::quiet_NaN(), {1, 1}},
       "num-mm-items-range-ratio",
       "from 0 to 1, not nan"},
      {"{}", {1, 0, {1, 1}}, "bucket-config", "no bucket has a weight above 0"},
      {"{(1, 1, 1): 0}", {1, 0, {1, 1}}, "bucket-config", "no bucket has a weight above 0"},
      {"{(1, 1, 1): 1e308, (1, 1, 2): 1e308}", {1, 0, {1, 1}}, "bucket-config", "not finite"},
      {"{(1, 1, 1): 1, (1, 1, 2): 1}",
       {1, 0, {1, std::nullopt}},
       "limit-mm-per-prompt",
       "the buckets have videos, whose number is not limited; add \"video\": N"},
      {"{(1, 1, 1): 1}",
       {3, 0, {1, 1}},
       "base-items-per-request",
       "each request would have at least 3 items, and the limits allow 1"},
      {"{(1, 1, 1): 1}",
       {70'000, 0, {70'000, 1}},
       "base-items-per-request",
       "up to 70000 items, which is more than 65536"},
  };
  for (const refused_items& each : cases) {
    SCOPED_TRACE(each.message);
    try {
      (void)drawn_of(each.buckets, each.chosen);
      ADD_FAILURE() << "not refused";
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_CONFIG);
      EXPECT_EQ(e.option(), each.option);
      EXPECT_THAT(e.message(), HasSubstr(each.message));
    }
  }
}

TEST(item_limits, have_upstreams_defaults_and_are_read_from_json) {
  EXPECT_THAT(parse_limits(""), ElementsAre(255, 1));
  EXPECT_THAT(parse_limits(R"({"image": 3})"), ElementsAre(3, std::nullopt));
  EXPECT_THAT(parse_limits(R"({"video": 2, "image": 0, "audio": "x"})"), ElementsAre(0, 2));
}

TEST(item_limits, that_are_no_numbers_are_refused) {
  for (const char* text : {"3", "[1]", "{", R"({"image": -1})", R"({"image": 1.5})",
                           R"({"video": "1"})", R"({"video": null})", R"({"image": 2147483648})"}) {
    SCOPED_TRACE(text);
    try {
      (void)parse_limits(text);
      ADD_FAILURE() << "not refused";
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.option(), "limit-mm-per-prompt");
      EXPECT_THAT(e.message(), HasSubstr("; write {\"image\": 255, \"video\": 1}"));
    }
  }
}

}  // namespace
}  // namespace random_mm
