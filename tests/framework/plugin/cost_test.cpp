#include "plugin/cost.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "folder.hpp"
#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(cost_sheet, has_the_time_of_each_kind_of_call) {
  cost_sheet sheet;
  EXPECT_THAT(sheet.take(), IsEmpty());
  // These times are far longer than two readings of a clock; the results are exact within 0.1 %.
  for (const std::uint64_t ms : {10U, 20U, 90U})
    sheet.add(call::open, ms * 1'000'000, 1);
  sheet.add(call::read, 1'000'000'000, 1);
  const auto found = sheet.take();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].which, call::open);
  EXPECT_EQ(found[0].timed, 3U);
  EXPECT_NEAR(found[0].median, 20e6, 1e5);
  EXPECT_NEAR(found[0].mean, 40e6, 1e5);
  EXPECT_NEAR(found[0].p99, 88.6e6, 1e5);
  EXPECT_EQ(found[1].which, call::read);
  EXPECT_THAT(sheet.take(), IsEmpty()) << "they were taken";
}

TEST(cost_sheet, shares_a_call_out_among_its_records) {
  cost_sheet sheet;
  sheet.add(call::records, 100'000'000, 100);
  sheet.add(call::records, 900'000'000, 300);
  sheet.add(call::records, 900'000'000, 0);
  const auto found = sheet.take();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].timed, 2U);
  EXPECT_NEAR(found[0].mean, 2.5e6, 1e4) << "by record, not by call";
  EXPECT_NEAR(found[0].median, 3e6, 1e4);
}

TEST(cost_sheet, has_the_time_for_a_thousand_bytes_of_text) {
  cost_sheet sheet;
  sheet.add(call::encode, 500'000'000, 500);
  EXPECT_NEAR(sheet.take().at(0).mean, 1e9, 1e6);
}

TEST(cost_sheet, with_only_calls_without_units_is_empty) {
  cost_sheet sheet;
  sheet.add(call::encode, 500, 0);
  EXPECT_THAT(sheet.take(), IsEmpty());
}

TEST(cost_sheet, times_the_first_calls_and_then_one_of_64) {
  const cost_sheet none_timed;
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(none_timed.due(call::open));
  cost_sheet sheet;
  for (int i = 0; i < 64; ++i)
    sheet.add(call::open, 1, 1);
  // The choice does not depend on the pattern of calls: here two kinds of call alternate.
  std::array<int, 2> timed{};
  for (int i = 0; i < 64'000; ++i) {
    sheet.add(call::close, 1, 1);
    timed[0] += sheet.due(call::open) ? 1 : 0;
    timed[1] += sheet.due(call::close) ? 1 : 0;
  }
  EXPECT_NEAR(timed[0], 1000, 20);
  EXPECT_NEAR(timed[1], 1000 + 64, 30);
}

TEST(cost_of_an_instance, is_that_of_the_calls_through_its_operations) {
  const services none;
  const instance made(load(IFB_BACKEND, fixture("good").string(), {}), {}, none);
  const codec ops = codec_of(made);
  ifb_exchange* exchange = nullptr;
  ifb_http_request request{};
  ifb_error error = empty_error();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(ops.open(made.get(), nullptr, nullptr, &exchange, &error), IFB_OK);
    EXPECT_EQ(ops.request(exchange, &request, &error), IFB_OK);
    std::uint32_t framing = 0;
    EXPECT_EQ(ops.on_head(exchange, nullptr, &framing, &error), IFB_OK) << "the host's";
    ops.close(exchange);
  }
  const auto found = made.take_costs();
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_STREQ(name_of(found[0].which), "open");
  EXPECT_STREQ(name_of(found[1].which), "request");
  EXPECT_STREQ(name_of(found[2].which), "close");
  for (const call_cost& each : found)
    EXPECT_EQ(each.timed, 10U);
  EXPECT_THAT(made.take_costs(), IsEmpty());
}

}  // namespace
}  // namespace inferbench::plugin
