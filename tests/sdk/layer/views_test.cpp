#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

namespace {

// A part with a member of a later minor version.
struct longer_part {
  ifb_part known;
  std::uint64_t added[3];
};

static_assert(std::random_access_iterator<ifb::strided<ifb_part>::iterator>);

TEST(strided, walks_by_the_stride_of_the_writer) {
  std::array<longer_part, 3> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].known = ifb::text_part("abc");
    parts[i].known.kind = static_cast<std::uint32_t>(10 + i);
    for (auto& word : parts[i].added)
      word = ~std::uint64_t{0};
  }
  const ifb_part_list list{&parts[0].known, 3, sizeof(longer_part)};
  std::vector<std::uint32_t> kinds;
  for (const ifb_part& part : ifb::view(list))
    kinds.push_back(part.kind);
  EXPECT_EQ(kinds, (std::vector<std::uint32_t>{10, 11, 12}));
  EXPECT_EQ(ifb::view(list)[2].kind, 12U);
  EXPECT_EQ(ifb::view(list).front().kind, 10U);
}

TEST(strided, is_a_random_access_range) {
  std::array<longer_part, 5> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].known.kind = static_cast<std::uint32_t>(2 * i);
  const auto range = ifb::view(ifb_part_list{&parts[0].known, 5, sizeof(longer_part)});
  EXPECT_EQ(range.end() - range.begin(), 5);
  EXPECT_EQ((range.begin() + 3)->kind, 6U);
  EXPECT_EQ((range.end() - 1)->kind, 8U);
  EXPECT_EQ(range.begin()[1].kind, 2U);
  EXPECT_LT(range.begin(), range.end());
  const auto found =
      std::lower_bound(range.begin(), range.end(), 4U,
                       [](const ifb_part& p, std::uint32_t k) { return p.kind < k; });
  EXPECT_EQ(found - range.begin(), 2);
}

TEST(strided, of_nothing_is_empty) {
  for (const ifb_part_list list : {ifb_part_list{nullptr, 0, 0}, ifb_part_list{nullptr, 7, 64}}) {
    const auto range = ifb::view(list);
    EXPECT_TRUE(range.empty());
    EXPECT_EQ(range.begin(), range.end());
    EXPECT_EQ(range.end() - range.begin(), 0);
  }
}

TEST(views, an_empty_string_may_come_without_a_pointer) {
  EXPECT_EQ(ifb::view(ifb_str{nullptr, 0}), "");
  EXPECT_EQ(ifb::view(ifb_bytes{nullptr, 0}), "");
  EXPECT_EQ(ifb::view(ifb::str("a\0b")), "a");
  EXPECT_EQ(ifb::view(ifb::bytes({"a\0b", 3})).size(), 3U);
}

TEST(views, token_parts_are_ids) {
  const std::array<std::uint32_t, 3> ids{1, 2, 3};
  ifb_part part{};
  part.kind = IFB_PART_TOKENS;
  part.data = {ids.data(), sizeof ids};
  EXPECT_TRUE(std::ranges::equal(ifb::tokens_of(part), ids));
}

TEST(views, a_blank_sample_asks_for_nothing) {
  const ifb_sample sample = ifb::blank_sample();
  EXPECT_EQ(sample.struct_size, sizeof sample);
  EXPECT_EQ(sample.arrival_ns, -1);
  EXPECT_EQ(sample.input_tokens, -1);
  EXPECT_EQ(sample.output_tokens, -1);
  EXPECT_EQ(sample.turn, 0U);
  EXPECT_EQ(sample.prompt.count + sample.messages.count + sample.media.count, 0U);
}

TEST(views, figures_are_read_by_the_stride_of_the_writer) {
  struct longer_metric {
    ifb_metric known;
    std::uint64_t added;
  };
  std::array<longer_metric, 2> metrics{};
  metrics[1].known.value = 7;
  ifb_snapshot snapshot{};
  snapshot.metrics = &metrics[0].known;
  snapshot.metric_count = 2;
  snapshot.metric_stride = sizeof(longer_metric);
  EXPECT_EQ(ifb::metrics_of(snapshot)[1].value, 7);
  ifb_summary summary{};
  EXPECT_TRUE(ifb::metrics_of(summary).empty());
}

TEST(prompt_text, takes_text_and_refuses_every_other_shape) {
  ifb_part part = ifb::text_part("hello");
  ifb_sample sample = ifb::blank_sample();
  sample.prompt = ifb::list_of({&part, 1});
  sample.shape = IFB_PROMPT_TEXT;
  EXPECT_EQ(ifb::prompt_text(sample), "hello");
  for (const std::uint32_t shape : {0U, 2U, 3U, 4U, 5U, 6U, 7U, 99U}) {
    sample.shape = shape;
    try {
      (void)ifb::prompt_text(sample);
      ADD_FAILURE() << "shape " << shape;
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_UNSUPPORTED);
    }
  }
  sample.shape = IFB_PROMPT_TEXT;
  part.kind = IFB_PART_IMAGE;
  EXPECT_THROW((void)ifb::prompt_text(sample), ifb::failure);
  sample.prompt = {};
  EXPECT_THROW((void)ifb::prompt_text(sample), ifb::failure);
}

}  // namespace
