#include "transport/lines.hpp"

#include <gtest/gtest.h>

#include "framework/transport/cuts.hpp"
#include "framework/transport/feeding.hpp"

namespace inferbench::transport {
namespace {

using texts = std::vector<std::string>;

texts parse(const std::vector<std::string_view>& reads, std::size_t limit = 1000,
            bool* failed = nullptr) {
  line_parser parser(limit);
  texts out;
  for (const std::string_view read : reads) {
    const std::string bytes(read);
    test::feed(parser, bytes, 1,
               [&](std::string_view text, std::uint64_t) { out.emplace_back(text); });
  }
  if (text_line last; parser.finish(last)) out.emplace_back(last.text);
  if (failed != nullptr) *failed = parser.failed();
  return out;
}

void expect(std::string_view text, const texts& wanted) {
  for (const auto& reads : test::all_cuts(text))
    EXPECT_EQ(parse(reads), wanted) << text;
}

TEST(lines, delivers_each_line_without_its_end) {
  expect("{\"a\":1}\n{\"b\":2}\r\nc\n", {"{\"a\":1}", "{\"b\":2}", "c"});
}

TEST(lines, skips_empty_lines) { expect("\n\r\n\na\n\n\r\nb\n\n", {"a", "b"}); }

TEST(lines, a_last_line_needs_no_end) {
  expect("a\nb", {"a", "b"});
  expect("a\nb\r", {"a", "b"});
  expect("a\n\r", {"a"});
}

TEST(lines, a_carriage_return_inside_a_line_belongs_to_it) { expect("a\rb\n", {"a\rb"}); }

TEST(lines, carry_the_stamp_of_their_last_byte) {
  line_parser parser;
  std::vector<std::uint64_t> stamps;
  const auto sink = [&](std::string_view, std::uint64_t at) { stamps.push_back(at); };
  test::feed(parser, "a\nb", 1, sink);
  test::feed(parser, "\nc\n", 2, sink);
  test::feed(parser, "d", 3, sink);
  test::feed(parser, "\r", 4, sink);
  test::feed(parser, "\ne", 5, sink);
  text_line last;
  ASSERT_TRUE(parser.finish(last));
  EXPECT_EQ(last.stamp, 5U);
  EXPECT_EQ(stamps, (std::vector<std::uint64_t>{1, 1, 2, 3}));
  EXPECT_FALSE(parser.finish(last));
}

TEST(lines, a_line_beyond_the_limit_fails_for_good) {
  for (const auto& reads : test::all_cuts("abc\n12345678901\nd\n")) {
    bool failed = false;
    EXPECT_EQ(parse(reads, 10, &failed), texts{"abc"});
    EXPECT_TRUE(failed);
  }
  for (const auto& reads : test::all_cuts("1234567890\r\nd\n")) {
    bool failed = true;
    EXPECT_EQ(parse(reads, 10, &failed), (texts{"1234567890", "d"}));
    EXPECT_FALSE(failed);
  }
}

}  // namespace
}  // namespace inferbench::transport
