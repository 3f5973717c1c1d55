#include "simulator/counters.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::simulator {
namespace {

TEST(counters, the_metrics_page_is_as_recorded) {
  counters counted;
  counted.prompt_tokens = 1;
  counted.generation_tokens = 2;
  counted.prefix_queries = 3;
  counted.prefix_hits = 4;
  counted.finished_stop = 5;
  counted.finished_length = 6;
  counted.aborted = 7;
  counted.refused = 8;
  counted.connections = 9;
  counted.events = 10;
  counted.stalled = 11;
  for (const std::uint64_t ns : {5'000U, 50'000U, 500'000U, 2'000'000'000U})
    counted.late.record(ns);
  EXPECT_EQ(metrics_text(counted, "org/model", 12, 13),
            base::read_file(INFERBENCH_FIXTURES "/simulator/metrics.txt"));
}

TEST(counters, a_model_name_is_escaped) {
  EXPECT_NE(metrics_text({}, "a\"b\\c\nd", 0, 0).find(R"(model_name="a\"b\\c\nd"})"),
            std::string::npos);
}

}  // namespace
}  // namespace inferbench::simulator
