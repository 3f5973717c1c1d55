#include "client/exchange.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/client/fake_codec.hpp"
#include "support/gzip.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::fake_codec;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::text_sample;
using progress = exchange::progress;

const transport::endpoint nowhere{transport::parse_url("http://host:8000/base"), {}};

std::string chunk(const std::string& data) {
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", data.size());
  return size + data + "\r\n";
}

std::string streamed(const std::vector<std::string>& events) {
  std::string out =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& e : events)
    out += chunk("data: " + e + "\n\n");
  return out + "0\r\n\r\n";
}

class exchange_test : public ::testing::Test {
 protected:
  void begin() {
    ASSERT_TRUE(work.prepare(sample, 7, 1000));
    work.start(2000);
    work.connected(2100);
    work.sent(2200);
  }

  fake_codec codec;
  backend shared = codec.shared(nowhere);
  ifb_sample sample = text_sample();
  head_writer heads{shared};
  exchange work{shared, heads};
};

TEST_F(exchange_test, a_stream_becomes_a_record_with_a_stamp_for_each_event) {
  begin();
  EXPECT_EQ(work.feed(streamed({"role", "one", "think", " two", "usage"}), 3000), progress::done);
  EXPECT_TRUE(work.reusable());
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.sequence, 7U);
  EXPECT_EQ(r.id, "bench-0");
  EXPECT_EQ(r.due_ns, 1000U);
  EXPECT_EQ(r.start_ns, 2000U);
  EXPECT_EQ(r.connected_ns, 2100U);
  EXPECT_EQ(r.sent_ns, 2200U);
  EXPECT_EQ(r.first_byte_ns, 3000U);
  EXPECT_EQ(r.end_ns, 3000U);
  EXPECT_EQ(r.http_status, 200U);
  EXPECT_EQ(r.tokens.size(), 4U);
  EXPECT_EQ(r.text, "one two");
  EXPECT_EQ(r.finish_reason, "stop");
  EXPECT_EQ(r.prompt_tokens, 3);
  EXPECT_EQ(r.output_tokens, 5);
  EXPECT_EQ(r.cached_tokens, -1);
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_test, events_carry_the_time_of_the_read_that_completed_them) {
  begin();
  const std::string all = streamed({"role", "a", "b"});
  const auto half = all.find("data: b") + 3;
  EXPECT_EQ(work.feed(all.substr(0, half), 3000), progress::more);
  EXPECT_EQ(work.feed(all.substr(half), 4000), progress::done);
  const record r = work.finish();
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(3000, 3000, 4000));
  EXPECT_EQ(r.first_text_ns, 3000U);
  EXPECT_EQ(r.last_text_ns, 4000U);
  EXPECT_EQ(r.first_answer_ns, 3000U);
}

constexpr std::string_view stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string event(const std::string& data) { return chunk("data: " + data + "\n\n"); }

/// The late events as pairs of index and ns.
std::vector<std::pair<std::uint32_t, std::uint32_t>> late_events(const record& r) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const late_event& one : r.late.events)
    out.emplace_back(one.event, one.ns);
  return out;
}

TEST_F(exchange_test, the_last_event_of_a_read_has_its_stamp_and_the_others_may_be_older) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("role"), 3000, {500}), progress::more);
  EXPECT_EQ(work.unsure(), 0U);
  ASSERT_EQ(work.feed(event("one") + event(" two") + event(" three"), 4000, {700}), progress::more);
  EXPECT_EQ(work.unsure(), 700U);
  // The end of the answer may have arrived later than the last event.
  ASSERT_EQ(work.feed(event(" four") + "0\r\n\r\n", 5000, {900}), progress::done);
  EXPECT_EQ(work.unsure(), 900U);
  const record r = work.finish();
  EXPECT_THAT(late_events(r), ElementsAre(Pair(1, 700), Pair(2, 700), Pair(4, 900)));
  EXPECT_EQ(r.late.end_ns, 0U);
  EXPECT_FALSE(r.late.unknown);
}

TEST_F(exchange_test, an_event_followed_by_the_beginning_of_another_event_may_be_older) {
  begin();
  const std::string two = event("one") + event(" two");
  const std::size_t cut = two.size() - 4;
  ASSERT_EQ(work.feed(std::string(stream_head) + two.substr(0, cut), 3000, {500}), progress::more);
  ASSERT_EQ(work.feed(two.substr(cut), 4000, {700}), progress::more);
  // The first read contained the complete data of the second event, so the second event is the last
  // event of that read.
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500)));
}

TEST_F(exchange_test, an_event_whose_end_came_later_is_as_late_as_the_read_with_its_data) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + chunk("data: one\nid: 5"), 3000, {500}),
            progress::more);
  ASSERT_EQ(work.feed(chunk("\n\n"), 4000, {700}), progress::more);
  ASSERT_EQ(work.feed(chunk("data: two\n"), 5000, {300, true}), progress::more);
  ASSERT_EQ(work.feed(chunk("\n"), 6000, {900}), progress::more);
  // A comment is not part of the event after it.
  ASSERT_EQ(work.feed(chunk(": ping\n\n: p"), 7000, {400, true}), progress::more);
  ASSERT_EQ(work.feed(chunk("ing\n\n") + event(" three"), 8000, {600}), progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500), Pair(1, 300)));
}

TEST_F(exchange_test, an_event_without_an_end_is_as_late_as_the_read_with_its_data) {
  begin();
  ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 2500),
            progress::more);
  ASSERT_EQ(work.feed("data: one\n", 3000, {100, true}), progress::more);
  ASSERT_EQ(work.eof(4000, 600), progress::done);
  const record r = work.finish();
  EXPECT_THAT(late_events(r), ElementsAre(Pair(0, 100)));
  EXPECT_EQ(r.late.end_ns, 600U);
}

