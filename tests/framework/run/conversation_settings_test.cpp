#include "run/conversation_settings.hpp"

#include <cstddef>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

TEST(conversation_settings, without_multi_turn_the_requests_in_flight_limit_the_conversations) {
  config::plan plan;
  EXPECT_EQ(schedule_settings(plan, false).most_active, std::nullopt);
  plan.load.max_concurrency = 4;
  EXPECT_EQ(schedule_settings(plan, false).most_active, 4U);
  plan.load.max_active_conversations = 9;
  EXPECT_EQ(schedule_settings(plan, false).most_active, 9U);
  EXPECT_FALSE(schedule_settings(plan, false).multi_turn);
  EXPECT_FALSE(schedule_settings(plan, false).ids.by_turn);
}

TEST(conversation_settings, with_multi_turn_all_conversations_begin_at_once) {
  config::plan plan;
  plan.load.multi_turn = {true, 7};
  plan.load.max_concurrency = 4;
  plan.load.session_header = "X";
  plan.num_prompts = 100;
  const conversations::settings found = schedule_settings(plan, false);
  EXPECT_EQ(found.most_active, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(found.pause_ns, 7U);
  EXPECT_TRUE(found.ids.by_turn);
  ASSERT_TRUE(found.multi_turn);
  EXPECT_EQ(found.multi_turn->concurrency, 4);
  EXPECT_EQ(found.multi_turn->session_header, "X");
}

// Otherwise new conversations would begin for ever, and no second turn would be sent.
TEST(conversation_settings, conversations_without_an_end_begin_as_requests_are_answered) {
  config::plan plan;
  plan.load.multi_turn.on = true;
  plan.load.max_concurrency = 4;
  EXPECT_EQ(schedule_settings(plan, true).most_active, 4U);
}

}  // namespace
}  // namespace inferbench::run
