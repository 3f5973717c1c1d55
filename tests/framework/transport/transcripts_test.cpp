// Recorded answers of real servers, through both framings: HTTP/1.1 and SSE. Each transcript is
// read whole, byte by byte and cut at random.
#include <gtest/gtest.h>

#include "framework/transport/cuts.hpp"
#include "framework/transport/feeding.hpp"
#include "framework/transport/http1_transcript.hpp"
#include "transport/http1_response_parser.hpp"
#include "transport/sse.hpp"

namespace inferbench::transport {
namespace {

using test::chunk;
using transcript_texts = std::vector<std::string>;

const std::string stream_head =
    "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=100\r\nAccess-Control-Allow-Origin: \r\n"
    "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string last = "0\r\n\r\n";

struct transcript_outcome {
  transcript_texts data;
  bool ended = false;
  bool reusable = false;
  bool operator==(const transcript_outcome&) const = default;
};

transcript_outcome run(const std::vector<std::string_view>& reads, bool eof) {
  http1_response_parser http;
  sse_parser sse;
  http.begin();
  sse.begin();
  transcript_outcome out;
  const auto sink = [&](std::string_view, std::string_view data, std::uint64_t) {
    out.data.emplace_back(data);
  };
  for (const std::string_view read : reads) {
    std::string_view input = read;
    for (;;) {
      const auto piece = http.next(input);
      if (piece.kind == http1_piece::body) test::feed(sse, piece.data, 1, sink);
      if (piece.kind == http1_piece::end) out.ended = true;
      if (piece.kind == http1_piece::more || piece.kind == http1_piece::failed) break;
    }
  }
  if (eof && http.finish() == http1_piece::end) out.ended = true;
  test::finish(sse, sink);
  out.reusable = http.reusable();
  return out;
}

transcript_outcome run_all_cuts(const std::string& text, bool eof = false) {
  const transcript_outcome whole = run({text}, eof);
  for (const auto& reads : test::all_cuts(text, 20))
    EXPECT_EQ(run(reads, eof), whole);
  return whole;
}

TEST(transcript, a_keep_alive_header_and_an_empty_value_before_a_plain_stream) {
  const transcript_outcome o =
      run_all_cuts(stream_head + chunk("data: {\"a\":1}\n\n") + chunk("data: [DONE]\n\n") + last);
  EXPECT_EQ(o.data, (transcript_texts{"{\"a\":1}", "[DONE]"}));
  EXPECT_TRUE(o.ended);
  EXPECT_TRUE(o.reusable);
}

TEST(transcript, the_hundredth_answer_says_close) {
  const transcript_outcome o =
      run_all_cuts("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" +
                   chunk("data: x\n\n") + last);
  EXPECT_TRUE(o.ended);
  EXPECT_FALSE(o.reusable);
}

TEST(transcript, the_head_long_before_the_first_event) {
  http1_response_parser http;
  http.begin();
  std::string_view head = stream_head;
  EXPECT_EQ(http.next(head).kind, http1_piece::head);
  EXPECT_EQ(http.next(head).kind, http1_piece::more);
  const std::string event = chunk("data: x\n\n");
  std::string_view rest = event;
  EXPECT_EQ(http.next(rest).data, "data: x\n\n");
}

TEST(transcript, data_null_pings_and_progress_between_events) {
  EXPECT_EQ(
      run_all_cuts(stream_head + chunk(":\n\n") + chunk(": ping\n\n") + chunk("data: null\n\n") +
                   chunk(":\n\n") + chunk("data: {\"text\":\"\"}\n\n") + chunk(":\n\n") + last)
          .data,
      (transcript_texts{"null", "{\"text\":\"\"}"}));
}

TEST(transcript, an_error_inside_the_stream_and_then_the_end) {
  const transcript_outcome o = run_all_cuts(stream_head + chunk("data: {\"a\":1}\n\n") +
                                            chunk("data: {\"error\":{\"code\":500}}\n\n") + last);
  EXPECT_EQ(o.data, (transcript_texts{"{\"a\":1}", "{\"error\":{\"code\":500}}"}));
  EXPECT_TRUE(o.ended);
  EXPECT_EQ(run_all_cuts(stream_head + chunk("data: [ERROR]\n\n") + last).data,
            transcript_texts{"[ERROR]"});
}

TEST(transcript, done_without_a_line_end) {
  EXPECT_EQ(run_all_cuts(stream_head + chunk("data: a\n\n") + chunk("data: [DONE]") + last).data,
            (transcript_texts{"a", "[DONE]"}));
}

TEST(transcript, no_done_no_last_chunk_and_a_bare_colon) {
  const transcript_outcome o = run_all_cuts(stream_head + chunk("data: a\n\n") + chunk(":"), true);
  EXPECT_EQ(o.data, transcript_texts{"a"});
  EXPECT_FALSE(o.ended);
  EXPECT_FALSE(o.reusable);
}

TEST(transcript, pretty_printed_json_with_and_without_field_names) {
  const std::string value = "{\n  \"choices\": [\n    {\"text\": \"a\"}\n  ]\n}";
  EXPECT_EQ(
      run_all_cuts(stream_head + chunk("data: " + value + "\n\ndata: [DONE]\n\n") + last).data,
      (transcript_texts{value, "[DONE]"}));
  EXPECT_EQ(run_all_cuts(stream_head + chunk("data: {\ndata:   \"a\": 1\ndata: }\n\n") + last).data,
            transcript_texts{"{\n  \"a\": 1\n}"});
}

TEST(transcript, hundreds_of_events_in_one_read_cut_inside_events_and_characters) {
  std::string events;
  transcript_texts wanted;
  for (int i = 0; i < 300; ++i) {
    wanted.push_back("{\"n\":" + std::to_string(i) + ",\"text\":\"\xE2\x82\xAC\xF0\x9F\x98\x80\"}");
    events += "data: " + wanted.back() + "\n\n";
  }
  std::string text = stream_head;
  for (const std::string_view part : test::cut(events, 1234))
    text += chunk(part);
  EXPECT_EQ(run_all_cuts(text + last).data, wanted);
}

TEST(transcript, an_answer_of_http_1_0_that_the_connection_ends) {
  const transcript_outcome o = run_all_cuts(
      "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\r\n\r\ndata: [DONE]",
      true);
  EXPECT_EQ(o.data, (transcript_texts{"a", "[DONE]"}));
  EXPECT_TRUE(o.ended);
  EXPECT_FALSE(o.reusable);
}

}  // namespace
}  // namespace inferbench::transport