TEST_F(exchange_test, line_endings_after_an_event_have_its_time_unless_the_read_may_span_long) {
  begin();
  constexpr std::uint64_t start = 1'000'000'000;
  ASSERT_EQ(work.feed(std::string(stream_head), start, {}), progress::more);
  ASSERT_EQ(work.feed(event("one"), 2 * start, {250'000}), progress::more);
  EXPECT_EQ(work.unsure(), 0U);
  ASSERT_EQ(work.feed(event(" two"), 3 * start, {80'000'000}), progress::more);
  EXPECT_EQ(work.unsure(), 80'000'000U);
  ASSERT_EQ(work.feed("9\r\ndata: 3\n\n", 4 * start, {80'000'000}), progress::more);
  EXPECT_EQ(work.unsure(), 0U) << "nothing is behind it";
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(1, 80'000'000)));
}

TEST_F(exchange_test, the_end_of_a_leg_is_kept_for_the_next_one) {
  codec.legs = 2;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + "0\r\n\r\n", 3000, {500, true}),
            progress::another);
  EXPECT_EQ(work.late_of_leg(), 500U);
  EXPECT_EQ(work.unsure(), 0U);
}

TEST_F(exchange_test, no_event_is_older_than_its_request) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event(" two"), 3000, {5000}),
            progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 800)));
}

TEST_F(exchange_test, events_that_came_at_once_have_their_stamp) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event(" two"), 3000, {500}),
            progress::more);
  ASSERT_EQ(work.feed(event(" three") + event(" four"), 4000, {500}), progress::more);
  work.came_at_once();
  EXPECT_EQ(work.unsure(), 0U);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500)));
}

TEST_F(exchange_test, if_more_bytes_may_follow_a_read_all_its_events_may_be_older) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one"), 3000, {500, true}), progress::more);
  ASSERT_EQ(work.feed(event(" two"), std::uint64_t{3000} + UINT32_MAX * 2ULL, {UINT64_MAX, true}),
            progress::more);
  EXPECT_THAT(late_events(work.finish()), ElementsAre(Pair(0, 500), Pair(1, UINT32_MAX)));
}

TEST_F(exchange_test, the_end_of_an_answer_that_is_not_a_stream_has_its_own_stamp) {
  for (const bool more_behind : {false, true}) {
    begin();
    ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", 3000, {500}),
              progress::more);
    ASSERT_EQ(work.feed("stop", 4000, {600, more_behind}), progress::done);
    EXPECT_EQ(work.unsure(), more_behind ? 600U : 0U);
    EXPECT_EQ(work.finish().late.end_ns, more_behind ? 600U : 0U);
  }
  begin();
  ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\n\r\nstop", 3000, {500}), progress::more);
  ASSERT_EQ(work.eof(4000, 300), progress::done);
  EXPECT_EQ(work.finish().late.end_ns, 300U) << "the end of the connection has no stamp";
}

TEST_F(exchange_test, how_the_answer_is_cut_into_reads_changes_nothing) {
  const std::string all = streamed({"role", "one", "usage", " two"});
  for (std::size_t cut = 1; cut < all.size(); ++cut) {
    begin();
    EXPECT_EQ(work.feed(all.substr(0, cut), 3000), progress::more) << cut;
    EXPECT_EQ(work.feed(all.substr(cut), 3000), progress::done) << cut;
    const record r = work.finish();
    EXPECT_TRUE(r.ok()) << cut << ": " << r.error;
    EXPECT_EQ(r.text, "one two") << cut;
    EXPECT_EQ(r.tokens.size(), 3U) << cut;
  }
}

TEST_F(exchange_test, an_answer_cut_short_at_any_byte_is_a_failure_with_a_reason) {
  const std::string all = streamed({"one", "two"});
  for (std::size_t cut = 0; cut < all.size(); ++cut) {
    begin();
    if (cut > 0) {
      ASSERT_EQ(work.feed(all.substr(0, cut), 3000), progress::more) << cut;
    }
    EXPECT_EQ(work.eof(5000), progress::done);
    EXPECT_FALSE(work.reusable());
    const record r = work.finish();
    EXPECT_EQ(r.status, IFB_E_IO) << cut;
    EXPECT_THAT(r.error, HasSubstr("the server closed the connection"));
    EXPECT_EQ(r.end_ns, 5000U);
  }
}

TEST_F(exchange_test, a_stream_without_length_ends_with_the_connection) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n", 3000),
      progress::more);
  EXPECT_EQ(work.eof(4000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(3000));
}

TEST_F(exchange_test, an_error_status_fails_with_reason_and_body) {
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 21\r\n\r\n"
                      "{\"error\": \"loading\"}\n",
                      3000),
            progress::done);
  EXPECT_TRUE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.http_status, 503U);
  EXPECT_EQ(r.error, "HTTP 503 Service Unavailable: {\"error\": \"loading\"}");
}

