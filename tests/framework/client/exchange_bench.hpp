// The base of the tests of an exchange: one exchange with the fake codec, and answers of a server
// in pieces.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "client/exchange.hpp"
#include "client/headers.hpp"
#include "framework/client/fake_codec.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::client::testing {

class exchange_bench : public ::testing::Test {
 protected:
  using progress = exchange::progress;

  /// The head of a stream whose body is chunked.
  static constexpr std::string_view stream_head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  /// One chunk of a body.
  static std::string chunk(const std::string& data) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", data.size());
    return size + data + "\r\n";
  }

  /// A chunk with one event.
  static std::string event(const std::string& data) { return chunk("data: " + data + "\n\n"); }

  /// A complete answer: a stream with these events.
  static std::string streamed(const std::vector<std::string>& events) {
    std::string out =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    for (const std::string& e : events)
      out += event(e);
    return out + "0\r\n\r\n";
  }

  /// Prepares request 7, which is due at 1000, and sends it at 2200.
  void begin() {
    ASSERT_TRUE(work.prepare(sample, 7, 1000));
    work.start(2000);
    work.connected(2100);
    work.sent(2200);
  }

  const transport::endpoint nowhere{transport::parse_url("http://host:8000/base"), {}};
  fake_codec codec;
  backend shared = codec.shared(nowhere);
  ifb_sample sample = text_sample();
  head_writer heads{shared};
  exchange work{shared, heads};
};

}  // namespace inferbench::client::testing
