// The request of an exchange: its steps, its signature, and the time of a later leg.
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/exchange.hpp"
#include "framework/client/fake_codec.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_codec;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using leg_progress = exchange::progress;

const std::string short_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 11\r\n\r\ndata: one\n\n";

class exchange_request : public ::testing::Test {
 protected:
  /// Makes the exchange with the current settings of the codec.
  exchange& make() {
    shared = codec.shared(server);
    heads.emplace(shared);
    work.emplace(shared, *heads);
    return *work;
  }

  /// Prepares request 7 and begins it at 2000.
  void begin() {
    ASSERT_TRUE(make().prepare(sample, 7, 1000));
    work->start(2000);
    work->connected(2100);
  }

  /// A signature of the date: headers X-Date and X-Host, which live until the next call.
  void let_it_sign() {
    codec.signer = [this](const ifb_http_target& target, ifb_http_request& request, ifb_error*) {
      date = std::to_string(target.unix_ns);
      host = plugin::view(target.authority);
      signed_headers.assign(request.headers, request.headers + request.header_count);
      signed_headers.push_back({fake_codec::str("X-Date"), plugin::str(date)});
      signed_headers.push_back({fake_codec::str("X-Host"), plugin::str(host)});
      request.headers = signed_headers.data();
      request.header_count = signed_headers.size();
      targets.emplace_back(plugin::view(request.target));
      return IFB_OK;
    };
  }

  fake_codec codec;
  transport::endpoint server{transport::parse_url("https://host:8000/base"), {}};
  backend shared;
  ifb_sample sample = testing::text_sample();
  std::optional<head_writer> heads;
  std::optional<exchange> work;
  std::string date;
  std::string host;
  std::vector<ifb_field> signed_headers;
  std::vector<std::string> targets;
};

TEST_F(exchange_request, can_be_serialised_on_another_thread) {
  make().accept(sample, 7, 1000);
  std::thread other([&] { work->serialise(); });
  other.join();
  ASSERT_TRUE(work->write_head());
  EXPECT_THAT(std::string(work->head()), StartsWith("POST /base/v1/x HTTP/1.1\r\n"));
  EXPECT_EQ(work->current().sequence, 7U);
}

TEST_F(exchange_request, that_is_not_serialised_has_no_head) {
  make().accept(sample, 7, 1000);
  EXPECT_FALSE(work->write_head());
}

TEST_F(exchange_request, is_signed_before_its_head_is_written) {
  codec.headers = {{fake_codec::str("X-Own"), fake_codec::str("1")}};
  let_it_sign();
  begin();
  EXPECT_THAT(targets, ElementsAre()) << "long before it is sent";
  ASSERT_TRUE(work->sign(2100, 1'700'000'000'000'000'000));
  const std::string head(work->head());
  EXPECT_THAT(head, StartsWith("POST /base/v1/x HTTP/1.1\r\n"));
  EXPECT_THAT(head, HasSubstr("X-Own: 1\r\n"));
  EXPECT_THAT(head, HasSubstr("X-Date: 1700000000000000000\r\n"));
  EXPECT_THAT(head, HasSubstr("X-Host: host:8000\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 7\r\n\r\n{\"a\":1}"));
  work->sent(2200);
  EXPECT_EQ(work->current().bytes_sent, head.size());
}

TEST_F(exchange_request, learns_its_server_from_the_target) {
  transport::endpoint other{transport::parse_url("http://[::1]:9000"), {}};
  std::vector<std::string> seen;
  codec.signer = [&](const ifb_http_target& target, ifb_http_request&, ifb_error*) {
    EXPECT_EQ(target.struct_size, sizeof target);
    seen.push_back(std::to_string(target.server) + " " + std::string(plugin::view(target.scheme)) +
                   " " + std::string(plugin::view(target.authority)) + " " +
                   std::string(plugin::view(target.prefix)) + " " + std::to_string(target.unix_ns));
    return IFB_OK;
  };
  make();
  shared.servers = {&server, &other};
  for (std::uint64_t n = 0; n < 2; ++n) {
    ASSERT_TRUE(work->prepare(sample, n, 0));
    ASSERT_TRUE(work->sign(1, 5));
  }
  EXPECT_THAT(seen, ElementsAre("0 https host:8000 /base 5", "1 http [::1]:9000  5"));
}