TEST_F(exchange_test, answers_of_another_place_name_the_flags_that_lead_there) {
  const auto error_of = [&](const std::string& answer) {
    begin();
    EXPECT_EQ(work.feed(answer, 3000), progress::done);
    return work.finish().error;
  };
  const auto said = [](const std::string& head, const std::string& body) {
    return "HTTP/1.1 " + head + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
  };
  const std::string place = ": check --base-url and --endpoint";
  EXPECT_EQ(
      error_of(said("404 Not Found", R"({"detail":"Not Found"})")),
      R"(HTTP 404 Not Found: {"detail":"Not Found"}; nothing takes such requests there)" + place);
  EXPECT_EQ(error_of(said("404 Not Found", "The model `x` does not exist.")),
            "HTTP 404 Not Found: The model `x` does not exist.; check --model and "
            "--served-model-name");
  EXPECT_EQ(error_of(said("405 Method Not Allowed", "")),
            "HTTP 405 Method Not Allowed; nothing takes such requests there" + place);
  EXPECT_EQ(error_of(said("426 Upgrade Required", "")),
            "HTTP 426 Upgrade Required; this client speaks only HTTP/1.1: let the server, or a "
            "proxy before it, accept it");
  codec.silent = true;
  for (const char* type : {"application/json", "text/event-stream"})
    EXPECT_THAT(error_of(said("200 OK\r\nContent-Type: " + std::string(type), "")),
                EndsWith("; HTTP 200 with an empty body" + place));
  EXPECT_THAT(error_of(said("200 OK\r\nContent-Type: text/html; charset=utf-8", "<html></html>")),
              EndsWith("; the answer is a web page" + place));
  EXPECT_THAT(error_of(said("200 OK\r\nContent-Type: application/json", "{}")),
              EndsWith("or the plugin missed the end"));
}

TEST_F(exchange_test, an_error_body_is_kept_in_bounds) {
  shared.max_error_body = 10;
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 500 \r\nContent-Length: 4000\r\n\r\n" + std::string(4000, 'x'), 3000),
      progress::done);
  EXPECT_EQ(work.finish().error, "HTTP 500: xxxxxxxxxx");
}

TEST_F(exchange_test, an_answer_that_is_not_a_stream_is_one_message) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nwh",
                3000),
      progress::more);
  EXPECT_EQ(work.feed("ole", 4000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("whole"));
  EXPECT_THAT(work.finish().tokens.absolute(), ElementsAre(4000));
}

TEST_F(exchange_test, an_answer_beyond_the_limit_fails_without_being_kept) {
  shared.max_message = 8;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123456789", 3000),
            progress::done);
  EXPECT_FALSE(work.reusable());
  EXPECT_EQ(work.finish().error, "the answer is longer than 8 B (--max-message)");
}

/// Uses a second exchange, because the parsers get their limits at construction.
class limited_exchange_test : public exchange_test {
 protected:
  record answer(const std::string& bytes, std::size_t read = SIZE_MAX) {
    head_writer limited_heads(shared);
    exchange limited(shared, limited_heads);
    EXPECT_TRUE(limited.prepare(sample, 7, 1000));
    limited.start(2000);
    limited.sent(2200);
    auto now = progress::more;
    for (std::size_t at = 0; at < bytes.size() && now == progress::more; at += read) {
      now = limited.feed(std::string_view(bytes).substr(at, read), 3000);
      if (read == SIZE_MAX) break;
    }
    EXPECT_EQ(now, progress::done);
    reusable = limited.reusable();
    return limited.finish();
  }

  bool reusable = false;
};

TEST_F(limited_exchange_test, an_event_or_line_beyond_the_limit_fails_and_names_the_flag) {
  shared.max_message = std::size_t{1} << 20U;
  const std::string too_long = "ok\n\ndata: " + std::string(shared.max_message, 'x');
  for (const std::size_t read : {std::size_t{1000}, SIZE_MAX}) {
    codec.framing = IFB_FRAMING_SSE;
    const record r = answer("HTTP/1.1 200 OK\r\n\r\ndata: " + too_long, read);
    EXPECT_EQ(r.status, IFB_E_PROTOCOL);
    EXPECT_EQ(r.error, "an event is longer than 1 MiB (--max-message)");
    EXPECT_EQ(r.text, "ok");
    EXPECT_FALSE(reusable);
    codec.framing = IFB_FRAMING_LINES;
    EXPECT_EQ(answer("HTTP/1.1 200 OK\r\n\r\n" + too_long, read).error,
              "a line is longer than 1 MiB (--max-message)");
  }
}

TEST_F(limited_exchange_test, an_answer_fails_at_the_same_byte_however_it_is_cut_into_reads) {
  const std::string all = streamed({"one", "two", "three"});
  const auto third = all.find("three");
  shared.max_answer = third;
  for (std::size_t read = 1; read <= all.size(); ++read) {
    const record r = answer(all, read);
    EXPECT_EQ(r.status, IFB_E_PROTOCOL) << read;
    EXPECT_EQ(r.error, "the answer is longer than " + std::to_string(third) + " B (--max-answer)");
    EXPECT_EQ(r.text, "onetwo") << read;
    EXPECT_FALSE(reusable);
  }
  shared.max_answer = all.size();
  EXPECT_TRUE(answer(all).ok());
  EXPECT_TRUE(reusable);
  EXPECT_TRUE(answer(all + "HTTP/1.1 200 OK").ok()) << "bytes after an answer do not belong to it";
  EXPECT_FALSE(reusable);
}

TEST_F(limited_exchange_test, each_leg_has_an_answer_of_its_own) {
  codec.legs = 2;
  const std::string leg = streamed({"one"});
  shared.max_answer = leg.size();
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  EXPECT_EQ(limited.feed(leg, 3000), progress::another);
  EXPECT_EQ(limited.feed(leg, 3000), progress::done);
  EXPECT_TRUE(limited.finish().ok());
}

TEST_F(limited_exchange_test, values_that_the_codec_adds_to_the_record_count_like_the_answer) {
  shared.max_answer = 1024;
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  const std::string text(200, 'x');
  ifb_token token{};
  token.struct_size = sizeof token;
  token.text = {text.data(), text.size()};
  for (int i = 0; i < 100; ++i)
    limited.on_token(token);
  for (int i = 0; i < 100; ++i)
    limited.on_attribute("name", text);
  EXPECT_EQ(limited.feed(streamed({"one"}), 3000), progress::done);
  const record r = limited.finish();
  EXPECT_EQ(r.error, "the kept part of the answer is longer than 1 KiB (--max-answer)");
  EXPECT_EQ(r.text.size(), 1000U);
  EXPECT_TRUE(r.attributes.empty());
}

