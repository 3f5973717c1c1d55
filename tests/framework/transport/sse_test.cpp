#include "transport/sse.hpp"

#include <ostream>

#include <gtest/gtest.h>

#include "framework/transport/allocations.hpp"
#include "framework/transport/cuts.hpp"
#include "framework/transport/feeding.hpp"

namespace inferbench::transport {
namespace {

struct event {
  std::string name, data;
  bool operator==(const event&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const event& e) {
    return out << "{" << e.name << "|" << e.data << "}";
  }
};
using events = std::vector<event>;

events parse_events(const std::vector<std::string_view>& reads, std::size_t limit = 1 << 20,
                    bool* failed = nullptr) {
  sse_parser parser(limit);
  events out;
  const auto sink = [&](std::string_view name, std::string_view data, std::uint64_t) {
    out.push_back({std::string(name), std::string(data)});
  };
  std::uint64_t stamp = 0;
  for (const std::string_view read : reads) {
    // The copy is destroyed after the call, so that a later use of a view into it is found.
    const std::string bytes(read);
    test::feed(parser, bytes, ++stamp, sink);
  }
  test::finish(parser, sink);
  if (failed != nullptr) *failed = parser.failed();
  return out;
}

void expect_events(std::string_view text, const events& wanted) {
  for (const auto& reads : test::all_cuts(text))
    EXPECT_EQ(parse_events(reads), wanted) << text;
}

TEST(sse, delivers_the_data_of_each_event) {
  expect_events("data: a\n\ndata: b\n\n", {{"", "a"}, {"", "b"}});
}

TEST(sse, takes_any_line_end_even_mixed) {
  expect_events("data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\n",
                {{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}});
  expect_events("data: a\rdata: b\r\ndata: c\n\n", {{"", "a\nb\nc"}});
}

TEST(sse, removes_one_blank_after_the_colon_and_no_more) {
  expect_events("data:a\n\ndata: b\n\ndata:  c \n\n", {{"", "a"}, {"", "b"}, {"", " c "}});
}

TEST(sse, joins_several_data_lines_with_a_line_feed) {
  expect_events("data: a\ndata:\ndata: c\n\n", {{"", "a\n\nc"}});
}

TEST(sse, gives_an_event_its_name_and_forgets_it_afterwards) {
  expect_events("event: response.output_text.delta\ndata: {}\n\ndata: {}\n\n",
                {{"response.output_text.delta", "{}"}, {"", "{}"}});
  expect_events("data: x\nevent: late\n\n", {{"late", "x"}});
  expect_events("event: lost\n\ndata: x\n\n", {{"", "x"}});
  expect_events("event: a\nevent\ndata: x\n\n", {{"", "x"}});
}

TEST(sse, ignores_comments_and_fields_that_it_does_not_know) {
  expect_events(": ping\n\n:\n\nid: 7\nretry: 10\nnonsense\nfoo: bar\ndata: x\n: inside\nid\n\n",
                {{"", "x"}});
}

TEST(sse, an_event_needs_a_data_line_which_may_be_empty) {
  expect_events("\n\n\nid: 1\n\ndata\n\ndata:\n\n", {{"", ""}, {"", ""}});
}

TEST(sse, skips_a_byte_order_mark_at_the_beginning_only) {
  expect_events(
      "\xEF\xBB\xBF"
      "data: a\n\n\xEF\xBB\xBF"
      "data: b\n\n",
      {{"", "a"}});
  expect_events(
      "\xEF\xBB"
      "data: a\n\ndata: b\n\n",
      {{"", "b"}});
  expect_events("\xEF\xBB", {});
}

TEST(sse, keeps_bytes_that_it_has_no_business_with) {
  const std::string zero = std::string("data: a") + '\0' + "b\xFF\xC3\xA4\n\n";
  expect_events(zero, {{"", std::string("a") + '\0' + "b\xFF\xC3\xA4"}});
}

TEST(sse, a_last_event_needs_neither_line_end_nor_empty_line) {
  expect_events("data: a\n\ndata: [DONE]", {{"", "a"}, {"", "[DONE]"}});
  expect_events("data: a\n\ndata: [DONE]\n", {{"", "a"}, {"", "[DONE]"}});
  expect_events("data: a\n\nevent: e\r\ndata: b\r", {{"", "a"}, {"e", "b"}});
  expect_events("data: a\n\n:", {{"", "a"}});
  expect_events("data: a\n\ndat", {{"", "a"}});
}

TEST(sse, lines_of_a_pretty_printed_value_need_no_field_name) {
  const std::string value =
      "{\n  \"id\": \"x\",\n  \"choices\": [\n    {\"text\": \"a}\\\"{\"}\n  ]\n}";
  expect_events("data: " + value + "\n\ndata: b\n\n", {{"", value}, {"", "b"}});
  expect_events("data: " + value, {{"", value}});
  expect_events("data: [\n1,\n\t2\n]\nnot: json\n\n", {{"", "[\n1,\n\t2\n]"}});
}

TEST(sse, field_names_inside_an_unfinished_value_begin_a_new_field) {
  expect_events("data: {\nevent: e\n: comment\ndata: \"a\": 1\n}\n\n", {{"e", "{\n\"a\": 1\n}"}});
}

TEST(sse, lines_without_field_name_after_a_finished_value_are_ignored) {
  expect_events("data: {}\n\"a\": 1\n\n", {{"", "{}"}});
  expect_events("data: [DONE]\nrubbish\n\n", {{"", "[DONE]"}});
  expect_events("data: text {\n\"a\"\n\n", {{"", "text {"}});
}

TEST(sse, an_object_without_any_field_name_is_data) {
  expect_events("{\"error\": {\"code\": 500}}\n\n", {{"", "{\"error\": {\"code\": 500}}"}});
  expect_events("{\n \"a\": 1\n}", {{"", "{\n \"a\": 1\n}"}});
}

TEST(sse, an_event_as_long_as_the_limit_passes_and_one_byte_more_does_not) {
  const std::string data(40, 'x');
  const std::string fits = "data:" + data.substr(5) + "\n\n";
  const std::string not_fit = "data: ok\n\ndata:" + data.substr(4) + "\n\ndata: c\n\n";
  for (const auto& reads : test::all_cuts(fits)) {
    bool failed = true;
    EXPECT_EQ(parse_events(reads, 40, &failed), (events{{"", data.substr(5)}}));
    EXPECT_FALSE(failed);
  }
  for (const auto& reads : test::all_cuts(not_fit)) {
    bool failed = false;
    EXPECT_EQ(parse_events(reads, 40, &failed), (events{{"", "ok"}}))
        << "and nothing after the failure";
    EXPECT_TRUE(failed);
  }
}

TEST(sse, many_short_lines_reach_the_limit_too) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += "data: x\n";
  for (const auto& reads : test::all_cuts(text)) {
    bool failed = false;
    EXPECT_EQ(parse_events(reads, 40, &failed), events{});
    EXPECT_TRUE(failed);
  }
}

TEST(sse, swallows_the_input_after_a_failure_and_recovers_with_begin) {
  sse_parser parser(8);
  int count = 0;
  const auto sink = [&](auto...) { ++count; };
  EXPECT_FALSE(test::feed(parser, "data: 123456789", 1, sink));
  EXPECT_TRUE(parser.failed());
  EXPECT_FALSE(test::finish(parser, sink));
  parser.begin();
  EXPECT_TRUE(test::feed(parser, "data: 1\n\n", 1, sink));
  EXPECT_EQ(count, 1);
}

std::vector<std::uint64_t> stamps(const std::vector<std::string_view>& reads) {
  sse_parser parser;
  std::vector<std::uint64_t> out;
  const auto sink = [&](std::string_view, std::string_view, std::uint64_t at) {
    out.push_back(at);
  };
  std::uint64_t stamp = 0;
  for (const std::string_view read : reads)
    test::feed(parser, read, ++stamp, sink);
  test::finish(parser, sink);
  return out;
}

using list = std::vector<std::uint64_t>;

TEST(sse_stamp, is_the_read_that_brought_the_end_of_the_payload) {
  EXPECT_EQ(stamps({"data: a\n\ndata: b\n\n"}), (list{1, 1}));
  EXPECT_EQ(stamps({"da", "ta: a", "b\n\n"}), (list{3}));
}

TEST(sse_stamp, does_not_wait_for_the_line_end_or_the_empty_line) {
  EXPECT_EQ(stamps({"data: a\n", "\n"}), (list{1}));
  EXPECT_EQ(stamps({"data: a", "\n", "\n"}), (list{1}));
  EXPECT_EQ(stamps({"data: a", "\r\n\r\n"}), (list{1}));
  EXPECT_EQ(stamps({"data: a", "\r", "\n", "\r", "\ndata: b\n\n"}), (list{1, 5}));
  EXPECT_EQ(stamps({"data: a", "\n\ndata: b\n", "\n"}), (list{1, 2}));
}

TEST(sse_stamp, is_that_of_the_last_data_line_and_of_no_other_line) {
  EXPECT_EQ(stamps({"data: a\n", "data: b\n", "id: 7\n", "\n"}), (list{2}));
  EXPECT_EQ(stamps({"data: {\n", "}\n", ": comment\n\n"}), (list{2}));
}

TEST(sse_stamp, of_an_event_ended_by_the_stream_is_that_of_its_bytes) {
  EXPECT_EQ(stamps({"data: a\n\n", "data: [DONE]"}), (list{1, 2}));
}

TEST(sse, returns_a_view_of_the_input_if_it_contains_the_whole_event) {
  sse_parser parser;
  const std::string input = "event: e\ndata: abc\n\n: ping\n\ndata: defg\r\n\r\n";
  int inside = 0;
  test::feed(parser, input, 1, [&](std::string_view, std::string_view data, std::uint64_t) {
    if (data.data() >= input.data() && data.data() + data.size() <= input.data() + input.size())
      ++inside;
  });
  EXPECT_EQ(inside, 2);
}

TEST(sse, allocates_nothing_in_the_steady_state) {
  const std::string one =
      "event: response.output_text.delta\ndata: " + std::string(300, 'x') + "\n\n";
  std::string input;
  for (int i = 0; i < 20; ++i)
    input += one;
  sse_parser parser;
  std::size_t bytes = 0;
  const auto sink = [&](std::string_view, std::string_view data, std::uint64_t) {
    bytes += data.size();
  };
  const auto run = [&] {
    parser.begin();
    for (const std::string_view read : test::cut(input, 1000))
      test::feed(parser, read, 1, sink);
    for (std::size_t i = 0; i < input.size(); ++i)
      test::feed(parser, std::string_view(input).substr(i, 1), 1, sink);
  };
  run();
  const auto before = test::allocations();
  const auto reads = test::cut(input, 1000);
  const auto own = test::allocations() - before;
  const auto start = test::allocations();
  run();
  EXPECT_EQ(test::allocations() - start, own) << "only what the test itself allocates";
  EXPECT_EQ(bytes, 4U * 20U * 300U);
}

TEST(sse, input_of_line_ends_only_is_not_quadratic) {
  // A search for LF through the whole input at each of a million CRs would take hours.
  const std::string text(1 << 20, '\r');
  EXPECT_EQ(parse_events({text}), events{});
  const std::string lf(1 << 20, '\n');
  EXPECT_EQ(parse_events({lf}), events{});
}

}  // namespace
}  // namespace inferbench::transport
