// The expected values were computed with NumPy 1.24 and CPython 3.11.
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

template <typename draw>
auto times(std::size_t n, draw&& one) {
  std::vector<decltype(one())> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(one());
  return out;
}

template <typename generator>
std::vector<int> shuffled(generator random, int n) {
  std::vector<int> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  random.shuffle(out);
  return out;
}

TEST(numpy_pcg64, integers_are_the_output_of_default_rng) {
  ifb::numpy_pcg64 zero(0);
  EXPECT_THAT(times(8, [&] { return zero.integer(0, 50257); }),
              ElementsAre(42749, 32011, 25688, 13558, 15470, 2059, 3781, 830));
  ifb::numpy_pcg64 one(1);
  EXPECT_THAT(times(4, [&] { return one.integer(0, 50257); }),
              ElementsAre(23781, 25722, 37952, 47767));
}

TEST(numpy_pcg64, doubles_are_the_output_of_default_rng) {
  ifb::numpy_pcg64 random(42);
  EXPECT_THAT(times(3, [&] { return random.real(); }),
              ElementsAre(0.7739560485559633, 0.4388784397520523, 0.8585979199113825));
}

TEST(numpy_pcg64, bytes_take_one_32_bit_draw_for_four) {
  ifb::numpy_pcg64 random(0);
  std::array<std::uint8_t, 12> out{};
  random.bytes(out);
  EXPECT_THAT(out, ElementsAre(95, 130, 194, 217, 207, 235, 15, 163, 33, 215, 217, 130));

  ifb::numpy_pcg64 again(0);
  std::array<std::uint8_t, 5> some{};
  again.bytes(some);  // three bytes of the second draw are discarded
  std::array<std::uint8_t, 4> next{};
  again.bytes(next);
  EXPECT_THAT(next, ElementsAre(33, 215, 217, 130));
}

// Generator.integers(0, 256, dtype=uint8) as NumPy's documents describe it: a draw for four bytes.
std::vector<std::uint8_t> bytes_by_draws(ifb::numpy_pcg64& random, std::size_t count) {
  std::vector<std::uint8_t> out(count);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < count; ++i) {
    word = i % 4 == 0 ? random.next32() : word >> 8U;
    out[i] = static_cast<std::uint8_t>(word);
  }
  return out;
}

TEST(numpy_pcg64, bytes_of_any_number_are_those_of_draws_and_can_be_skipped) {
  for (const bool half : {false, true}) {
    for (std::size_t count = 0; count < 70; ++count) {
      ifb::numpy_pcg64 drawn(count + 1);
      if (half) (void)drawn.next32();
      ifb::numpy_pcg64 filled = drawn;
      ifb::numpy_pcg64 skipped = drawn;
      std::vector<std::uint8_t> found(count);
      filled.bytes(found);
      skipped.skip_bytes(count);
      EXPECT_EQ(found, bytes_by_draws(drawn, count)) << count << half;
      EXPECT_TRUE(filled == drawn) << count << half;
      EXPECT_TRUE(skipped == drawn) << count << half;
    }
  }
}