TEST_F(limited_exchange_test, the_servers_words_in_an_error_are_kept_in_bounds) {
  shared.max_error_body = 10;
  const std::string words(1000, 'w');
  EXPECT_EQ(answer("HTTP/1.1 500 " + words + "\r\nContent-Length: 0\r\n\r\n").error,
            "HTTP 500 wwwwwwwwww");
  EXPECT_THAT(answer("HTTP/1.1 301 \r\nLocation: " + words + "\r\nContent-Length: 0\r\n\r\n").error,
              HasSubstr("HTTP 301 to wwwwwwwwww, which"));
  EXPECT_THAT(answer("HTTP/1.1 200 \r\nContent-Encoding: " + words + "\r\n\r\n").error,
              HasSubstr("(Content-Encoding: wwwwwwwwww)"));
}

TEST_F(exchange_test, the_codec_chooses_lines_and_raw_reads) {
  codec.framing = IFB_FRAMING_LINES;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\nb\r\nc", 3000),
            progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(work.finish().ok());

  codec.messages.clear();
  codec.framing = IFB_FRAMING_RAW;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", 3000), progress::more);
  EXPECT_EQ(work.feed("cd", 4000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("ab", "cd"));
}

TEST_F(exchange_test, an_error_inside_a_stream_fails_the_request_and_keeps_the_earlier_events) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "error", "two"}), 3000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.error, "the model said no");
  EXPECT_EQ(r.text, "one");
  EXPECT_EQ(r.tokens.size(), 1U);
}

TEST_F(exchange_test, a_codec_that_reported_the_end_gets_no_more_messages) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "end", "two"}), 3000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("one", "end"));
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_FALSE(work.has_rest());
  EXPECT_TRUE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_request_ends_at_the_message_with_which_its_codec_ends_it) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one"), 3000), progress::more);
  ASSERT_EQ(work.feed(event("end") + event("two"), 4000, {500}), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_TRUE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  work.skip(event("three"));
  EXPECT_TRUE(work.has_rest());
  work.skip("0\r\n\r\n");
  EXPECT_FALSE(work.has_rest());
  EXPECT_TRUE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre("one", "end"));
  EXPECT_THAT(codec.arrivals, ElementsAre(3000, 4000));
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.end_ns, 4000U);
  EXPECT_EQ(r.late.end_ns, 500U) << "more came in the same read";
  EXPECT_EQ(r.text, "one");
}

TEST_F(exchange_test, the_rest_of_an_ended_request_can_be_read_by_another_parser) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end") + "c\r\ndata", 3000),
            progress::done);
  transport::http1_response_parser parser;
  parser.continue_at(work.take_rest());
  EXPECT_FALSE(work.has_rest());
  std::string_view rest = ": two\n\n\r\n0\r\n\r\n";
  auto piece = parser.next(rest);
  for (; piece.kind == transport::http1_piece::body; piece = parser.next(rest)) {
  }
  EXPECT_EQ(piece.kind, transport::http1_piece::end);
  EXPECT_TRUE(parser.reusable());
}

TEST_F(exchange_test, how_an_answer_with_an_early_end_is_cut_into_reads_changes_nothing) {
  const std::string all = streamed({"one", "end", "two"});
  for (std::size_t cut = 1; cut < all.size(); ++cut) {
    codec.messages.clear();
    codec.endings.clear();
    begin();
    if (work.feed(all.substr(0, cut), 3000) == progress::more) {
      EXPECT_EQ(work.feed(all.substr(cut), 3000), progress::done) << cut;
    } else {
      work.skip(all.substr(cut));
    }
    EXPECT_FALSE(work.has_rest()) << cut;
    EXPECT_TRUE(work.reusable()) << cut;
    EXPECT_THAT(codec.messages, ElementsAre("one", "end")) << cut;
    EXPECT_THAT(codec.endings, ElementsAre("early")) << cut;
    EXPECT_TRUE(work.finish().ok()) << cut;
  }
}

TEST_F(exchange_test, an_early_end_has_the_stamp_of_its_data) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + chunk("data: end\n"), 3000),
            progress::more);
  ASSERT_EQ(work.feed(chunk("\n"), 4000), progress::done);
  EXPECT_EQ(work.finish().end_ns, 3000U);
}

TEST_F(exchange_test, an_early_end_without_an_outcome_is_a_failure) {
  codec.silent = true;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::done);
  EXPECT_TRUE(work.has_rest());
  EXPECT_THAT(work.finish().error, HasSubstr("did not report the end of the answer"));
}

TEST_F(exchange_test, an_end_at_the_end_of_the_body_is_not_early) {
  begin();
  codec.silent = true;
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend", 3000), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre(""));
  EXPECT_TRUE(work.reusable());
}

TEST_F(exchange_test, a_malformed_rest_of_an_ended_request_spoils_only_the_connection) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end") + "zz", 3000),
            progress::done);
  EXPECT_FALSE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_codec_that_ended_a_leg_at_a_message_may_ask_for_another) {
  codec.legs = 2;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::another);
  EXPECT_TRUE(work.has_rest()) << "of the first leg";
  EXPECT_FALSE(work.reusable());
  work.sent(3100);
  EXPECT_FALSE(work.has_rest());
  EXPECT_EQ(work.feed(streamed({"two"}), 4000), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("early", ""));
  EXPECT_EQ(work.finish().text, "onetwo");
}

