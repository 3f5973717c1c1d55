#include <string>

#include <gtest/gtest.h>

#include <inferbench/dataset.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::made;
using sdk_test::stale_error;

/// A dataset with flags that the host knows before it creates the dataset.
class endless {
 public:
  static constexpr const char *id = "endless", *version = "1.0.0", *summary = "Endless.",
                              *license = "MIT";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;
  explicit endless(ifb::host) {}
  ifb_dataset_info prepare(const ifb_dataset_request&) {
    return ifb::dataset_info(-1, IFB_DATASET_SHUFFLE);
  }
  ifb::row_result read(std::uint64_t, ifb::arena, ifb_sample&) const {
    return ifb::row_result::ok();
  }
};

/// Three rows: a sample, a row to skip, and a row that causes an exception.
class rows {
 public:
  static constexpr const char *id = "rows", *version = "1.0.0", *summary = "Rows.",
                              *license = "MIT";
  explicit rows(ifb::host) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    if (request.wanted == 13) throw ifb::failure{IFB_E_DATA, "record 5 is malformed"};
    return ifb::dataset_info(3, IFB_DATASET_SHUFFLE);
  }
  ifb::row_result read(std::uint64_t row, ifb::arena arena, ifb_sample& out) {
    if (out.arrival_ns != -1 || out.input_tokens != -1 || out.shape != 0 || out.prompt.count != 0)
      throw ifb::failure{IFB_E_INTERNAL, "the sample is not blank"};
    out.shape = IFB_PROMPT_TEXT;
    out.output_tokens = 7;
    out.prompt = ifb::list_of({arena.make<ifb_part>(ifb::text_part(arena.copy("hello"))), 1});
    if (row == 0) return ifb::row_result::ok();
    if (row == 1) return ifb::row_result::skip("too short");
    if (row == 2) throw ifb::failure{IFB_E_IO, "disk gone"};
    return ifb::row_result::end();
  }
};

class dataset : public testing::Test {
 protected:
  [[nodiscard]] const ifb_dataset& calls() const {
    return self_.table<ifb_dataset>(IFB_DATASET_OPS);
  }
  ifb_status read(std::uint64_t row) {
    return calls().read(self_.get(), row, host_.arena(), &sample_, &error_);
  }

  fake_host host_;
  made self_{ifb::dataset<rows>::descriptor, host_};
  ifb_error error_ = stale_error();
  ifb_sample sample_ = [] {
    ifb_sample sample{};
    sample.struct_size = sizeof sample;
    sample.turn = 99;
    return sample;
  }();
};

TEST_F(dataset, is_described_as_its_kind) {
  const auto& plugin = ifb::dataset<rows>::descriptor;
  EXPECT_EQ(plugin.kind, static_cast<ifb_kind>(IFB_DATASET));
  EXPECT_STREQ(plugin.interfaces[0], IFB_DATASET_OPS);
  EXPECT_EQ(plugin.query(&plugin, IFB_HTTP_CODEC), nullptr);
  EXPECT_EQ(calls().struct_size, sizeof(ifb_dataset));
}

TEST_F(dataset, the_flags_of_the_class_are_known_before_create) {
  EXPECT_EQ(calls().flags, 0U);
  EXPECT_EQ(ifb::dataset<endless>::operations.flags,
            static_cast<std::uint32_t>(IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL));
  const made self(ifb::dataset<endless>::descriptor, host_);
  ifb_dataset_request request{};
  ifb_dataset_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(ifb::dataset<endless>::operations.prepare(self.get(), &request, &info, &error_),
            IFB_OK);
  EXPECT_EQ(info.flags, static_cast<std::uint32_t>(IFB_DATASET_SHUFFLE));
}

TEST_F(dataset, prepare_passes_its_result_to_the_host) {
  ifb_dataset_request request{};
  ifb_dataset_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(calls().prepare(self_.get(), &request, &info, &error_), IFB_OK);
  EXPECT_EQ(info.rows, 3);
  EXPECT_EQ(info.flags, static_cast<std::uint32_t>(IFB_DATASET_SHUFFLE));
  request.wanted = 13;
  EXPECT_EQ(calls().prepare(self_.get(), &request, &info, &error_), IFB_E_DATA);
  EXPECT_STREQ(error_.message, "record 5 is malformed");
}

TEST_F(dataset, a_row_starts_unknown_and_is_handed_over_whole) {
  EXPECT_EQ(read(0), IFB_OK);
  EXPECT_EQ(sample_.struct_size, sizeof(ifb_sample));
  EXPECT_EQ(ifb::prompt_text(sample_), "hello");
  EXPECT_EQ(sample_.output_tokens, 7);
  EXPECT_EQ(sample_.input_tokens, -1);
  EXPECT_EQ(sample_.turn, 0U);
}

TEST_F(dataset, an_unfit_row_says_why_and_hands_nothing_over) {
  EXPECT_EQ(read(1), IFB_SKIP);
  EXPECT_STREQ(error_.message, "too short");
  EXPECT_EQ(sample_.turn, 99U);
}

TEST_F(dataset, the_end_and_a_failure_hand_nothing_over) {
  EXPECT_EQ(read(3), IFB_END);
  EXPECT_EQ(sample_.turn, 99U);
  EXPECT_EQ(read(2), IFB_E_IO);
  EXPECT_STREQ(error_.message, "disk gone");
  EXPECT_EQ(sample_.turn, 99U);
}

TEST_F(dataset, an_exhausted_arena_is_out_of_memory_at_every_allocation) {
  for (const int left : {0, 1}) {
    host_.allocations_left = left;
    EXPECT_EQ(read(0), IFB_E_MEMORY) << left;
  }
  host_.allocations_left = 2;
  EXPECT_EQ(read(0), IFB_OK);
}

TEST_F(dataset, an_older_host_gets_the_sample_as_far_as_it_knows_it) {
  sample_.struct_size = offsetof(ifb_sample, overrides);
  sample_.metadata_count = 5;
  EXPECT_EQ(read(0), IFB_OK);
  EXPECT_EQ(sample_.output_tokens, 7);
  EXPECT_EQ(sample_.metadata_count, 5U);
}

}  // namespace
