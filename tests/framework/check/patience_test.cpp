// Plugins that are slow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/check/program.hpp"

namespace inferbench::check {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(plugin_check, keeps_the_memory_of_calls_that_do_not_end) {
  const ended e = run(wrong("engine_blocks-deaf") +
                      " --in-process --only calls --only instances --only threads --only forward"
                      " --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("0 failed, 0 crashed, 5 skipped"));
}

TEST(plugin_check, ends_a_process_in_which_a_call_goes_on_without_destructors) {
  const ended e = run(wrong("engine_blocks-at-exit") + " --only calls --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("skipped  calls "));
  EXPECT_THAT(e.output, HasSubstr("0 crashed"));
}

TEST(plugin_check, makes_calls_that_take_their_time_as_often_as_there_is_time) {
  const ended e = run(wrong("engine_blocks-slowly") +
                      " --only calls --only threads --only forward --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("0 passed, 0 warned, 0 failed, 0 crashed, 4 skipped"));
  EXPECT_THAT(e.output, HasSubstr("the calls take too long to be made again and again"));
}

TEST(plugin_check, warns_of_calls_that_cannot_be_cancelled) {
  const ended e = run(wrong("threaded_nameless") + " --only engine --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   engine-events"));
  EXPECT_THAT(e.output, HasSubstr("submit leaves *out NULL while the call goes on"));
}

TEST(plugin_check, prints_the_cost_of_a_call_even_if_no_time_is_left) {
  const ended e = run(wrong("backend_slow") + " --only cost --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("a request costs "));
  EXPECT_THAT(e.output, Not(HasSubstr("000000")));
}

TEST(plugin_check, prints_the_cost_of_a_request_to_an_engine_that_does_not_block) {
  EXPECT_THAT(run(wrong("engine_nothing") + " --only cost").output,
              ContainsRegex("a request costs [0-9.]+ [nu]s, submit and release; the best of "));
  EXPECT_THAT(run(wrong("engine_blocks") + " --only cost").output,
              HasSubstr("submit blocks, so its time is the time of the request"));
}

TEST(plugin_check, prints_the_cost_of_a_run_of_a_table_for_a_reporter_of_tables_alone) {
  EXPECT_THAT(run(wrong("table_nothing") + " --only cost").output,
              HasSubstr("a run of a table costs "));
}

}  // namespace
}  // namespace inferbench::check
