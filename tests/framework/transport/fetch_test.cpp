#include "transport/fetch.hpp"

#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/transport/fetch_servers.hpp"
#include "framework/transport/http1_transcript.hpp"
#include "framework/transport/local_listener.hpp"
#include "framework/transport/loopback.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::transport {
namespace {

using test::clock_;
using test::hello;
using test::serial_server;

// Accepts one connection on a thread, reads at least `size` bytes of the request, and serves it.
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

TEST(fetch, reads_a_bounded_part_of_an_error_and_keeps_its_status) {
  one_shot_server flooding(10, says("HTTP/1.1 500 Oh\r\n\r\n" + std::string(5000, 'x')));
  fetch_result result = fetch(clock_, flooding.where(), {});
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.status, 500U);
  EXPECT_EQ(result.body, std::string(2048, 'x'));

  one_shot_server hanging(10, [](base::fd& peer) {
    test::write_all(peer, "HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nlater");
    test::read_some(peer, 1);  // waits until the client has closed the connection
  });
  fetch_request request;
  request.error_body_ns = 5 * base::ns_per_ms;
  result = fetch(clock_, hanging.where(), request);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.status, 503U);
  EXPECT_EQ(result.body, "later");
}

TEST(fetch, keeps_the_status_of_an_error_with_a_broken_body) {
  const std::string head = "HTTP/1.1 503 Busy\r\n";
  for (const std::string& rest :
       {std::string("Content-Length: 100\r\n\r\nlater"),
        "Transfer-Encoding: chunked\r\n\r\n" + test::chunk("later") + "no size\r\n"}) {
    one_shot_server broken(10, says(head + rest));
    const fetch_result result = fetch(clock_, broken.where(), {});
    EXPECT_EQ(result.error, "") << rest;
    EXPECT_EQ(result.status, 503U) << rest;
    EXPECT_EQ(result.body, "later") << rest;
  }
}

TEST(fetch, reads_the_whole_body_of_an_error_where_it_is_wanted) {
  one_shot_server server(10, says("HTTP/1.1 500 Oh\r\n\r\n" + std::string(5000, 'x')));
  fetch_request request;
  request.whole_errors = true;
  request.error_body_ns = 0;
  const fetch_result result = fetch(clock_, server.where(), request);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.status, 500U);
  EXPECT_EQ(result.body, std::string(5000, 'x'));

  one_shot_server cut(10, says("HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nlater"));
  EXPECT_EQ(fetch(clock_, cut.where(), request).error,
            "no usable answer from " + cut.url() +
                ": the connection was closed after 5 of 100 body bytes");
}

TEST(fetch, gives_the_pieces_of_a_good_body_away_while_they_come) {
  one_shot_server server(10, [](base::fd& peer) {
    test::write_all(peer, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    test::write_all(peer, "world");
  });
  std::string body;
  std::uint64_t last = 0;
  fetch_request request;
  request.on_body = [&](std::string_view piece, std::uint64_t stamp) {
    EXPECT_GE(stamp, last);
    last = stamp;
    body += piece;
  };
  const std::uint64_t before = clock_.now();
  const fetch_result result = fetch(clock_, server.where(), request);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body, "");
  EXPECT_EQ(body, "helloworld");
  EXPECT_GE(last, before);

  one_shot_server failing(10, says("HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nlater"));
  EXPECT_EQ(fetch(clock_, failing.where(), request).body, "later");
  EXPECT_EQ(body, "helloworld");
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

TEST(fetch, reports_that_no_server_listens) {
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
  test::loopback silent;  // the kernel accepts, but no answer comes
  fetch_request request;
  request.total_timeout_ns = 20 * base::ns_per_ms;
  const fetch_result result = fetch(clock_, resolve(parse_url(silent.url())), request);
  EXPECT_EQ(result.error, "no complete answer from " + silent.url() + " within 0.02 s");
  EXPECT_TRUE(result.timed_out);
}

TEST(fetch, is_stopped_while_it_waits) {
  test::loopback silent;
  fetch_request request;
  int asked = 0;
  int told = 0;
  request.stop = [&] { return ++asked == 2; };
  request.on_slow = [&] { ++told; };
  request.slow_ns = 1;
  const fetch_result result = fetch(clock_, resolve(parse_url(silent.url())), request);
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.error, "the wait for " + silent.url() + " was stopped");
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(told, 1);
}

TEST(fetch, does_not_begin_where_it_is_stopped_before) {
  const test::loopback closed(false);
  fetch_request request;
  request.stop = [] { return true; };
  EXPECT_TRUE(fetch(clock_, resolve(parse_url(closed.url())), request).stopped);
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

TEST(fetch, asks_a_proxy_for_the_whole_url) {
  serial_server proxy({hello});
  const endpoint where = resolve(parse_url("http://no-such-host.invalid:8000/v1"),
                                 {{"http://me:pass@" + proxy.url().substr(7), {}, {}}, {}});
  EXPECT_EQ(fetch(clock_, where, {}).body, "hello");
  EXPECT_EQ(proxy.heads()[0],
            "GET http://no-such-host.invalid:8000/v1 HTTP/1.1\r\n"
            "Host: no-such-host.invalid:8000\r\nConnection: close\r\n"
            "Proxy-Authorization: Basic bWU6cGFzcw==\r\n\r\n");
}

TEST(fetch, reaches_a_unix_socket) {
  // Not below TMPDIR, which may be long or contain blanks: a URL contains none.
  const support::temporary_folder folder{"/tmp"};
  const endpoint where = resolve(parse_url("unix:" + folder.path("a.sock") + ":/v1"));
  const test::local_listener server(where.addresses[0]);
  std::thread thread([&] {
    const base::fd peer = server.accept();
    EXPECT_TRUE(
        test::read_some(peer, 10).starts_with("GET /v1/models HTTP/1.1\r\nHost: localhost\r\n"));
    test::write_all(peer, hello);
  });
  fetch_request request;
  request.target = "/models";
  EXPECT_EQ(fetch(clock_, where, request).body, "hello");
  thread.join();
}

}  // namespace
}  // namespace inferbench::transport