TEST_F(exchange_test, a_leg_after_an_early_end_that_cannot_be_made_leaves_no_rest) {
  codec.legs = 2;
  begin();
  codec.request_status = IFB_E_DATA;
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::done);
  EXPECT_FALSE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  EXPECT_EQ(work.finish().error, "no second thought");
}

TEST_F(exchange_test, trailers_reach_the_codec_with_the_end) {
  begin();
  const std::string all = streamed({"one"});
  EXPECT_EQ(work.feed(all.substr(0, all.size() - 2) + "grpc-status: 0\r\nX: y\r\n\r\n", 3000),
            progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("grpc-status=0|X=y|"));
  EXPECT_TRUE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_status_that_a_call_does_not_have_fails_the_request) {
  const auto error_of = [&](const std::vector<std::string>& events) {
    begin();
    EXPECT_EQ(work.feed(streamed(events), 3000), progress::done);
    const record r = work.finish();
    EXPECT_EQ(r.status, IFB_E_INTERNAL);
    return r.error;
  };
  for (const ifb_status odd : {4242, static_cast<int>(IFB_SKIP), static_cast<int>(IFB_MORE)}) {
    codec.odd = odd;
    EXPECT_EQ(error_of({"one", "odd", "two"}), "on_message of backend fake returned the status " +
                                                   std::to_string(odd) +
                                                   ", which this call does not have");
  }
  codec.head_status = 5;
  EXPECT_EQ(error_of({"one"}),
            "on_head of backend fake returned the status 5, which this call does not have");
  codec.head_status = IFB_OK;
  for (const bool silent : {false, true}) {
    codec.silent = silent;
    codec.end_status = 99;
    EXPECT_EQ(error_of({"one"}),
              "on_end of backend fake returned the status 99, which this call does not have");
  }
}

TEST_F(exchange_test, a_sample_that_is_refused_with_an_odd_status_has_failed) {
  codec.open_status = 99;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_EQ(work.finish().error,
            "open of backend fake returned the status 99, which this call does not have");
  codec.open_status = IFB_OK;
  codec.request_status = IFB_MORE;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_EQ(work.finish().error,
            "request of backend fake returned the status 2, which this call does not have");
}

TEST_F(exchange_test, an_error_that_this_version_does_not_know_is_an_internal_error) {
  codec.odd = -4242;
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "odd"}), 3000), progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "on_message of backend fake failed: internal error of the plugin");
}

TEST_F(exchange_test, an_unknown_framing_fails_the_request) {
  codec.framing = 99;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "on_head of backend fake chose the framing 99, which this host does not know");
}

TEST_F(exchange_test, a_codec_that_makes_no_exchange_fails_the_request) {
  codec.makes_nothing = true;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "open of backend fake succeeded and made no exchange");
  EXPECT_EQ(codec.closed, 0);
}

TEST_F(exchange_test, a_codec_that_asks_for_a_leg_after_the_end_is_reported) {
  codec.legs = 2;
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "done"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(), HasSubstr("it asked for another leg of request 7 after its end"));
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, output_that_is_not_text_counts_like_text_and_is_not_kept) {
  begin();
  EXPECT_EQ(work.feed(std::string(stream_head) + event("role"), 3000), progress::more);
  EXPECT_EQ(work.feed(event("sound"), 4000), progress::more);
  EXPECT_EQ(work.feed(event("sound"), 5000), progress::more);
  const record r = work.finish();
  EXPECT_THAT(r.text_events, ElementsAre(0, 0, 0, 2));
  EXPECT_EQ(r.first_text_ns, 4000U);
  EXPECT_EQ(r.last_text_ns, 5000U);
  EXPECT_EQ(r.first_answer_ns, 0U);
  EXPECT_EQ(r.text, "");
}

TEST_F(exchange_test, output_of_the_answer_that_is_not_text_leaves_the_choice_open) {
  begin();
  ifb_token token = IFB_TOKEN_INIT;
  token.choice = 2;
  token.data = {"picture", 7};
  work.on_token(token);
  token.data = {};
  token.choice = 1;
  token.text = fake_codec::str("text");
  work.on_token(token);
  const record r = work.finish();
  EXPECT_EQ(r.text, "text");
  EXPECT_THAT(r.text_events, ElementsAre(2, 0, 0, 0));
  EXPECT_EQ(r.first_answer_ns, r.tokens.front());
}

TEST_F(exchange_test, a_token_of_an_older_header_has_no_data) {
  begin();
  ifb_token token = IFB_TOKEN_INIT;
  token.struct_size = offsetof(ifb_token, data);
  token.data = {"beyond its size", 15};
  work.on_token(token);
  EXPECT_THAT(work.finish().text_events, ElementsAre(0, 0, 0, 0));
}

TEST_F(exchange_test, a_stream_without_an_outcome_ended_early) {
  codec.silent = true;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::done);
  EXPECT_THAT(work.finish().error, HasSubstr("did not report the end of the answer"));
}

TEST_F(exchange_test, a_stream_without_tokens_fails_as_the_codec_says) {
  begin();
  EXPECT_EQ(work.feed(streamed({"usage"}), 3000), progress::done);
  const record r = work.finish();
  EXPECT_THAT(r.error, HasSubstr("TTFT"));
  EXPECT_EQ(r.output_tokens, 5);
}

TEST_F(exchange_test, a_malformed_answer_fails_at_once) {
  begin();
  EXPECT_EQ(work.feed("SMTP/1.0 hello\r\n", 3000), progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("malformed HTTP answer"));
}

TEST_F(exchange_test, a_codec_may_ask_for_a_second_request) {
  codec.legs = 2;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::another);
  EXPECT_TRUE(work.reusable());
  EXPECT_THAT(std::string(work.head()), HasSubstr("POST /base/v1/x HTTP/1.1"));
  EXPECT_EQ(work.feed(streamed({"two"}), 4000), progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.text, "onetwo");
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(3000, 4000));
}

