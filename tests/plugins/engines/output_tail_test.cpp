#include "engines/python-engine/output_tail.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace python_engine {
namespace {

TEST(output_tail, keeps_the_last_lines_as_text_for_a_terminal) {
  std::vector<std::string> heard;
  output_tail tail([&](std::string_view line) { heard.emplace_back(line); });
  tail.add("first\nsec");
  tail.add("ond\n\n\x1b[31mred\x1b[0m \xFF\x07\nlast");
  EXPECT_EQ(tail.last(3), "second\nred ? \nlast");
  EXPECT_EQ(tail.last(1), "last");
  EXPECT_EQ(heard, (std::vector<std::string>{"first", "second", "red ? "}));
}

TEST(output_tail, keeps_the_last_state_of_a_progress_bar) {
  output_tail tail;
  tail.add("10%\r50%\r100%\r\nnext\n");
  EXPECT_EQ(tail.last(9), "100%\nnext");
}

TEST(output_tail, has_a_limit) {
  output_tail tail;
  for (int i = 0; i < 5000; ++i)
    tail.add("a line of output\n");
  tail.add(std::string(200'000, 'x'));
  EXPECT_LE(tail.last(100'000).size(), 2 * output_tail::most_bytes + 1);
}

TEST(output_tail, finds_the_exception_of_a_traceback) {
  output_tail tail;
  tail.add(
      "Traceback (most recent call last):\n  File \"a.py\", line 1\n"
      "torch.OutOfMemoryError: CUDA out of memory\n[rank0] process group destroyed\n");
  EXPECT_EQ(tail.last_exception(), "torch.OutOfMemoryError: CUDA out of memory");
  output_tail none;
  none.add("Error rates are low\nAn Error: no\n");
  EXPECT_EQ(none.last_exception(), "");
}

}  // namespace
}  // namespace python_engine
