// Answers that fail, and the reasons that their records give.
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class exchange_error : public testing::exchange_bench {};

TEST_F(exchange_error, an_answer_cut_short_at_any_byte_is_a_failure_with_a_reason) {
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

TEST_F(exchange_error, an_error_status_fails_with_reason_and_body) {
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

TEST_F(exchange_error, answers_of_another_place_name_the_flags_that_lead_there) {
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

TEST_F(exchange_error, an_error_inside_a_stream_fails_the_request_and_keeps_the_earlier_events) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "error", "two"}), 3000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.error, "the model said no");
  EXPECT_EQ(r.text, "one");
  EXPECT_EQ(r.tokens.size(), 1U);
}

TEST_F(exchange_error, a_malformed_answer_fails_at_once) {
  begin();
  EXPECT_EQ(work.feed("SMTP/1.0 hello\r\n", 3000), progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("malformed HTTP answer"));
}

TEST_F(exchange_error, a_failure_from_outside_keeps_the_first_reason) {
  begin();
  work.fail(IFB_E_TIMEOUT, "too slow", 9000);
  work.fail(IFB_E_IO, "and broken", 9500);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_TIMEOUT);
  EXPECT_EQ(r.error, "too slow");
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_error, a_document_in_place_of_a_stream_has_failed_and_its_type_is_named) {
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

TEST_F(exchange_error, an_answer_that_breaks_off_after_the_codec_was_content_is_a_failure) {
  begin();
  const std::string all = streamed({"one"});
  EXPECT_EQ(work.feed(all.substr(0, all.size() - 5), 3000), progress::more);
  work.on_done("stop");
  EXPECT_EQ(work.eof(5000), progress::done);
  EXPECT_EQ(work.finish().status, IFB_E_IO);
}

}  // namespace
}  // namespace inferbench::client