TEST_F(exchange_test, a_refused_sample_is_a_failed_request) {
  codec.open_status = IFB_E_UNSUPPORTED;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(r.error, "this prompt has no shape");
  EXPECT_EQ(codec.closed, 0);
}

TEST_F(exchange_test, a_failure_from_outside_keeps_the_first_reason) {
  begin();
  work.fail(IFB_E_TIMEOUT, "too slow", 9000);
  work.fail(IFB_E_IO, "and broken", 9500);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_TIMEOUT);
  EXPECT_EQ(r.error, "too slow");
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_test, the_codec_is_closed_even_if_the_record_is_not_taken) {
  {
    exchange dropped(shared, heads);
    ASSERT_TRUE(dropped.prepare(sample, 1, 0));
  }
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_test, bytes_beyond_the_answer_spoil_the_connection) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}) + "HTTP/1.1 200", 3000), progress::done);
  EXPECT_FALSE(work.reusable());
}

TEST_F(exchange_test, a_target_with_a_line_end_is_refused) {
  codec.target = "/x\r\nEvil: 1";
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_THAT(work.finish().error, HasSubstr("cannot carry"));
}

TEST_F(exchange_test, a_redirect_within_the_server_is_another_leg) {
  for (const char* location : {"/base/v2/?a=b", "http://host:8000/base/v2/?a=b", "../v2/?a=b#c"}) {
    begin();
    const std::string before(work.head());
    const std::string moved =
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + std::string(location) +
        "\r\nContent-Length: 2\r\n\r\n{}";
    ASSERT_EQ(work.feed(moved, 3000), progress::another) << location;
    EXPECT_TRUE(work.reusable());
    EXPECT_THAT(std::string(work.head()), ::testing::StartsWith("POST /base/v2/?a=b HTTP/1.1\r\n"));
    // The redirected request differs only in its target; headers, id and body are the same.
    EXPECT_EQ(work.head().substr(work.head().find('\n')), before.substr(before.find('\n')));
    work.sent(3500);
    EXPECT_EQ(work.feed(streamed({"one", "usage"}), 4000), progress::done);
    const record r = work.finish();
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.text, "one");
    EXPECT_EQ(r.http_status, 200U);
    EXPECT_EQ(r.sent_ns, 2200U);
    EXPECT_EQ(r.first_byte_ns, 3000U);
    EXPECT_THAT(r.attributes,
                ElementsAre(std::pair<std::string, std::string>("redirect", "/v2/?a=b")));
  }
}

TEST_F(exchange_test, keeps_the_headers_in_which_a_router_names_its_choice) {
  ASSERT_TRUE(work.prepare(sample, 7, 1000));
  work.sent(2200);
  std::string answer = streamed({"one", "usage"});
  answer.insert(answer.find("\r\n") + 2,
                "X-VLLM-Worker: w\xff"
                "1\r\nx-vllm-: empty\r\nX-Other: 2\r\n");
  EXPECT_EQ(work.feed(answer, 3000), progress::done);
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_THAT(r.attributes, ElementsAre(std::pair<std::string, std::string>("x-vllm-worker",
                                                                            "w\xEF\xBF\xBD"
                                                                            "1")));
}

TEST_F(exchange_test, a_redirect_to_a_server_without_a_path_is_one_to_its_root) {
  const transport::endpoint bare{transport::parse_url("http://host:8000"), {}};
  backend of_bare = codec.shared(bare);
  head_writer bare_heads{of_bare};
  exchange to_root{of_bare, bare_heads};
  ASSERT_TRUE(to_root.prepare(sample, 7, 1000));
  to_root.start(2000);
  to_root.connected(2100);
  to_root.sent(2200);
  EXPECT_EQ(to_root.feed("HTTP/1.1 307 Moved\r\nLocation: http://host:8000\r\n"
                         "Content-Length: 0\r\n\r\n",
                         3000),
            progress::another);
  EXPECT_THAT(std::string(to_root.head()), ::testing::StartsWith("POST / HTTP/1.1\r\n"));
  EXPECT_EQ(to_root.feed(streamed({"one", "usage"}), 4000), progress::done);
  EXPECT_TRUE(to_root.finish().ok());
}

TEST_F(exchange_test, redirects_in_a_circle_end) {
  begin();
  const std::string moved =
      "HTTP/1.1 308 Permanent Redirect\r\nLocation: /base/v2\r\nContent-Length: 0\r\n\r\n";
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(work.feed(moved, 3000), progress::another);
  EXPECT_EQ(work.feed(moved, 3000), progress::done);
  EXPECT_THAT(work.finish().error, HasSubstr("HTTP 308 Permanent Redirect to /base/v2"));
}

TEST_F(exchange_test, a_redirect_that_leads_elsewhere_or_asks_for_a_get_is_a_failure) {
  for (const char* head :
       {"307 Moved\r\nLocation: http://other:8000/base/v2",
        "307 Moved\r\nLocation: https://host:8000/base/v2",
        "307 Moved\r\nLocation: http://host:8001/base/v2", "307 Moved\r\nLocation: /v2",
        "307 Moved\r\nLocation: ftp://host:8000/base", "301 Moved\r\nLocation: /base/v2",
        "307 Moved\r\nLocation: ", "307 Moved\r\nX: y"}) {
    begin();
    EXPECT_EQ(work.feed("HTTP/1.1 " + std::string(head) + "\r\nContent-Length: 0\r\n\r\n", 3000),
              progress::done)
        << head;
    EXPECT_EQ(work.finish().status, IFB_E_REMOTE) << head;
  }
}

