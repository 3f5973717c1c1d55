// The head of the request that an exchange sends.
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "framework/client/fake_codec.hpp"

namespace inferbench::client {
namespace {

using testing::fake_codec;
using ::testing::HasSubstr;

class exchange_head : public testing::exchange_bench {};

TEST_F(exchange_head, a_target_with_a_line_end_is_refused) {
  codec.target = "/x\r\nEvil: 1";
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_THAT(work.finish().error, HasSubstr("cannot carry"));
}

TEST_F(exchange_head, a_request_counts_its_bytes_when_it_is_sent) {
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

TEST_F(exchange_head, a_request_id_with_a_line_end_is_refused_and_named) {
  sample.id = fake_codec::str("a\nb");
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_THAT(work.finish().error, HasSubstr("request id"));
}

TEST_F(exchange_head, headers_follow_their_priority) {
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

TEST_F(exchange_head, many_headers_are_all_sent) {
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