TEST(numpy_pcg64, many_bytes_are_skipped_as_if_drawn) {
  for (const std::size_t count : {2'764'800U, 1'000'001U, 65'534U}) {
    ifb::numpy_pcg64 drawn(8);
    ifb::numpy_pcg64 skipped(8);
    for (int i = 0; i < 3; ++i) {
      std::vector<std::uint8_t> pixels(count);
      drawn.bytes(pixels);
      skipped.skip_bytes(count);
      EXPECT_TRUE(drawn == skipped);
      EXPECT_EQ(drawn.real(), skipped.real());
    }
  }
}

TEST(numpy_pcg64, advancing_is_the_same_as_drawing_and_keeps_the_half) {
  for (const std::uint64_t count : {0U, 1U, 2U, 3U, 7U, 64U, 12'345U}) {
    ifb::numpy_pcg64 drawn(5);
    (void)drawn.next32();
    ifb::numpy_pcg64 jumped = drawn;
    for (std::uint64_t i = 0; i < count; ++i)
      (void)drawn.next64();
    jumped.advance(count);
    EXPECT_TRUE(drawn == jumped) << count;
  }
}

TEST(numpy_pcg64, long_jumps_are_those_of_the_bit_generator) {
  ifb::numpy_pcg64 far(42);
  far.advance(1'000'000'000'000'000);
  EXPECT_EQ(far.real(), 0.7715632573105038);
  EXPECT_EQ(far.next64(), 12326291876597978299U);
  ifb::numpy_pcg64 farthest(0);
  farthest.advance(UINT64_MAX);
  EXPECT_EQ(farthest.next64(), 4056515322867271151U);
}

TEST(numpy_pcg64, a_double_does_not_touch_the_kept_half_of_a_draw) {
  ifb::numpy_pcg64 random(7);
  EXPECT_EQ(random.integer(0, 10), 9);
  EXPECT_EQ(random.real(), 0.8972138009695755);
  EXPECT_EQ(random.integer(0, 10), 6);
  EXPECT_EQ(random.integer(0, 10), 5);
  EXPECT_EQ(random.real(), 0.22520718999059186);
}

TEST(numpy_pcg64, permutation_draws_under_a_mask) {
  EXPECT_THAT(ifb::numpy_pcg64(0).permutation(10), ElementsAre(4, 6, 2, 7, 3, 5, 9, 0, 8, 1));
  EXPECT_THAT(ifb::numpy_pcg64(42).permutation(10), ElementsAre(5, 6, 0, 7, 3, 2, 4, 9, 1, 8));
  EXPECT_THAT(ifb::numpy_pcg64(0).permutation(1), ElementsAre(0));
  EXPECT_TRUE(ifb::numpy_pcg64(0).permutation(0).empty());
}

// As the library `datasets` of Hugging Face shuffles a stream: one generator draws the slots of the
// buffer in blocks. At the end it shuffles the rows that are left.
TEST(numpy_pcg64, a_buffered_shuffle_of_a_stream_comes_out_as_upstream) {
  ifb::numpy_pcg64 random(0);
  std::vector<int> buffer;
  std::vector<int> out;
  std::vector<std::int64_t> block;
  for (int row = 0; row < 10; ++row) {
    if (buffer.size() < 4) {
      buffer.push_back(row);
      continue;
    }
    if (block.empty()) block = times(1000, [&] { return random.integer(0, 4); });
    const auto slot = static_cast<std::size_t>(block.front());
    block.erase(block.begin());
    out.push_back(buffer[slot]);
    buffer[slot] = row;
  }
  random.shuffle(buffer);
  out.insert(out.end(), buffer.begin(), buffer.end());
  EXPECT_THAT(out, ElementsAre(3, 2, 5, 1, 7, 0, 8, 9, 4, 6));
}

TEST(numpy_pcg64, one_possible_value_costs_no_draw) {
  ifb::numpy_pcg64 random(3);
  const ifb::numpy_pcg64 before = random;
  EXPECT_EQ(random.integer(17, 18), 17);
  EXPECT_TRUE(random == before);
  (void)random.integer(-1, 1);
  EXPECT_FALSE(random == before);
}

TEST(numpy_pcg64, a_copy_goes_on_where_the_original_stood) {
  ifb::numpy_pcg64 random(11);
  (void)random.next32();
  ifb::numpy_pcg64 copy = random;
  EXPECT_EQ(times(5, [&] { return random.next32(); }), times(5, [&] { return copy.next32(); }));
}

TEST(numpy_pcg64, wide_spans_stay_inside_their_bounds) {
  ifb::numpy_pcg64 random(9);
  bool beyond_32_bits = false;
  for (int i = 0; i < 200; ++i) {
    const auto wide = random.integer(-(std::int64_t{1} << 40), std::int64_t{1} << 40);
    EXPECT_GE(wide, -(std::int64_t{1} << 40));
    EXPECT_LT(wide, std::int64_t{1} << 40);
    beyond_32_bits |= wide > INT32_MAX;
    EXPECT_LT(random.integer(0, std::int64_t{1} << 32), std::int64_t{1} << 32);
    EXPECT_LT(random.integer(INT64_MIN, INT64_MAX), INT64_MAX);
  }
  EXPECT_TRUE(beyond_32_bits);
}

// As in the dataset random-mm: one generator draws for each item first a bucket, according to the
// weights, and then the random pixels.
TEST(numpy_pcg64, weighted_choice_takes_the_first_sum_above_a_double) {
  ifb::numpy_pcg64 random(42);
  for (int i = 0; i < 9; ++i)
    (void)random.integer(0, i < 6 ? 1 : 50257);  // the draws for lengths and offsets come first
  const std::array<double, 2> sums = {0.5, 1.0};
  std::vector<std::int64_t> counts;
  std::vector<std::size_t> buckets;
  std::vector<std::vector<std::uint8_t>> starts;
  for (int request = 0; request < 3; ++request) {
    counts.push_back(random.integer(1, 4));
    for (std::int64_t item = 0; item < counts.back(); ++item) {
      buckets.push_back(random.choice(sums));
      std::vector<std::uint8_t> pixels(buckets.back() == 0 ? 32 * 32 * 3 : 52 * 64 * 3);
      random.bytes(pixels);
      pixels.resize(4);
      starts.push_back(pixels);
    }
  }
  EXPECT_THAT(counts, ElementsAre(2, 2, 3));
  EXPECT_THAT(buckets, ElementsAre(1, 0, 1, 0, 1, 0, 1));
  const std::vector<std::vector<std::uint8_t>> expected = {
      {141, 136, 0, 22},  {185, 71, 5, 13},  {242, 59, 66, 103}, {116, 105, 201, 56},
      {130, 229, 92, 44}, {52, 82, 30, 139}, {3, 212, 32, 87}};
  EXPECT_EQ(starts, expected);
}

TEST(python_random, shuffle_is_that_of_python) {
  EXPECT_THAT(shuffled(ifb::python_random(0), 10), ElementsAre(7, 8, 1, 5, 3, 4, 2, 0, 9, 6));
  EXPECT_THAT(shuffled(ifb::python_random(42), 10), ElementsAre(7, 3, 2, 8, 5, 6, 9, 4, 0, 1));
  std::uint64_t hash = 0;
  for (const int item : shuffled(ifb::python_random(5), 1000))
    hash = hash * 31 + static_cast<std::uint64_t>(item);
  EXPECT_EQ(hash, 13391241627764386110U);
}

TEST(python_random, choice_randint_and_choices_are_the_same_as_in_python) {
  ifb::python_random choice(0);
  const std::array<int, 5> five = {0, 1, 2, 3, 4};
  EXPECT_THAT(times(10, [&] { return int{choice.choice(five)}; }),
              ElementsAre(3, 3, 0, 2, 4, 3, 3, 2, 3, 2));
  EXPECT_THAT(ifb::python_random(0).choices(100, 6), ElementsAre(84, 75, 42, 25, 51, 40));
  ifb::python_random randint(0);
  EXPECT_THAT(times(5, [&] { return randint.randint(0, 999); }),
              ElementsAre(864, 394, 776, 911, 430));
  ifb::python_random lines(0);
  EXPECT_THAT(lines.choices(10, 4), ElementsAre(8, 7, 4, 2));
  EXPECT_THAT(lines.choices(10, 4), ElementsAre(5, 4, 7, 3));
  ifb::python_random starts(0);
  EXPECT_THAT(times(5, [&] { return starts.randint(0, 99); }), ElementsAre(49, 97, 53, 5, 33));
}

TEST(python_random, sample_is_that_of_python) {
  EXPECT_THAT(ifb::python_random(0).sample(10, 3), ElementsAre(6, 9, 0));
  EXPECT_THAT(ifb::python_random(0).sample(1000, 5), ElementsAre(864, 394, 776, 911, 430));
  EXPECT_THAT(ifb::python_random(0).sample(4, 4), ElementsAre(3, 1, 0, 2));
  struct row {
    std::uint64_t seed;
    std::size_t n;
    std::size_t k;
    std::uint64_t hash;  // of the indices in their order
    double next;         // random() after the draw
  };
  // The lengths of a list and of a set meet at 21, 85 and 277.
  const std::vector<row> rows = {
      {0U, 10, 3, 6045U, 0.25891675029296335},
      {0U, 10, 10, 166315644745695U, 0.5833820394550312},
      {7U, 21, 5, 9365939U, 0.8212742919913083},
      {7U, 22, 5, 9366527U, 0.07243628666754276},
      {1U, 85, 6, 553458687U, 0.7609624449125756},
      {1U, 86, 6, 553458687U, 0.7609624449125756},
      {3U, 277, 40, 16660329849295103594U, 0.5769096646057147},
      {3U, 278, 40, 2939380230784077103U, 0.5341030849894441},
      {1099511627781U, 50, 49, 4876368587583277608U, 0.9341392659285369},
      {1U, 5000, 900, 2916874340584222511U, 0.5075420973285849},
      {3U, 1, 1, 0U, 0.5926409106271656},
      {3U, 5, 0, 0U, 0.23796462709189137},
      {9U, 100000, 1000, 16563809371500688334U, 0.7146190085884094},
  };
  for (const row& r : rows) {
    SCOPED_TRACE(r.n);
    ifb::python_random random(r.seed);
    std::uint64_t hash = 0;
    for (const std::size_t index : random.sample(r.n, r.k))
      hash = hash * 31 + index;
    EXPECT_EQ(hash, r.hash);
    EXPECT_EQ(random.real(), r.next);
  }
}

TEST(python_random, seeds_of_one_and_two_words_are_the_same_as_in_python) {
  struct row {
    std::uint64_t seed;
    std::vector<int> shuffle;
    std::vector<std::int64_t> randint;
    double real;
    std::int64_t wide;
    std::uint64_t below_2_33;
    std::uint64_t below_2_32;
  };
  const std::vector<row> rows = {
      {0,
       {7, 8, 1, 5, 3, 4, 2, 0, 9, 6},
       {366, 597, 913},
       0.9081128851953352,
       -2042539547338528650,
       1210484339,
       3874773259},
      {2147483648,
       {3, 7, 1, 4, 8, 0, 9, 2, 6, 5},
       {772, 852, 153},
       0.7130566870009603,
       3231588474341903016,
       5066092049,
       2178123692},
      {4294967295,
       {0, 7, 1, 5, 2, 6, 4, 8, 3, 9},
       {363, 918, 509},
       0.41044230061973264,
       4193136395119321802,
       1569971578,
       1421850383},
      {4294967296,
       {8, 9, 3, 2, 4, 7, 0, 6, 5, 1},
       {14, 141, 77},
       0.8184588770597201,
       3378719092175296524,
       6447106509,
       3165604918},
      {18446744073709551615U,
       {2, 6, 7, 9, 8, 1, 4, 5, 3, 0},
       {754, 197, 747},
       0.53238899610718,
       -3168471411121232115,
       7735429709,
       1125832446},
  };
  for (const row& r : rows) {
    SCOPED_TRACE(r.seed);
    ifb::python_random random(r.seed);
    std::vector<int> list = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    random.shuffle(list);
    EXPECT_EQ(list, r.shuffle);
    EXPECT_EQ(times(3, [&] { return random.randint(0, 999); }), r.randint);
    EXPECT_EQ(random.real(), r.real);
    EXPECT_EQ(random.randint(-(std::int64_t{1} << 62), std::int64_t{1} << 62), r.wide);
    EXPECT_EQ(random.below((std::uint64_t{1} << 33) + 1), r.below_2_33);
    EXPECT_EQ(random.below(1), 0U);
    EXPECT_EQ(random.below(std::uint64_t{1} << 32), r.below_2_32);
  }
}

TEST(numpy_legacy, randint_is_that_of_np_random) {
  ifb::numpy_legacy random(0);
  EXPECT_THAT(
      times(11, [&] { return random.randint(0, 50257); }),
      ElementsAre(2732, 43567, 42613, 45891, 21243, 30403, 32103, 41993, 20757, 46884, 14935));
}

TEST(numpy_legacy, permutation_and_masked_draws_sample_rows_as_pandas_does) {
  auto four = ifb::numpy_legacy(0).permutation(10);
  four.resize(4);
  EXPECT_THAT(four, ElementsAre(2, 8, 4, 9));
  ifb::numpy_legacy random(0);
  EXPECT_THAT(times(12, [&] { return random.randint(0, 10); }),
              ElementsAre(5, 0, 3, 3, 7, 9, 3, 5, 2, 4, 7, 6));
}

TEST(numpy_legacy, doubles_are_the_output_of_random_sample) {
  ifb::numpy_legacy random(0);
  EXPECT_THAT(times(3, [&] { return random.real(); }),
              ElementsAre(0.5488135039273248, 0.7151893663724195, 0.6027633760716439));
}

TEST(mt19937, first_outputs_are_the_same_as_in_the_reference) {
  EXPECT_EQ(ifb::mt19937(5489U).next32(), 3499211612U);
  const std::array<std::uint32_t, 4> key = {0x123, 0x234, 0x345, 0x456};
  ifb::mt19937 by_array{std::span<const std::uint32_t>(key)};
  EXPECT_THAT(times(4, [&] { return by_array.next32(); }),
              ElementsAre(1067595299U, 955945823U, 477289528U, 4107218783U));
}

}  // namespace