TEST_F(exchange_test, the_error_of_a_redirect_names_the_target_and_a_remedy) {
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://host:8000/v2\r\n"
                      "Content-Length: 0\r\n\r\n",
                      3000),
            progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.error,
            "HTTP 307 Temporary Redirect to http://host:8000/v2, which is not followed; "
            "give the final address with --base-url and --endpoint");
}

TEST_F(exchange_test, asks_for_no_compression) {
  begin();
  EXPECT_THAT(std::string(work.head()), HasSubstr("Accept-Encoding: identity\r\n"));
}

TEST_F(exchange_test, a_compressed_stream_is_decoded_and_reported) {
  const std::string body = inferbench::testing::gzip("data: one\n\ndata: two\n\n");
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  begin();
  EXPECT_EQ(work.feed(head + body.substr(0, 7), 3000), progress::more);
  EXPECT_EQ(work.feed(body.substr(7), 4000), progress::done);
  EXPECT_TRUE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre("one", "two"));
  EXPECT_THAT(work.take_remark(), HasSubstr("compressed (Content-Encoding: gzip): events come in "
                                            "blocks, and their times are those of the blocks"));
  EXPECT_TRUE(work.finish().ok());

  begin();
  EXPECT_EQ(work.feed(head + body, 3000), progress::done);
  EXPECT_EQ(work.take_remark(), "") << "once";
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_compressed_answer_that_is_cut_short_or_damaged_has_failed) {
  const std::string body = inferbench::testing::gzip(std::string(1000, 'x'));
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ";
  begin();
  EXPECT_EQ(work.feed(head + "12\r\n\r\n" + body.substr(0, 12), 3000), progress::done);
  record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_IO);
  EXPECT_EQ(r.error, "the compressed answer ended before it was complete");
  begin();
  EXPECT_EQ(work.feed(head + "20\r\n\r\n" + std::string(20, 'x'), 3000), progress::done);
  r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("the answer cannot be read: the gzip body is damaged"));
}

TEST_F(exchange_test, the_decoded_size_of_a_compressed_answer_is_limited) {
  shared.max_answer = 1U << 20U;
  shared.max_message = 1U << 24U;
  exchange limited(shared, heads);
  const std::string body = inferbench::testing::gzip(std::string(1U << 22U, ' '));
  ASSERT_LT(body.size(), 100000U);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  EXPECT_EQ(limited.feed("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + body, 3000),
            progress::done);
  EXPECT_EQ(limited.finish().error, "the answer is longer than 1 MiB (--max-answer)");
}

TEST_F(exchange_test, the_reason_of_a_compressed_error_is_read) {
  const std::string body = inferbench::testing::gzip("{\"error\":\"no such model\"}");
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 404 Oh\r\nContent-Encoding: gzip\r\nContent-Length: " +
                          std::to_string(body.size()) + "\r\n\r\n" + body,
                      3000),
            progress::done);
  EXPECT_EQ(work.finish().error,
            "HTTP 404 Oh: {\"error\":\"no such model\"}; check --model and "
            "--served-model-name");
}

TEST_F(exchange_test, an_endless_error_is_read_in_part_and_keeps_its_status) {
  begin();
  const std::string piece(1000, 'x');
  EXPECT_EQ(work.feed("HTTP/1.1 500 Oh\r\n\r\n" + piece, 3000), progress::more);
  EXPECT_TRUE(work.in_error());
  EXPECT_EQ(work.feed(piece, 3000), progress::more);
  EXPECT_EQ(work.feed(piece, 4000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.http_status, 500U);
  EXPECT_EQ(r.error, "HTTP 500 Oh: " + std::string(2048, 'x'));
}

TEST_F(exchange_test, a_document_in_place_of_a_stream_has_failed_and_its_type_is_named) {
  codec.framing = IFB_FRAMING_SSE;
  for (const std::string body :
       {"{\"choices\": [{\"text\": \"all\"}]}", "  \n[1, 2]", "<html>busy</html>", "\"text\""}) {
    begin();
    EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                            std::to_string(body.size()) + "\r\n\r\n" + body,
                        3000),
              progress::done);
    const record r = work.finish();
    EXPECT_EQ(r.status, IFB_E_PROTOCOL);
    EXPECT_THAT(r.error, HasSubstr("is no stream of events (Content-Type: application/json)"));
    EXPECT_THAT(r.error, HasSubstr("TTFT"));
    EXPECT_THAT(r.error, ::testing::EndsWith(body.substr(body.find_first_not_of(" \n"))));
  }
}

TEST_F(exchange_test, a_stream_without_field_names_is_good) {
  codec.framing = IFB_FRAMING_SSE;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{}\n\n{1}\n\n{2}", 3000),
            progress::more);
  EXPECT_EQ(work.feed("\n", 3000), progress::done);
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_stream_under_another_type_is_good) {
  codec.framing = IFB_FRAMING_SSE;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                      "11\r\n\r\ndata: one\n\n",
                      3000),
            progress::done);
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.text, "one");
}

TEST_F(exchange_test, an_impossible_count_is_left_out_and_reported) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "usage", "many"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(),
              HasSubstr("reports 9223372036854775807 output tokens for request 7"));
  EXPECT_EQ(work.finish().output_tokens, 5);
}

TEST_F(exchange_test, a_stamp_of_the_codec_in_the_future_counts_as_now) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "future"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(), HasSubstr("it stamped a token of request 7 with a time"));
  const record r = work.finish();
  EXPECT_EQ(r.tokens.back(), 3000U);
  EXPECT_EQ(r.last_text_ns, 3000U);
}

