#include "base/log.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::base {

using testing::ElementsAre;

TEST(log, passes_on_lines_of_at_least_its_level) {
  std::vector<std::string> lines;
  log l(log_level::warning, [&](log_level, std::string_view line) { lines.emplace_back(line); });
  l.info("quiet");
  l.warning("loud {braces} stay");
  l.error("louder");
  EXPECT_THAT(lines, ElementsAre("loud {braces} stay", "louder"));
}

TEST(log, calls_around_each_line_that_is_written) {
  std::vector<std::string> order;
  log l(log_level::info, [&](log_level, std::string_view line) { order.emplace_back(line); });
  l.around_lines([&] { order.emplace_back("("); }, [&] { order.emplace_back(")"); });
  l.write(log_level::debug, "not shown");
  l.info("shown");
  EXPECT_THAT(order, ElementsAre("(", "shown", ")"));
}

}  // namespace inferbench::base
