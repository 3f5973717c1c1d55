#include <string>

#include <gtest/gtest.h>

#include "reporters/screen/cells.hpp"
#include "reporters/screen/layout.hpp"
#include "support/golden.hpp"

namespace reporters {
namespace {

screen_model screen_of_a_busy_run() {
  screen_model out;
  out.name = "run-20261120-063000";
  out.backend = "openai-chat";
  out.model = "meta-llama/Llama-3.1-8B-Instruct";
  out.planned = 1000;
  out.finished = 412;
  out.failed = 9;
  out.in_flight = 64;
  out.elapsed_s = 83;
  out.share = 0.412;
  out.left_s = 118;
  out.requests = {5.21, 4.96};
  out.tokens = rate_pair{12'345, 666.4};
  out.latencies = {{"TTFT", 53.21, 48.0, 91.4, 180.2},
                   {"TPOT", 12.5, 12.1, 14.02, 19.3},
                   {"E2EL", 1612, 1590, 1900.2, 12'440}};
  out.send_lag_p99_ms = 0.041;
  out.busiest_worker = 0.87;
  out.series = {{"running", "1", 61}, {"waiting", "1", 3}, {"kv_cache_usage", "1", 0.8123}};
  out.failures = {{6, "remote HTTP 503", "overloaded\n\x1b[2Jtry \u4e2d\u6587 again"},
                  {2, "timeout", "no answer within 30 s"},
                  {1, "remote HTTP 500", "{\"error\": \"\xff\"}"},
                  {1, "connect", "refused"}};
  out.log = {"info: the first line", "warning: the second line", "warning: the third line"};
  for (int i = 0; i < 60; ++i) {
    out.rate_history.push_back(i % 9);
    out.in_flight_history.push_back(i);
  }
  return out;
}

/// The lines as text, with a mark before each part that has a look: *bold, ~faint, +good, ?warn,
/// !bad.
std::string page_of(const screen_model& now, const screen_size& size) {
  constexpr std::string_view marks = " *~+?!";
  std::string out;
  for (const screen_line& line : lay_out(now, size)) {
    std::string looks;
    std::string text;
    for (const screen_span& each : line) {
      looks += std::string(columns_of(each.text), marks[static_cast<std::size_t>(each.look)]);
      text += each.text;
    }
    out += text + "\n" + looks + "\n";
  }
  return out;
}

void expect_page(const screen_size& size, const std::string& name) {
  inferbench::support::expect_golden(page_of(screen_of_a_busy_run(), size),
                                     INFERBENCH_SOURCE "/tests/fixtures/reporters/screen/" + name);
}

TEST(screen_layout, fills_a_terminal_of_80_columns_and_24_rows) {
  expect_page({80, 24, true}, "80x24.txt");
}
TEST(screen_layout, shows_everything_on_a_large_terminal) {
  expect_page({120, 40, true}, "120x40.txt");
}
TEST(screen_layout, uses_ascii_only_where_the_terminal_has_no_utf8) {
  expect_page({80, 30, false}, "80x30_ascii.txt");
}
TEST(screen_layout, keeps_the_important_lines_on_a_small_terminal) {
  expect_page({40, 10, true}, "40x10.txt");
}
TEST(screen_layout, survives_a_terminal_of_one_column) { expect_page({1, 24, true}, "1x24.txt"); }

TEST(screen_layout, fits_any_size) {
  const screen_model now = screen_of_a_busy_run();
  for (std::size_t columns = 0; columns < 130; ++columns)
    for (const std::size_t rows : {0U, 1U, 2U, 5U, 24U, 100U})
      for (const bool utf8 : {false, true}) {
        const auto lines = lay_out(now, {columns, rows, utf8});
        ASSERT_LE(lines.size(), rows);
        for (const screen_line& line : lines) {
          std::size_t used = 0;
          for (const screen_span& each : line) {
            used += columns_of(each.text);
            for (const char c : each.text) {
              ASSERT_GE(static_cast<unsigned char>(c), 0x20U);
              ASSERT_TRUE(utf8 || static_cast<unsigned char>(c) < 0x80U);
            }
          }
          ASSERT_LE(used, columns);
        }
      }
}

TEST(screen_layout, shows_a_run_of_which_nothing_is_known) {
  const std::string page = page_of({}, {80, 24, true});
  EXPECT_NE(page.find("0 done  0 in flight  0 failed"), std::string::npos) << page;
}

TEST(screen_layout, marks_a_worker_only_above_80_percent_of_a_core) {
  screen_model now;
  now.busiest_worker = 0.8;
  EXPECT_EQ(page_of(now, {80, 24, true}).find("(!)"), std::string::npos);
  now.busiest_worker = 0.81;
  EXPECT_NE(page_of(now, {80, 24, true}).find("81% (!)"), std::string::npos);
}

}  // namespace
}  // namespace reporters
