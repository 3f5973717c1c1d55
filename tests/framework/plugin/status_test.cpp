#include "plugin/status.hpp"

#include <gtest/gtest.h>

#include "plugin/instance.hpp"
#include "plugin/operations.hpp"

namespace inferbench::plugin {
namespace {

TEST(status, is_kept_if_it_is_ok_an_error_of_the_contract_or_a_status_of_the_call) {
  for (const ifb_status known : {IFB_OK, IFB_E_CONFIG, IFB_E_INTERNAL, IFB_E_DATA})
    EXPECT_EQ(settled(known, "read", nullptr), known);
  EXPECT_EQ(settled(IFB_SKIP, "read", nullptr, {IFB_END, IFB_SKIP}), IFB_SKIP);
}

TEST(status, that_the_call_does_not_have_is_an_internal_error_with_its_number) {
  ifb_error error = empty_error();
  EXPECT_EQ(settled(IFB_MORE, "read", &error, {IFB_END, IFB_SKIP}), IFB_E_INTERNAL);
  EXPECT_EQ(error.code, IFB_E_INTERNAL);
  EXPECT_STREQ(error.message, "read returned the status 2, which this call does not have");
  EXPECT_EQ(settled(4242, "begin", nullptr), IFB_E_INTERNAL);
}

TEST(status, below_the_codes_of_this_version_keeps_its_message) {
  ifb_error error = empty_error();
  error.message[0] = 'x';
  error.message[1] = '\0';
  EXPECT_EQ(settled(IFB_E_DATA - 1, "read", &error), IFB_E_INTERNAL);
  EXPECT_STREQ(error.message, "x");
}

TEST(operations, of_datasets_reporters_and_tokenizers_check_each_status) {
  const ifb_plugin plugin{};
  dataset rows{};
  rows.plugin = &plugin;
  rows.ifb_dataset::prepare = [](ifb_instance*, const ifb_dataset_request*, ifb_dataset_info*,
                                 ifb_error*) -> ifb_status { return IFB_SKIP; };
  rows.ifb_dataset::read = [](ifb_instance*, std::uint64_t row, ifb_arena*, ifb_sample*,
                              ifb_error*) -> ifb_status { return static_cast<ifb_status>(row); };
  ifb_dataset_info info{};
  EXPECT_EQ(rows.prepare(nullptr, nullptr, &info, nullptr), IFB_E_INTERNAL);
  EXPECT_EQ(rows.read(nullptr, IFB_END, nullptr, nullptr, nullptr), IFB_END);
  EXPECT_EQ(rows.read(nullptr, IFB_SKIP, nullptr, nullptr, nullptr), IFB_SKIP);
  EXPECT_EQ(rows.read(nullptr, IFB_MORE, nullptr, nullptr, nullptr), IFB_E_INTERNAL);
  EXPECT_EQ(rows.read(nullptr, 12, nullptr, nullptr, nullptr), IFB_E_INTERNAL);

  reporter out{};
  out.plugin = &plugin;
  out.ifb_reporter::begin = [](ifb_instance*, const ifb_run*, ifb_error*) -> ifb_status {
    return 5;
  };
  out.ifb_reporter::snapshot = [](ifb_instance*, const ifb_snapshot*, ifb_error*) -> ifb_status {
    return IFB_END;
  };
  EXPECT_EQ(out.begin(nullptr, nullptr, nullptr), IFB_E_INTERNAL);
  EXPECT_EQ(out.snapshot(nullptr, nullptr, nullptr), IFB_E_INTERNAL);

  tokenizer tokens{};
  tokens.plugin = &plugin;
  tokens.ifb_tokenizer::encode = [](const ifb_instance*, ifb_str, std::uint32_t, std::uint32_t*,
                                    std::size_t, std::size_t*,
                                    ifb_error*) -> ifb_status { return 1; };
  ifb_error error = empty_error();
  std::size_t needed = 0;
  EXPECT_EQ(tokens.encode(nullptr, {}, 0, nullptr, 0, &needed, &error), IFB_E_INTERNAL);
  EXPECT_EQ(text_of(error, IFB_E_INTERNAL),
            "encode returned the status 1, which this call does not have");
}

TEST(operations, of_a_dataset_add_the_flags_of_its_table_to_the_flags_of_prepare) {
  const ifb_plugin plugin{};
  dataset rows{};
  rows.plugin = &plugin;
  rows.flags = IFB_DATASET_SYNTHETIC;
  rows.ifb_dataset::prepare = [](ifb_instance*, const ifb_dataset_request*, ifb_dataset_info* out,
                                 ifb_error*) -> ifb_status {
    out->flags = IFB_DATASET_SHUFFLE;
    return IFB_OK;
  };
  ifb_dataset_info info{};
  EXPECT_EQ(rows.prepare(nullptr, nullptr, &info, nullptr), IFB_OK);
  EXPECT_EQ(info.flags, unsigned{IFB_DATASET_SYNTHETIC | IFB_DATASET_SHUFFLE});
}

}  // namespace
}  // namespace inferbench::plugin
