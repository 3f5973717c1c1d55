// Time limits of requests, and the warning about silent requests. The limits end because the test
// moves the clock.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::HasSubstr;
using testing::listed_jobs;
using testing::scripted_server;

class worker_time_limits_test : public testing::worker_bench {};

TEST_F(worker_time_limits_test, a_request_that_takes_too_long_fails_and_gives_its_connection_up) {
  shared.request_timeout_ns = long_limit_ns;
  listed_jobs jobs(3);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request == 1)
      clock.jump(long_limit_ns);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(server.seen().size(), 3U);
  EXPECT_EQ(records[1].status, IFB_E_TIMEOUT);
  EXPECT_EQ(records[1].error, "no complete answer after 60 s");
  EXPECT_GE(records[1].end_ns - records[1].start_ns, shared.request_timeout_ns);
  EXPECT_TRUE(records[0].ok() && records[2].ok());
  EXPECT_NE(server.seen()[2].connection, server.seen()[1].connection);
}

TEST_F(worker_time_limits_test, a_request_without_a_first_byte_in_time_fails_and_names_the_limit) {
  shared.first_byte_timeout_ns = long_limit_ns;
  shared.idle_timeout_ns = 3600 * base::ns_per_s;
  listed_jobs jobs(3);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request == 1)
      clock.jump(long_limit_ns);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(records[1].status, IFB_E_TIMEOUT);
  EXPECT_EQ(records[1].error, "no byte of an answer after 60 s (--first-byte-timeout)");
  EXPECT_GE(records[1].end_ns - records[1].start_ns, shared.first_byte_timeout_ns);
  EXPECT_TRUE(records[0].ok() && records[2].ok());
}

TEST_F(worker_time_limits_test, an_answer_that_stands_still_fails_and_says_after_how_many_events) {
  shared.idle_timeout_ns = long_limit_ns;
  codec.reading = [&](std::size_t messages) {
    if (messages == 3) clock.jump(long_limit_ns);
  };
  listed_jobs jobs(2);
  scripted_server server([](scripted_server& self, std::size_t request) {
    self.send(request, request == 0 ? answer
                                    : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                      "Content-Length: 999\r\n\r\ndata: token\n\ndata: token\n\n");
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 2U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[1].status, IFB_E_TIMEOUT);
  EXPECT_EQ(records[1].error, "the answer stood still for 60 s after 2 events (--idle-timeout)");
  EXPECT_GE(records[1].end_ns - records[1].first_byte_ns, shared.idle_timeout_ns);
}

TEST_F(worker_time_limits_test, an_answer_is_idle_only_when_nothing_comes_for_the_whole_time) {
  // Each event comes within the limit, but all of them together take longer.
  shared.idle_timeout_ns = long_limit_ns;
  constexpr std::size_t events = 5;
  std::atomic<std::size_t> read = 0;
  const auto go_on = [&](std::size_t messages) {
    read = messages;
    read.notify_all();
  };
  codec.reading = [&](std::size_t messages) {
    clock.jump(long_limit_ns / 2);
    go_on(messages);
  };
  listed_jobs jobs(1);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    self.send(request, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
                           std::to_string(events * 13) + "\r\n\r\n");
    for (std::size_t n = 0; n < events; ++n) {
      self.send(request, "data: token\n\n");
      read.wait(n);
    }
  });
  make(jobs, server.where());
  run();
  go_on(events);  // so that a failure does not hold up the server
  server.stop();
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_GE(records[0].end_ns - records[0].start_ns, 2 * long_limit_ns);
}

TEST_F(worker_time_limits_test, a_time_limit_counts_from_its_own_request_and_not_the_one_before) {
  shared.request_timeout_ns = long_limit_ns;
  listed_jobs jobs(4);
  // With one request ahead, r-2 has the timer of r-0, which fires while r-2 is in flight.
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request % 2 == 0) clock.jump(long_limit_ns / 2);
    if (request == 3)
      clock.jump(long_limit_ns);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1, .ahead = 1});
  ASSERT_EQ(told, 4U);
  for (std::uint64_t n = 0; n < 3; ++n)
    EXPECT_TRUE(records[n].ok()) << n << ": " << records[n].error;
  EXPECT_EQ(records[3].error, "no complete answer after 60 s");
  EXPECT_GE(records[3].end_ns - records[3].start_ns, shared.request_timeout_ns);
}

TEST_F(worker_time_limits_test, an_error_whose_body_does_not_end_keeps_its_status) {
  shared.error_body_timeout_ns = 5 * base::ns_per_ms;
  listed_jobs jobs(2);
  scripted_server server([](scripted_server& self, std::size_t request) {
    self.send(request, "HTTP/1.1 503 Busy\r\nContent-Length: 1000\r\n\r\ncome back");
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 2U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_REMOTE) << n;
    EXPECT_EQ(r.error, "HTTP 503 Busy: come back") << n;
  }
}

TEST_F(worker_time_limits_test, a_silent_request_is_named_while_it_is_silent) {
  shared.stall_warning_ns = long_limit_ns / 2;
  shared.request_timeout_ns = 2 * long_limit_ns;
  codec.reading_head = [&] { clock.jump(shared.stall_warning_ns); };
  std::vector<std::string> lines;
  listed_jobs jobs(2);
  scripted_server server([](scripted_server& self, std::size_t request) {
    if (self.seen()[request].id == "r-1")
      self.send(request, answer.substr(0, answer.size() - 2) + "\n");
  });
  run(jobs, server, {.warn = [&](const std::string& line) {
        lines.push_back(line);
        if (lines.size() == 2) clock.jump(shared.request_timeout_ns);
      }});
  ASSERT_EQ(told, 2U);
  using ::testing::MatchesRegex;
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre(
                         MatchesRegex("request 0 \\(r-0\\) has been silent for 3[.0-9]* s, before "
                                      "the first byte of its answer"),
                         MatchesRegex("request 1 \\(r-1\\) has been silent for 3[.0-9]* s, after "
                                      "0 events")));
  EXPECT_EQ(subject->health().stalled, 2U);
}

TEST_F(worker_time_limits_test, only_the_first_silent_requests_are_named) {
  shared.stall_warning_ns = long_limit_ns / 2;
  shared.request_timeout_ns = 2 * long_limit_ns;
  std::vector<std::string> lines;
  listed_jobs jobs(30);
  scripted_server server([&](scripted_server& self, std::size_t) {
    if (self.seen().size() == 30) clock.jump(shared.stall_warning_ns);
  });
  run(jobs, server, {.warn = [&](const std::string& line) {
        lines.push_back(line);
        if (lines.size() == 10) clock.jump(shared.request_timeout_ns);
      }});
  EXPECT_EQ(subject->health().stalled, 30U);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_THAT(lines.back(), HasSubstr("further silences are only counted"));
}

}  // namespace
}  // namespace inferbench::client
