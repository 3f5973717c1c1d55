#include "run/live_facts.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::run {
namespace {

TEST(live_facts, say_how_far_the_run_is) {
  const live_state now{{.total = 10,
                        .done = 4,
                        .failed = 1,
                        .in_flight = 3,
                        .elapsed_ns = 2'500'000'000,
                        .limit_ns = 60'000'000'000},
                       0.34};
  const std::vector<observe::current_value> series{
      {"http://h/metrics", "vllm", "running", "1", {{"gpu", "0"}}, 3}};
  const std::vector<std::string> log{"warning: \"slow\"\n"};
  const auto facts = base::parse_json(live_facts(now, {}, series, log), "facts");
  EXPECT_EQ(base::to_text(*base::find(facts, "progress")),
            R"({"planned": 10, "started": 7, "finished": 4, "failed": 1, "in_flight": 3, )"
            R"("elapsed_s": 2.5, "limit_s": 60.0})");
  EXPECT_EQ(base::to_text(*base::find(facts, "client")), R"({"busiest_worker": 0.34})");
  EXPECT_EQ(base::to_text(*base::find(facts, "series")),
            R"([{"source": "http://h/metrics", "server": "vllm", "name": "running", "unit": "1", )"
            R"("labels": {"gpu": "0"}, "value": 3.0}])");
  EXPECT_EQ(base::to_text(*base::find(facts, "log")), R"(["warning: \"slow\"\n"])");
  EXPECT_NE(base::find(facts, "accounting"), nullptr);
  EXPECT_NE(base::find(facts, "errors"), nullptr);
}

TEST(live_facts, are_null_where_the_number_of_requests_or_the_time_has_no_limit) {
  const live_state now{{.total = unknown_total, .done = 4}, 0};
  const auto facts = base::parse_json(live_facts(now, {}, {}, {}), "facts");
  EXPECT_TRUE(base::find(base::find(facts, "progress"), "planned")->IsNull());
  EXPECT_TRUE(base::find(base::find(facts, "progress"), "limit_s")->IsNull());
}

TEST(live_facts, come_from_what_was_put_on_the_board_last) {
  live_board board;
  EXPECT_EQ(board.read().progress.done, 0U);
  board.put({{.total = 5, .done = 1}, 0.1});
  board.put({{.total = 5, .done = 2}, 0.2});
  EXPECT_EQ(board.read().progress.done, 2U);
  EXPECT_EQ(board.read().busiest_worker, 0.2);
}

}  // namespace
}  // namespace inferbench::run
