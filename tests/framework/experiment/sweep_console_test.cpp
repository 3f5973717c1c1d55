#include "experiment/sweep_console.hpp"

#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "experiment_box.hpp"

namespace inferbench::experiment {
namespace {

class console_box {
 public:
  /// The text that is written to the console, with <clear> for the characters that clear a line.
  std::string written_by(bool terminal, const std::function<void(sweep_console&)>& use) {
    std::string told;
    kept_output out;
    {
      sweep_console console(out.get(), terminal, [&](std::string_view text) { told += text; });
      use(console);
    }
    const std::string clear = "\r\x1b[K";
    for (auto at = told.find(clear); at != std::string::npos; at = told.find(clear))
      told.replace(at, clear.size(), "<clear>");
    lines = out.text();
    return told;
  }

  std::string lines;  // of standard output
};

TEST(sweep_console, writes_lines_to_one_stream_and_the_status_to_the_other) {
  console_box box;
  EXPECT_EQ(box.written_by(false,
                           [](sweep_console& console) {
                             console.line("[BEGIN SERVER]");
                             console.status("run 1");
                             console.line("[END SERVER]");
                           }),
            "run 1\n");
  EXPECT_EQ(box.lines, "[BEGIN SERVER]\n[END SERVER]\n");
}

TEST(sweep_console, keeps_the_status_below_all_lines_on_a_terminal) {
  console_box box;
  EXPECT_EQ(box.written_by(true,
                           [](sweep_console& console) {
                             console.line("first");
                             console.status("run 1");
                             console.line("second");
                             console.status("run 2");
                           }),
            "run 1<clear>run 1<clear>run 2<clear>");
}

TEST(sweep_console, does_not_write_a_status_into_a_line_of_a_program) {
  console_box box;
  EXPECT_EQ(box.written_by(true,
                           [](sweep_console& console) {
                             console.status("run 1");
                             console.pass_on(supervise::stream::error, "");
                             console.status("run 2");
                           }),
            "run 1<clear>run 2<clear>");
}

TEST(sweep_console, has_a_status_of_one_line_that_fits) {
  console_box box;
  const std::string told = box.written_by(
      true, [](sweep_console& console) { console.status("a\nb" + std::string(10'000, 'c')); });
  EXPECT_TRUE(told.starts_with("a bccc")) << told;
  EXPECT_LT(told.size(), 10'000U);
}

TEST(parts_that_fit, leaves_out_the_last_parts) {
  constexpr std::string_view text = "combination 1 of 2, run 1; last: 5 req/s, p99 1,5 ms";
  EXPECT_EQ(parts_that_fit(text, text.size()), text);
  EXPECT_EQ(parts_that_fit(text, text.size() - 1), "combination 1 of 2, run 1; last: 5 req/s");
  EXPECT_EQ(parts_that_fit(text, 30), "combination 1 of 2, run 1");
  EXPECT_EQ(parts_that_fit(text, 18), "combination 1 of 2");
  EXPECT_EQ(parts_that_fit(text, 5), "combi");
  EXPECT_EQ(parts_that_fit(text, 0), "");
  EXPECT_EQ(parts_that_fit("", 5), "");
}

}  // namespace
}  // namespace inferbench::experiment