TEST_F(exchange_request, is_signed_again_from_the_same_headers) {
  codec.headers = {{fake_codec::str("X-Own"), fake_codec::str("1")}};
  let_it_sign();
  begin();
  ASSERT_TRUE(work->sign(2100, 5));
  const std::size_t size = work->head().size();
  work->sent(2200);
  work->sent_again();
  ASSERT_TRUE(work->sign(2300, 6));
  work->sent(2400);
  const std::string head(work->head());
  EXPECT_THAT(head, HasSubstr("X-Date: 6\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("X-Date: 5\r\n")));
  EXPECT_EQ(signed_headers.size(), 3U);
  EXPECT_EQ(work->current().bytes_sent, size) << "its bytes count once";
}

TEST_F(exchange_request, is_signed_for_the_target_of_a_redirect) {
  let_it_sign();
  begin();
  ASSERT_TRUE(work->sign(2100, 5));
  work->sent(2200);
  ASSERT_EQ(
      work->feed("HTTP/1.1 307 Moved\r\nLocation: /base/v2\r\nContent-Length: 0\r\n\r\n", 3000),
      leg_progress::another);
  EXPECT_EQ(work->not_before(), 0U);
  ASSERT_TRUE(work->sign(3100, 6));
  EXPECT_THAT(targets, ElementsAre("/v1/x", "/v2"));
  EXPECT_THAT(std::string(work->head()), StartsWith("POST /base/v2 HTTP/1.1\r\n"));
}

TEST_F(exchange_request, fails_if_the_codec_cannot_sign) {
  codec.signer = [](const ifb_http_target&, ifb_http_request&, ifb_error* error) {
    return fake_codec::fail(error, IFB_E_IO, "the key is gone");
  };
  begin();
  EXPECT_FALSE(work->sign(2150, 5));
  const record r = work->finish();
  EXPECT_EQ(r.status, IFB_E_IO);
  EXPECT_EQ(r.error, "the key is gone");
  EXPECT_EQ(r.end_ns, 2150U);
  EXPECT_EQ(r.sent_ns, 0U);
}

TEST_F(exchange_request, fails_if_sign_returns_an_odd_status) {
  codec.signer = [](const ifb_http_target&, ifb_http_request&, ifb_error*) {
    return ifb_status{IFB_MORE};
  };
  begin();
  EXPECT_FALSE(work->sign(2150, 5));
  EXPECT_EQ(work->finish().error,
            "sign of backend fake returned the status 2, which this call does not have");
}

TEST_F(exchange_request, fails_if_sign_changes_more_than_the_headers) {
  int what = 0;
  codec.signer = [&](const ifb_http_target&, ifb_http_request& request, ifb_error*) {
    switch (what) {
      case 0: request.method = fake_codec::str("PUT"); break;
      case 1: request.target = fake_codec::str("/v1/x?signature=1"); break;
      case 2: request.body_count = 1; break;
      default: request.not_before_ns = 5; break;
    }
    return IFB_OK;
  };
  for (; what < 4; ++what) {
    begin();
    EXPECT_FALSE(work->sign(2150, 5)) << what;
    const record r = work->finish();
    EXPECT_EQ(r.status, IFB_E_INTERNAL) << what;
    EXPECT_EQ(r.error, "sign of backend fake changed more than the headers of the request");
  }
}

TEST_F(exchange_request, fails_if_a_signed_header_would_break_the_framing) {
  codec.signer = [&](const ifb_http_target&, ifb_http_request& request, ifb_error*) {
    signed_headers = {{fake_codec::str("X"), fake_codec::str("1\r\nEvil: yes")}};
    request.headers = signed_headers.data();
    request.header_count = 1;
    return IFB_OK;
  };
  begin();
  EXPECT_FALSE(work->sign(2150, 5));
  EXPECT_THAT(work->finish().error, HasSubstr("HTTP/1.1 cannot carry"));
}

TEST_F(exchange_request, of_a_later_leg_may_name_its_earliest_time) {
  codec.legs = 2;
  codec.not_before = 9000;
  begin();
  EXPECT_EQ(work->not_before(), 0U) << "the schedule determines the first";
  work->sent(2200);
  ASSERT_EQ(work->feed(short_answer, 3000), leg_progress::another);
  EXPECT_EQ(work->not_before(), 9000U);
}

TEST_F(exchange_request, of_the_next_sample_has_no_earliest_time) {
  codec.legs = 2;
  codec.not_before = 9000;
  begin();
  work->sent(2200);
  ASSERT_EQ(work->feed(short_answer, 3000), leg_progress::another);
  ASSERT_TRUE(work->prepare(sample, 8, 1000));
  EXPECT_EQ(work->not_before(), 0U);
}

}  // namespace
}  // namespace inferbench::client
