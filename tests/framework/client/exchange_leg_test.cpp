// The legs of an exchange: redirects, and further requests of the codec.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "client/exchange.hpp"
#include "client/headers.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class exchange_leg : public testing::exchange_bench {};

TEST_F(exchange_leg, a_codec_may_ask_for_a_second_request) {
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

TEST_F(exchange_leg, a_redirect_within_the_server_is_another_leg) {
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

TEST_F(exchange_leg, a_redirect_to_a_server_without_a_path_is_one_to_its_root) {
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

TEST_F(exchange_leg, redirects_in_a_circle_end) {
  begin();
  const std::string moved =
      "HTTP/1.1 308 Permanent Redirect\r\nLocation: /base/v2\r\nContent-Length: 0\r\n\r\n";
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(work.feed(moved, 3000), progress::another);
  EXPECT_EQ(work.feed(moved, 3000), progress::done);
  EXPECT_THAT(work.finish().error, HasSubstr("HTTP 308 Permanent Redirect to /base/v2"));
}

TEST_F(exchange_leg, a_redirect_that_leads_elsewhere_or_asks_for_a_get_is_a_failure) {
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

TEST_F(exchange_leg, the_error_of_a_redirect_names_the_target_and_a_remedy) {
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

TEST_F(exchange_leg, a_connection_with_an_unanswered_leg_is_not_reusable) {
  codec.legs = 2;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::another);
  EXPECT_TRUE(work.reusable());
  work.sent(3100);
  EXPECT_FALSE(work.reusable());
  work.fail(IFB_E_TIMEOUT, "too slow", 9000);
  EXPECT_FALSE(work.reusable());
}

}  // namespace
}  // namespace inferbench::client
