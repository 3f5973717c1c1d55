#include "check/asked_request.hpp"

#include <array>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "check/subject.hpp"

namespace inferbench::check {
namespace {

asked_request a_request() {
  static const std::array headers = {ifb::field("X-Date", "today"), ifb::field("X-Model", "m")};
  static const std::array body = {ifb::bytes("{\"a\""), ifb::bytes(": 1}")};
  ifb_http_request from{};
  from.method = ifb::str("POST");
  from.target = ifb::str("/go?nonce=1");
  from.headers = headers.data();
  from.header_count = headers.size();
  from.body = body.data();
  from.body_count = body.size();
  return asked_request(from);
}

TEST(asked_request, as_text_has_all_parts) {
  EXPECT_EQ(a_request().text(), "POST /go?nonce=1\nX-Date: today\nX-Model: m\n\n{\"a\": 1}");
  EXPECT_EQ(a_request().lasting_text(false), a_request().text());
}

TEST(asked_request, of_a_codec_that_authenticates_lasts_without_values_of_headers_and_query) {
  asked_request other = a_request();
  other.target = "/go?nonce=2";
  other.headers[0].second = "tomorrow";
  EXPECT_NE(other.text(), a_request().text());
  EXPECT_EQ(other.lasting_text(true), a_request().lasting_text(true));
  other.body = "{}";
  EXPECT_NE(other.lasting_text(true), a_request().lasting_text(true));
}

TEST(asked_request, that_cannot_be_sent_is_reported) {
  const task given{.file = "/x.so", .test = ""};
  const auto complaint = [&](const asked_request& request) {
    outcome out;
    subject s(given, out);
    judge_request(s, request, " of a test");
    return out.findings.empty() ? std::string() : out.findings.front().what;
  };
  EXPECT_EQ(complaint(a_request()), "");
  asked_request wrong = a_request();
  wrong.method = "GET IT";
  EXPECT_EQ(complaint(wrong), "the method of the request cannot be sent of a test: \"GET IT\"");
  wrong = a_request();
  wrong.target = "/a b";
  EXPECT_EQ(complaint(wrong), "the target of the request cannot be sent of a test: \"/a b\"");
  wrong.target = "go";
  EXPECT_EQ(complaint(wrong), "the target of the request does not begin with / of a test: go");
  wrong = a_request();
  wrong.headers[0].second = "a\nb";
  EXPECT_EQ(complaint(wrong), "a header field cannot be sent of a test: X-Date: a\nb");
}

}  // namespace
}  // namespace inferbench::check
