#include "metrics/table.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace inferbench::metrics {
namespace {

TEST(table, every_figure_is_described_once_and_whole) {
  std::set<std::string> names;
  for (const definition& d : table()) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    EXPECT_EQ(find(d.name), &d);
    EXPECT_EQ(&define(d.id), &d);
    for (const char* text : {d.unit, d.title, d.label, d.help})
      EXPECT_STRNE(text, "") << d.name;
  }
  EXPECT_EQ(find("ttfts"), nullptr);
}

TEST(table, summaries_are_in_milliseconds_and_no_whole_numbers) {
  for (const definition& d : table()) {
    if ((d.flags & IFB_METRIC_SUMMARY) == 0) continue;
    EXPECT_STREQ(d.unit, "ms") << d.name;
    EXPECT_EQ(d.flags & IFB_METRIC_INTEGER, 0U) << d.name;
  }
}

// A title and the label of a line are printed into fifty and forty columns.
TEST(table, what_the_console_prints_fits_its_columns) {
  for (const definition& d : table()) {
    EXPECT_LE(std::string(d.title).size(), 50U) << d.name;
    EXPECT_LE(("Median " + std::string(d.label) + " (ms):").size(), 40U) << d.name;
  }
}

TEST(table, upstreams_sections_have_upstreams_titles) {
  EXPECT_STREQ(define(metric::ttft).title, "Time to First Token");
  EXPECT_STREQ(define(metric::tpot).title, "Time per Output Token (excl. 1st token)");
  EXPECT_STREQ(define(metric::itl).title, "Inter-token Latency");
  EXPECT_STREQ(define(metric::e2el).title, "End-to-end Latency");
  EXPECT_STREQ(define(metric::client_queue_time).title, "Client-side Queueing");
  EXPECT_STREQ(define(metric::e2el_including_client_queue).title,
               "Queue-inclusive End-to-end Latency");
}

}  // namespace
}  // namespace inferbench::metrics
