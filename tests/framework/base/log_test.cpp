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

TEST(log, keeps_lines_while_it_is_held_and_writes_them_afterwards_in_order) {
  std::vector<std::string> lines;
  log out(log_level::info, [&](log_level, std::string_view line) { lines.emplace_back(line); });
  bool uncovered = false;
  out.hold([&] { uncovered = true; });
  out.warning("a");
  out.info("b");
  out.write(log_level::debug, "below the level");
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(out.kept(8), (std::vector<std::string>{"warning: a", "info: b"}));
  EXPECT_EQ(out.kept(1), (std::vector<std::string>{"info: b"}));
  out.release();
  out.release();
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(out.kept(8).empty());
  out.info("c");
  EXPECT_EQ(lines.back(), "c");
  EXPECT_FALSE(uncovered);
}

TEST(log, uncovers_the_terminal_before_it_writes_at_once) {
  std::vector<std::string> lines;
  log out(log_level::info, [&](log_level, std::string_view line) { lines.emplace_back(line); });
  out.release_at_once();
  out.hold([&] { lines.emplace_back("uncovered"); });
  out.hold([&] { lines.emplace_back("not this"); });
  out.info("a");
  out.release_at_once();
  out.release_at_once();
  EXPECT_EQ(lines, (std::vector<std::string>{"uncovered", "a"}));
}

TEST(log, keeps_a_bounded_number_of_lines) {
  std::vector<std::string> lines;
  log out(log_level::info, [&](log_level, std::string_view line) { lines.emplace_back(line); });
  out.hold();
  for (int i = 0; i < 10'003; ++i)
    out.info(std::to_string(i));
  out.release();
  ASSERT_EQ(lines.size(), 10'001U);
  EXPECT_EQ(lines.back(), "3 further lines are not shown");
}

}  // namespace inferbench::base
