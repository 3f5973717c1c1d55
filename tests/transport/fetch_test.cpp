#include "transport/fetch.hpp"

#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "transport/http1_transcript.hpp"
#include "transport/loopback.hpp"

namespace inferbench::transport {
namespace {

// Accepts one connection on a thread, reads a request of `size` bytes and serves it.
class one_shot_server {
 public:
  one_shot_server(std::size_t size, std::function<void(base::fd&)> serve)
      : thread_([this, size, serve] {
          base::fd peer = socket_.accept();
          request_ = test::read_some(peer, size);
          serve(peer);
        }) {}
  ~one_shot_server() { join(); }
  [[nodiscard]] endpoint where(const std::string& path = {}) const {
    return resolve(parse_url(socket_.url() + path));
  }
  [[nodiscard]] std::string url() const { return socket_.url(); }
  [[nodiscard]] std::string request() {
    join();
    return request_;
  }

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  test::loopback socket_;
  std::string request_;
  std::thread thread_;
};

auto says(std::string answer) {
  return [answer](base::fd& peer) { test::write_all(peer, answer); };
}

const base::monotonic_clock clock_;

TEST(fetch, gets_an_answer_with_its_headers) {
  one_shot_server server(10, says("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\nhello"));
  fetch_request request;
  request.target = "/v1/models";
  request.headers = {{"Authorization", "Bearer x"}};
  const fetch_result result = fetch(clock_, server.where("/prefix"), request);
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.status, 200U);
  EXPECT_EQ(result.reason, "OK");
  ASSERT_EQ(result.headers.size(), 2U);
  EXPECT_EQ(result.headers[0].first, "A");
  EXPECT_EQ(result.headers[0].second, "b");
  EXPECT_EQ(result.body, "hello");
  EXPECT_EQ(server.request(), "GET /prefix/v1/models HTTP/1.1\r\nHost: " + server.url().substr(7) +
                                  "\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n");
}

TEST(fetch, posts_a_body_and_reads_a_chunked_answer) {
  const std::string body(300000, 'x');
  one_shot_server server(body.size() + 60,
                         says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                              test::chunk("hel") + test::chunk("lo") + "0\r\n\r\n"));
  fetch_request request;
  request.method = "POST";
  request.target = "/tokenize";
  request.body = body;
  const fetch_result result = fetch(clock_, server.where(), request);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body, "hello");
  const std::string seen = server.request();
  EXPECT_NE(seen.find("Content-Length: 300000\r\n"), std::string::npos);
  EXPECT_TRUE(seen.ends_with("\r\n\r\n" + body));
}

TEST(fetch, an_error_status_is_an_answer) {
  one_shot_server server(10, says("HTTP/1.1 503 Loading\r\nContent-Length: 2\r\n\r\n{}"));
  const fetch_result result = fetch(clock_, server.where(), {});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.status, 503U);
  EXPECT_EQ(result.body, "{}");
}

TEST(fetch, reads_an_answer_that_the_connection_ends) {
  one_shot_server server(10, says("HTTP/1.0 200 OK\r\n\r\nall of it"));
  const fetch_result result = fetch(clock_, server.where(), {});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.body, "all of it");
}

TEST(fetch, says_that_nobody_listens) {
  const test::loopback closed(false);
  fetch_request request;
  request.target = "/health";
  const fetch_result result = fetch(clock_, resolve(parse_url(closed.url())), request);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.error, "no connection to " + closed.url() + "/health: cannot connect to " +
                              closed.where().text() + ": Connection refused");
  EXPECT_EQ(result.remedy, "check that the server runs, and --base-url or --host and --port");
  EXPECT_FALSE(result.timed_out);
}

TEST(fetch, gives_up_on_a_server_that_does_not_answer) {
  test::loopback silent;  // the kernel accepts, nobody answers
  fetch_request request;
  request.total_timeout_ns = 20 * base::ns_per_ms;
  const fetch_result result = fetch(clock_, resolve(parse_url(silent.url())), request);
  EXPECT_EQ(result.error, "no complete answer from " + silent.url() + " within 0.02 s");
  EXPECT_TRUE(result.timed_out);
}

TEST(fetch, says_that_an_answer_is_not_http_or_was_cut_short) {
  {
    one_shot_server server(10, says("SSH-2.0-x\r\n"));
    EXPECT_EQ(fetch(clock_, server.where(), {}).error,
              "no usable answer from " + server.url() + ": the answer does not begin with HTTP/1.");
  }
  one_shot_server server(10, says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"));
  EXPECT_EQ(fetch(clock_, server.where(), {}).error,
            "no usable answer from " + server.url() +
                ": the connection was closed after 4 of 9 body bytes");
}

TEST(fetch, bounds_the_body) {
  one_shot_server server(10, says("HTTP/1.1 200 OK\r\n\r\n" + std::string(100, 'x')));
  fetch_request request;
  request.max_body_bytes = 99;
  EXPECT_EQ(fetch(clock_, server.where(), request).error,
            "the answer of " + server.url() + " is longer than 99 bytes");
}

TEST(fetch, refuses_headers_that_would_break_the_request) {
  const test::loopback server;
  fetch_request request;
  request.headers = {{"A", "b\r\nX: y"}};
  const fetch_result result = fetch(clock_, resolve(parse_url(server.url())), request);
  EXPECT_EQ(result.error,
            "the request for " + server.url() + " holds characters that HTTP does not allow");
}

}  // namespace
}  // namespace inferbench::transport