TEST_F(exchange_test, an_answer_in_an_unknown_coding_fails_with_a_clear_text) {
  begin();
  EXPECT_EQ(
      work.feed(
          "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
          3000),
      progress::done);
  EXPECT_FALSE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("compressed (Content-Encoding: zstd)"));

  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 3\r\n\r\nyes",
                3000),
      progress::done);
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_compressed_error_body_is_left_out) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 500 Oh\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
                3000),
      progress::done);
  EXPECT_EQ(work.finish().error, "HTTP 500 Oh");
}

TEST_F(limited_exchange_test, an_event_beyond_the_limit_that_only_the_end_completes_is_a_failure) {
  shared.max_message = 20;
  codec.framing = IFB_FRAMING_SSE;
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  // The line feed that joins the lines of a JSON value exceeds the limit by one byte.
  EXPECT_EQ(limited.feed("HTTP/1.1 200 OK\r\n\r\ndata:{\n" + std::string(19, 'x'), 3000),
            progress::more);
  EXPECT_EQ(limited.eof(4000), progress::done);
  const record r = limited.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_EQ(r.error, "an event is longer than 20 B (--max-message)");
}

TEST_F(exchange_test, a_stamp_of_the_codec_before_the_start_counts_as_the_start) {
  begin();
  ifb_token token{};
  token.struct_size = sizeof token;
  token.text = fake_codec::str("early");
  token.at = 5;
  work.on_token(token);
  const record r = work.finish();
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(2000));
  EXPECT_EQ(r.first_text_ns, 2000U);
  EXPECT_EQ(r.first_answer_ns, 2000U);
}

TEST_F(exchange_test, events_with_text_are_counted_by_channel) {
  begin();
  const auto say = [&](std::uint32_t channel, const char* text) {
    ifb_token token{};
    token.struct_size = sizeof token;
    token.channel = channel;
    token.text = fake_codec::str(text);
    work.on_token(token);
  };
  say(IFB_CHANNEL_REASONING, "well");
  say(IFB_CHANNEL_ANSWER, "");
  say(IFB_CHANNEL_ANSWER, "yes");
  say(IFB_CHANNEL_ANSWER, "!");
  say(IFB_CHANNEL_TOOL_CALL, "{}");
  say(IFB_CHANNEL_AUDIO, "a");
  say(4711, "b");
  const record r = work.finish();
  EXPECT_THAT(r.text_events, ElementsAre(2, 1, 1, 2));
  EXPECT_EQ(r.tokens.size(), 7U);
  EXPECT_EQ(r.text, "yes!");
}

TEST_F(exchange_test, an_answer_that_breaks_off_after_the_codec_was_content_is_a_failure) {
  begin();
  const std::string all = streamed({"one"});
  EXPECT_EQ(work.feed(all.substr(0, all.size() - 5), 3000), progress::more);
  work.on_done("stop");
  EXPECT_EQ(work.eof(5000), progress::done);
  EXPECT_EQ(work.finish().status, IFB_E_IO);
}

TEST_F(exchange_test, a_connection_with_an_unanswered_leg_is_not_reusable) {
  codec.legs = 2;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::another);
  EXPECT_TRUE(work.reusable());
  work.sent(3100);
  EXPECT_FALSE(work.reusable());
  work.fail(IFB_E_TIMEOUT, "too slow", 9000);
  EXPECT_FALSE(work.reusable());
}

TEST_F(exchange_test, a_request_counts_its_bytes_when_it_is_sent) {
  ASSERT_TRUE(work.prepare(sample, 7, 1000));
  EXPECT_EQ(work.current().bytes_sent, 0U);
  work.start(2000);
  const std::size_t size = work.head().size();
  work.sent(2200);
  work.sent_again();
  work.sent(2300);
  const record r = work.finish();
  EXPECT_EQ(r.bytes_sent, size);
  EXPECT_EQ(r.sent_ns, 2300U);
}

TEST_F(exchange_test, a_request_id_with_a_line_end_is_refused_and_named) {
  sample.id = fake_codec::str("a\nb");
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_THAT(work.finish().error, HasSubstr("request id"));
}

TEST_F(exchange_test, headers_follow_their_priority) {
  codec.headers = {{fake_codec::str("Content-Type"), fake_codec::str("application/json")},
                   {fake_codec::str("x-request-id"), fake_codec::str("codec")}};
  shared.headers = {{"Authorization", "Bearer key"},
                    {"authorization", "Bearer mine"},
                    {"content-type", "text/odd"},
                    {"X-Request-Id", "user"}};
  begin();
  const std::string head(work.head());
  EXPECT_THAT(head, HasSubstr("POST /base/v1/x HTTP/1.1\r\nHost: host:8000\r\n"));
  EXPECT_THAT(head, HasSubstr("authorization: Bearer mine\r\n"));
  EXPECT_THAT(head, ::testing::Not(HasSubstr("Bearer key")));
  EXPECT_THAT(head, HasSubstr("content-type: text/odd\r\n"));
  EXPECT_THAT(head, ::testing::Not(HasSubstr("application/json")));
  EXPECT_THAT(head, HasSubstr("x-request-id: bench-0\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 7\r\n\r\n"));
}

TEST_F(exchange_test, many_headers_are_all_sent) {
  for (int i = 0; i < 40; ++i)
    shared.headers.emplace_back("X-" + std::to_string(i), "v");
  shared.headers.emplace_back("x-3", "again");
  begin();
  const std::string head(work.head());
  EXPECT_THAT(head, HasSubstr("x-3: again\r\n"));
  EXPECT_THAT(head, HasSubstr("X-39: v\r\n"));
  EXPECT_THAT(head, ::testing::Not(HasSubstr("X-3: v")));
}

}  // namespace
}  // namespace inferbench::client
