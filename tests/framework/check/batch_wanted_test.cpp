// The batches that the kit passes to engines of the draft inferbench.batch-engine.
#include "check/batch_wanted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "check/sample.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

ifb::strided<ifb_batch_item> items_of(const ifb_batch& batch) {
  return {batch.items, batch.item_count, batch.item_stride};
}

TEST(wanted_batch, becomes_a_batch_with_all_its_samples) {
  wanted_batch wanted{.name = "a batch",
                      .samples = {text_sample(), ids_sample()},
                      .mode = IFB_BATCH_BEAM_SEARCH,
                      .flags = IFB_BATCH_STAMPS,
                      .n = 2,
                      .beam_width = 3,
                      .max_tokens = -1};
  wanted.samples[1].adapter = 7;
  lent_memory memory;
  const ifb_batch& batch = *lend_batch(memory, wanted, "check-1-");
  EXPECT_EQ(batch.mode, unsigned{IFB_BATCH_BEAM_SEARCH});
  EXPECT_EQ(batch.flags, unsigned{IFB_BATCH_STAMPS});
  EXPECT_EQ(ifb::view(batch.request_id_prefix), "check-1-");
  EXPECT_EQ(batch.sampling->n, 2U);
  EXPECT_EQ(batch.sampling->beam_width, 3U);
  EXPECT_EQ(batch.sampling->max_tokens, -1);
  EXPECT_EQ(batch.sampling->flags, unsigned{IFB_SAMPLING_IGNORE_EOS});
  const auto items = items_of(batch);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].adapter, nullptr);
  EXPECT_THAT(text_of(*items[0].sample), HasSubstr("Say"));
  EXPECT_EQ(items[1].adapter->number, 7U);
  EXPECT_EQ(items[1].sample->prompt.first->data.size, 4 * sizeof(std::uint32_t));
}

TEST(wanted_batch, has_longer_structs_on_a_newer_host) {
  constexpr std::size_t tail = 64;
  lent_memory memory({.tail = tail, .filling = 0xA5});
  const ifb_batch& batch = *lend_batch(memory, one_sample(IFB_BATCH_CHAT), {});
  EXPECT_EQ(batch.struct_size, sizeof(ifb_batch) + tail);
  EXPECT_EQ(batch.item_stride, sizeof(ifb_batch_item) + tail);
  EXPECT_EQ(batch.sampling->struct_size, sizeof(ifb_sampling) + tail);
  EXPECT_EQ(items_of(batch)[0].sample->messages.count, 1U);
}

TEST(wanted_batch, knows_the_wanted_length_of_each_sample) {
  wanted_batch wanted{.name = "a batch", .samples = {text_sample(), ids_sample()}};
  EXPECT_EQ(wanted.length_of(1), 4);
  wanted.max_tokens = -1;
  EXPECT_EQ(wanted.length_of(0), 5);
  EXPECT_EQ(wanted.length_of(1), 3);
}

TEST(wanted_batch, has_facts_that_agree_with_its_samples) {
  lent_memory memory;
  for (const wanted_sample& each : {text_sample(), ids_sample(), chat_sample()}) {
    const ifb_sample& sample = *lend_sample(memory, each.json);
    EXPECT_EQ(sample.output_tokens, each.output_tokens);
    if (each.ids < 0) continue;
    EXPECT_EQ(sample.prompt.first->data.size,
              static_cast<std::size_t>(each.ids) * sizeof(std::uint32_t));
  }
}

}  // namespace
}  // namespace inferbench::check
