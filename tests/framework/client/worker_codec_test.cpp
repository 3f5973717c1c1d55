// Requests that the codec refuses, splits into several legs, or ends before the server does.
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

using ::testing::ElementsAre;
using testing::listed_jobs;
using testing::scripted_server;

class worker_codec_test : public testing::worker_bench {
 protected:
  static std::string sse_answer(const std::vector<std::string>& events) {
    std::string body;
    for (const std::string& event : events)
      body += "data: " + event + "\n\n";
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  static inline const std::string last_answer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
      "Content-Length: 13\r\n\r\ndata: token\n\n";
};

TEST_F(worker_codec_test, a_refused_sample_is_a_failed_request_and_the_others_go_on) {
  codec.refused_id = "r-1";
  listed_jobs jobs(4);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1, .ahead = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  EXPECT_EQ(times_seen(server).count("r-1"), 0U);
  ASSERT_EQ(told, 4U);
  EXPECT_EQ(records[1].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(records[1].error, "this prompt has no shape");
  EXPECT_NE(records[1].start_ns, 0U);
  EXPECT_GE(records[1].end_ns, records[1].start_ns);
  EXPECT_EQ(records[1].sent_ns, 0U);
  EXPECT_EQ(subject->counters().started, 4U);
  EXPECT_EQ(subject->counters().failed, 1U);
  EXPECT_TRUE(records[2].ok() && records[3].ok());
}

TEST_F(worker_codec_test, a_refused_sample_fails_when_it_was_due) {
  codec.open_status = IFB_E_UNSUPPORTED;
  listed_jobs jobs(1, base::monotonic_clock().now() + 3600 * base::ns_per_s);
  scripted_server server(answers_at_once);
  run(jobs, server);
  ASSERT_EQ(told, 1U);
  EXPECT_EQ(records[0].start_ns, records[0].due_ns);
  EXPECT_EQ(records[0].end_ns, records[0].due_ns);
}

TEST_F(worker_codec_test, a_refused_sample_does_not_hide_the_launch_lag_of_the_sample_before) {
  codec.refused_id = "r-1";
  listed_jobs jobs(2);
  const std::uint64_t late = 100 * base::ns_per_ms;
  const std::uint64_t now = base::monotonic_clock().now();
  jobs.due = {now - late, now + 3600 * base::ns_per_s};
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1, .ahead = 2});
  ASSERT_EQ(told, 2U);
  EXPECT_EQ(records[1].start_ns, jobs.due[1]);
  EXPECT_GE(records[0].late.launch_ns, late);
}

TEST_F(worker_codec_test, a_run_of_refused_samples_comes_to_its_end) {
  codec.open_status = IFB_E_UNSUPPORTED;
  listed_jobs jobs(500);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(told, 500U);
  EXPECT_EQ(subject->counters().failed, 500U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(worker_codec_test, the_legs_of_a_request_share_its_connection_and_its_record) {
  codec.legs = 3;
  listed_jobs jobs(2);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 6U);
  EXPECT_EQ(server.connections(), 1U);
  ASSERT_EQ(told, 2U);
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].text, "tokentokentoken");
}

TEST_F(worker_codec_test, a_leg_on_another_connection_leaves_the_stamps_of_the_first) {
  codec.legs = 2;
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    // The second leg of r-1 gets a stale connection and is sent again.
    if (request == 2)
      self.send_and_close(request, answer);
    else
      self.send(request, request == 0 ? last_answer : answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 3U);
  for (const auto& [n, r] : records) {
    EXPECT_TRUE(r.ok()) << n << ": " << r.error;
    EXPECT_LE(r.connected_ns, r.sent_ns) << n;
    EXPECT_LE(r.connected_ns, r.first_byte_ns) << n;
    EXPECT_LE(r.sent_ns, r.end_ns) << n;
  }
  EXPECT_TRUE(records[1].sent_again);
}

TEST_F(worker_codec_test, a_connection_with_an_unanswered_leg_is_not_used_again) {
  codec.legs = 2;
  shared.request_timeout_ns = long_limit_ns;
  listed_jobs jobs(2);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request == 1)
      clock.jump(long_limit_ns);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  ASSERT_EQ(told, 2U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
  EXPECT_TRUE(records[1].ok()) << records[1].error;
  ASSERT_EQ(server.seen().size(), 4U);
  EXPECT_NE(server.seen()[2].connection, server.seen()[1].connection);
}

TEST_F(worker_codec_test,
       the_permit_of_a_request_that_its_codec_ended_is_free_though_the_server_goes_on) {
  listed_jobs jobs(5);
  const std::string unending =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      "d\r\ndata: token\n\n\r\nb\r\ndata: end\n\n\r\n";
  // No answer ends: with a permit held to the end, the second request would never be sent.
  scripted_server server(
      [&](scripted_server& self, std::size_t request) { self.send(request, unending); });
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 5);
  EXPECT_EQ(server.connections(), 5U);
}

TEST_F(worker_codec_test, the_connection_of_a_request_that_its_codec_ended_is_used_again) {
  listed_jobs jobs(5);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    self.send(request, sse_answer({"token", "end", "more"}));
  });
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 5);
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(worker_codec_test, reports_once_a_codec_that_continues_after_the_end) {
  codec.silent = true;
  std::vector<std::string> lines;
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    self.send(request, sse_answer({"one", "done", "usage", "two", "future"}));
  });
  run(jobs, server, {.warn = [&](const std::string& line) { lines.push_back(line); }});
  ASSERT_EQ(told, 3U);
  for (const auto& [n, r] : records) {
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.text, "one");
    EXPECT_EQ(r.tokens.size(), 1U);
    EXPECT_EQ(r.output_tokens, -1);
  }
  EXPECT_THAT(lines, ElementsAre(::testing::MatchesRegex(
                         "backend fake is at fault: it called on_usage for request [0-2] after its "
                         "end; such calls are ignored; report it to the plugin's author")));
}

}  // namespace
}  // namespace inferbench::client
