#include "client/worker.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

#include "client/large_sample.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/transport/clocks.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_codec;
using ::testing::HasSubstr;
using testing::scripted_server;
using testing::text_sample;

const std::string answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\n"
    "data: token\n\n";
const std::string last_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
    "Content-Length: 13\r\n\r\ndata: token\n\n";

std::string sse_answer(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events)
    body += "data: " + event + "\n\n";
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// A limit of time that ends only because the clock jumps.
constexpr std::uint64_t long_limit_ns = 60 * base::ns_per_s;

void answers_at_once(scripted_server& server, std::size_t request) { server.send(request, answer); }

/// Samples r-0, r-1 and so on.
class listed_jobs final : public source {
 public:
  explicit listed_jobs(std::size_t count, std::uint64_t when = 0) : due(count, when) {
    for (std::size_t i = 0; i < count; ++i)
      ids_.push_back("r-" + std::to_string(i));
    for (const std::string& id : ids_) {
      samples_.push_back(text_sample());
      samples_.back().id = plugin::str(id);
    }
  }

  dataset::taken try_take(job& out) override {
    if (delays_left_-- > 0) return dataset::taken::later;
    delays_left_ = delays;
    if (next_ == samples_.size()) return dataset::taken::end;
    if (asked) asked(next_);
    out.sample = &samples_[next_];
    out.sequence = next_;
    out.due_ns = due[next_];
    ++next_;
    return dataset::taken::sample;
  }

  [[nodiscard]] ifb_sample& sample(std::size_t n) { return samples_[n]; }

  std::vector<std::uint64_t> due;
  int delays = 0;                            // number of `later` results before each sample
  std::function<void(std::size_t n)> asked;  // called before sample n is returned

 private:
  std::vector<std::string> ids_;
  std::vector<ifb_sample> samples_;
  std::size_t next_ = 0;
  int delays_left_ = 0;
};

const std::string large_prompt(large_sample_bytes, 'x');
const ifb_part large_part{
    sizeof(ifb_part), IFB_PART_TEXT, nullptr, {large_prompt.data(), large_prompt.size()}, {}, {}};

void make_large(ifb_sample& sample) { sample.prompt = {&large_part, 1, sizeof large_part}; }

class worker_test : public ::testing::Test {
 protected:
  void make(listed_jobs& jobs, const transport::address& where,
            const worker_settings& settings = {}) {
    server_.where = transport::parse_url("http://host:1");
    server_.addresses = {where};
    subject = std::make_unique<worker>(clock, shared, settings, jobs, [&](record&& r) {
      records.emplace(r.sequence, std::move(r));
      ++told;
    });
    stoppable = subject.get();
  }

  /// Runs the worker to its end; fails the test after 20 s.
  void run() {
    auto over = std::async(std::launch::async, [&] { subject->run(); });
    if (over.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return;
    ADD_FAILURE() << "the worker did not end within 20 s";
    subject->stop();
  }

  void run(listed_jobs& jobs, scripted_server& server, const worker_settings& settings = {}) {
    make(jobs, server.where(), settings);
    run();
    server.stop();
  }

  [[nodiscard]] static std::map<std::string, int> times_seen(const scripted_server& server) {
    std::map<std::string, int> times;
    for (const auto& request : server.seen())
      ++times[request.id];
    return times;
  }

  /// Each of `count` requests was sent once and has one good record.
  void expect_all_good(const scripted_server& server, std::size_t count) {
    const auto times = times_seen(server);
    EXPECT_EQ(times.size(), count);
    for (const auto& [id, n] : times)
      EXPECT_EQ(n, 1) << id;
    EXPECT_EQ(told, count);
    EXPECT_EQ(records.size(), count);
    for (const auto& [n, r] : records)
      EXPECT_TRUE(r.ok()) << n << ": " << r.error;
    EXPECT_EQ(subject->counters().started, count);
    EXPECT_EQ(subject->counters().finished, count);
    EXPECT_EQ(subject->counters().failed, 0U);
    EXPECT_EQ(codec.closed, codec.opened);
  }

  transport::test::jumping_clock clock;
  fake_codec codec;
  transport::endpoint server_;
  backend shared = codec.shared(server_);
  std::unique_ptr<worker> subject;
  std::atomic<worker*> stoppable = nullptr;  // the same worker, for other threads
  std::map<std::uint64_t, record> records;
  std::size_t told = 0;  // number of reported records, also with equal sequence numbers
};

TEST_F(worker_test, sends_each_request_once_in_order_over_one_kept_connection) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 20);
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(subject->health().servers[0].connects, 1U);
  EXPECT_EQ(subject->health().servers[0].reuses, 19U);
  EXPECT_EQ(subject->health().servers[0].requests, 20U);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(server.seen()[i].id, "r-" + std::to_string(i));
}

TEST_F(worker_test, has_as_many_in_flight_as_it_has_permits_and_never_more) {
  listed_jobs jobs(60);
  std::vector<std::size_t> open;
  std::size_t most = 0;
  // The server answers only when three requests wait: with fewer permits in use the test would
  // hang.
  scripted_server server([&](scripted_server& self, std::size_t request) {
    open.push_back(request);
    most = std::max(most, open.size());
    if (open.size() < 3) return;
    for (const std::size_t one : open)
      self.send(one, answer);
    open.clear();
  });
  run(jobs, server, {.max_in_flight = 3, .ahead = 2});
  expect_all_good(server, 60);
  EXPECT_EQ(most, 3U);
  std::uint64_t before = 0;
  for (const auto& [n, r] : records) {
    EXPECT_GE(r.start_ns, before) << n;
    before = r.start_ns;
  }
}

TEST_F(worker_test, sends_a_burst_of_any_size_without_a_cap) {
  constexpr std::size_t count = 300;
  listed_jobs jobs(count);
  // The server answers when all requests are there.
  scripted_server server([&](scripted_server& self, std::size_t) {
    if (self.seen().size() < count) return;
    for (std::size_t i = 0; i < count; ++i)
      self.send(i, answer);
  });
  run(jobs, server);
  expect_all_good(server, count);
  EXPECT_EQ(server.connections(), count);
}

TEST_F(worker_test, stamps_follow_one_another) {
  listed_jobs jobs(30);
  scripted_server server(answers_at_once);
  const std::uint64_t before = clock.now();
  run(jobs, server, {.max_in_flight = 2});
  expect_all_good(server, 30);
  for (const auto& [n, r] : records) {
    EXPECT_GE(r.start_ns, before) << n;
    EXPECT_GE(r.connected_ns, r.start_ns) << n;
    EXPECT_GE(r.sent_ns, r.connected_ns) << n;
    EXPECT_GE(r.end_ns, r.first_byte_ns) << n;
    EXPECT_GE(r.first_byte_ns, r.connected_ns) << n;
    EXPECT_LE(r.end_ns, clock.now()) << n;
  }
}

TEST_F(worker_test, no_request_leaves_before_it_is_due) {
  listed_jobs jobs(20);
  const std::uint64_t now = clock.now();
  for (std::size_t i = 0; i < jobs.due.size(); ++i)
    jobs.due[i] = now + (i / 4) * 2 * base::ns_per_ms;
  scripted_server server(answers_at_once);
  run(jobs, server, {.ahead = 3});
  expect_all_good(server, 20);
  std::uint64_t before = 0;
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.due_ns, jobs.due[n]);
    EXPECT_GE(r.start_ns, r.due_ns) << n;
    EXPECT_GE(r.start_ns, before) << n;
    before = r.start_ns;
  }
}

TEST_F(worker_test, serialises_the_next_request_long_before_it_is_due) {
  listed_jobs jobs(10, clock.now() + 3600 * base::ns_per_s);
  jobs.due[0] = 0;
  jobs.asked = [&](std::size_t n) {
    if (n == 4) subject->stop();
  };
  scripted_server server(answers_at_once);
  // When the first request has left, there is room for a fifth.
  run(jobs, server, {.ahead = 4});
  EXPECT_GE(subject->counters().started, 1U);
}

TEST_F(worker_test, asks_again_a_source_that_has_nothing_ready) {
  listed_jobs jobs(10);
  jobs.delays = 3;
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 2, .ahead = 2});
  expect_all_good(server, 10);
}

TEST_F(worker_test, ends_immediately_if_there_is_nothing_to_do) {
  listed_jobs jobs(0);
  scripted_server server(answers_at_once);
  run(jobs, server);
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(worker_test, a_request_on_a_stale_connection_goes_once_more_and_says_so) {
  codec.legs = 2;
  listed_jobs jobs(2);
  scripted_server server([](scripted_server& self, std::size_t request) {
    // The second leg of r-1 gets a connection that the server has closed already.
    if (request == 2)
      self.send_and_close(request, answer);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_THAT(times_seen(server),
              ElementsAre(::testing::Pair("r-0", 2), ::testing::Pair("r-1", 2)));
  ASSERT_EQ(told, 2U);
  EXPECT_FALSE(records[0].sent_again);
  EXPECT_TRUE(records[1].ok()) << records[1].error;
  EXPECT_TRUE(records[1].sent_again);
  EXPECT_EQ(records[1].bytes_sent, records[0].bytes_sent);
  EXPECT_EQ(subject->counters().started, 2U);
  EXPECT_EQ(subject->counters().failed, 0U);
}

TEST_F(worker_test, a_request_is_sent_again_only_once) {
  codec.legs = 2;
  listed_jobs jobs(1);
  scripted_server server([](scripted_server& self, std::size_t request) {
    if (request == 0)
      self.send_and_close(request, answer);
    else
      self.close(request);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(times_seen(server)["r-0"], 2);
  EXPECT_EQ(records[0].status, IFB_E_IO);
  EXPECT_TRUE(records[0].sent_again);
  EXPECT_THAT(records[0].error, HasSubstr("without an answer"));
}

// The client cannot know whether the server processed it: sent again, it might be processed twice.
TEST_F(worker_test, a_request_that_the_server_took_and_dropped_has_failed) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    if (request == 1)
      self.close(request);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_THAT(times_seen(server), ElementsAre(::testing::Pair("r-0", 1), ::testing::Pair("r-1", 1),
                                              ::testing::Pair("r-2", 1)));
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(records[1].status, IFB_E_IO);
  EXPECT_THAT(records[1].error, HasSubstr("without an answer"));
  EXPECT_FALSE(records[1].sent_again);
  EXPECT_TRUE(records[2].ok()) << records[2].error;
  EXPECT_EQ(subject->counters().failed, 1U);
}

TEST_F(worker_test, an_error_whose_body_does_not_end_keeps_its_status) {
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

TEST_F(worker_test, no_request_is_lost_if_a_server_closes_connections_that_it_announced_to_keep) {
  std::string announced = answer;
  announced.insert(announced.find("\r\n") + 2, "Keep-Alive: timeout=5, max=100\r\n");
  listed_jobs jobs(20);
  scripted_server server(
      [&](scripted_server& self, std::size_t request) { self.send_and_close(request, announced); });
  run(jobs, server, {.max_in_flight = 2});
  expect_all_good(server, 20);
}

TEST_F(worker_test, reports_once_a_codec_that_continues_after_the_end) {
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

TEST_F(worker_test, a_fresh_connection_that_closes_without_an_answer_is_a_failure) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) { self.close(request); });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_IO) << n;
    EXPECT_FALSE(r.sent_again) << n;
  }
  EXPECT_EQ(subject->counters().failed, 3U);
}

TEST_F(worker_test, an_answer_cut_short_on_a_kept_connection_is_not_asked_for_again) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    self.send(request, request == 1 ? answer.substr(0, answer.size() - 4) : answer);
    if (request == 1) self.close(request);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(records[1].status, IFB_E_IO);
  EXPECT_THAT(records[1].error, HasSubstr("before the answer was complete"));
  EXPECT_TRUE(records[2].ok());
}

TEST_F(worker_test, a_server_that_refuses_connections_fails_each_request_with_its_address) {
  listed_jobs jobs(40);
  const transport::test::loopback closed(false);
  make(jobs, closed.where(), {.max_in_flight = 4});
  run();
  ASSERT_EQ(told, 40U);
  ASSERT_EQ(records.size(), 40U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_IO) << n;
    EXPECT_EQ(r.error, "cannot connect to " + closed.where().text() + ": Connection refused");
    EXPECT_EQ(r.connected_ns, 0U) << n;
    EXPECT_EQ(r.sent_ns, 0U) << n;
    EXPECT_EQ(r.bytes_sent, 0U) << n;
  }
  EXPECT_EQ(subject->counters().failed, 40U);
}

TEST_F(worker_test, a_request_that_takes_too_long_fails_and_gives_its_connection_up) {
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

TEST_F(worker_test, a_request_without_a_first_byte_in_time_fails_and_names_the_limit) {
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

TEST_F(worker_test, an_answer_that_stands_still_fails_and_says_after_how_many_events) {
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

TEST_F(worker_test, an_answer_is_idle_only_when_nothing_comes_for_the_whole_time) {
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

TEST_F(worker_test, a_time_limit_counts_from_its_own_request_and_not_the_one_before) {
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

TEST_F(worker_test, a_silent_request_is_named_while_it_is_silent) {
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

TEST_F(worker_test, only_the_first_silent_requests_are_named) {
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
  EXPECT_THAT(lines.back(), HasSubstr("further ones are only counted"));
}

TEST_F(worker_test, several_servers_take_requests_in_turn) {
  listed_jobs jobs(30);
  scripted_server first(answers_at_once);
  scripted_server second(answers_at_once);
  transport::endpoint other;
  other.where = transport::parse_url("http://other:1/base");
  other.addresses = {second.where()};
  shared.servers = {&server_, &other};
  run(jobs, first, {.max_in_flight = 4});
  second.stop();
  ASSERT_EQ(told, 30U);
  EXPECT_EQ(first.seen().size(), 15U);
  EXPECT_EQ(second.seen().size(), 15U);
  for (const auto& [n, r] : records) {
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.server, n % 2) << n;
  }
  EXPECT_EQ(subject->health().servers[0].requests, 15U);
  EXPECT_EQ(subject->health().servers[1].requests, 15U);
}

TEST_F(worker_test, connections_that_were_opened_ahead_serve_the_first_requests) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  make(jobs, server.where(), {.max_in_flight = 4, .connections_ahead = 4});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  server.stop();
  expect_all_good(server, 20);
  const server_use& use = subject->health().servers[0];
  EXPECT_EQ(use.opened_ahead, 4U);
  EXPECT_EQ(use.connects, 4U);
  EXPECT_EQ(use.reuses, 20U);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.connected_ns, r.start_ns) << n;
}

TEST_F(worker_test, a_request_that_is_due_soon_finds_its_connection_open) {
  // Time passes only while the loop looks at its descriptors, so that it looks many times before
  // the requests are due. The clock is ahead of the system's clock, by which the loop waits: it
  // would not wait for a time of the past.
  transport::test::counting_clock looks;
  looks.at = clock.now() + 3600 * base::ns_per_s;
  listed_jobs jobs(8, looks.at + 2000);
  std::vector<std::size_t> open;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    open.push_back(request);
    if (open.size() < 8) return;
    for (const std::size_t one : open)
      self.send(one, answer);
  });
  make(jobs, server.where());
  subject = std::make_unique<worker>(looks, shared, worker_settings{.connections_ahead = 1}, jobs,
                                     [&](record&& r) {
                                       records.emplace(r.sequence, std::move(r));
                                       ++told;
                                     });
  run();
  server.stop();
  expect_all_good(server, 8);
  EXPECT_EQ(subject->health().servers[0].opened_ahead, 8U);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.connected_ns, r.start_ns) << n;
}

TEST_F(worker_test, closes_its_connections_on_the_thread_that_opened_them) {
  listed_jobs jobs(0);
  const transport::test::loopback server;
  make(jobs, server.where(), {.connections_ahead = 3});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  for (int i = 0; i < 3; ++i) {
    const base::fd peer = server.accept();
    pollfd end{peer.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&end, 1, 20'000), 1);
    EXPECT_EQ(transport::test::read_some(peer, 1), "");
  }
}

TEST_F(worker_test, servers_that_refuse_to_be_connected_ahead_do_not_hold_up_the_run) {
  listed_jobs jobs(3);
  const transport::test::loopback closed(false);
  std::vector<std::string> lines;
  make(jobs, closed.where(),
       {.connections_ahead = 200, .warn = [&](const std::string& line) { lines.push_back(line); }});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 3U);
  EXPECT_EQ(subject->counters().failed, 3U);
  EXPECT_THAT(lines, ElementsAre("not every connection could be opened ahead: cannot connect to " +
                                 closed.where().text() + ": Connection refused"));
}

TEST_F(worker_test, stop_ends_the_opening_of_connections) {
  listed_jobs jobs(3);
  // The listener accepts nothing. When its backlog of 128 is full, further connections wait.
  const transport::test::loopback nobody;
  make(jobs, nobody.where(), {.connections_ahead = 10'000});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  subject->stop();
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 0U);
}

TEST_F(worker_test, knows_how_late_its_requests_left_and_how_its_loop_was) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  const worker_health& health = subject->health();
  EXPECT_EQ(health.launch_lag.count(), 20U);
  EXPECT_GT(health.turns, 0U);
  EXPECT_GT(health.loop_lag.count(), 0U);
  EXPECT_GE(health.receive_queue.count(), 20U);
  EXPECT_EQ(health.receive_queue.maximum(), answer.size());
  EXPECT_GT(health.cpu_ns, 0U);
  EXPECT_GE(health.wall_ns, health.cpu_ns);
  EXPECT_EQ(health.starved, 0U);
}

TEST_F(worker_test, claims_no_wait_for_a_core_where_the_system_does_not_tell) {
  // UndefinedBehaviorSanitizer needs a free descriptor when it meets a class for the first time.
  listed_jobs rehearsal(1);
  const transport::test::loopback closed(false);
  make(rehearsal, closed.where());
  run();

  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  listed_jobs jobs(1);
  std::vector<base::fd> all;
  jobs.asked = [&](std::size_t) {
    const rlimit few{64, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    while (base::fd one{::dup(0)})
      all.push_back(std::move(one));
  };
  const transport::test::loopback server;
  make(jobs, server.where());
  run();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(subject->health().shortages, 1U);
  EXPECT_EQ(subject->health().run_delay_ns, 0U);
}

TEST_F(worker_test, a_wait_for_a_permit_is_not_lateness_of_the_client) {
  listed_jobs jobs(3);
  const std::uint64_t pause = 30 * base::ns_per_ms;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    const std::uint64_t began = clock.now();
    while (clock.now() < began + pause) {
    }
    self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 3);
  EXPECT_GE(records[2].start_ns - records[0].start_ns, 2 * pause);
  // All requests were due at the same time. If the lateness included the wait for the permit, it
  // would go back to the start of the run.
  for (std::uint64_t n = 1; n < 3; ++n)
    EXPECT_LE(records[n].late.launch_ns, records[n].start_ns - records[n - 1].end_ns) << n;
}

TEST_F(worker_test, counts_requests_whose_sample_came_too_late) {
  listed_jobs jobs(5);
  jobs.delays = 2;
  scripted_server server(answers_at_once);
  run(jobs, server, {.ahead = 1});
  expect_all_good(server, 5);
  EXPECT_EQ(subject->health().starved, 4U);  // the first sample is available from the start
}

TEST_F(worker_test, stop_cancels_requests_in_flight_and_sends_nothing_more) {
  listed_jobs jobs(50);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request == 0) self.send(request, answer);
    if (request == 2) stoppable.load()->stop();
  });
  run(jobs, server, {.max_in_flight = 2});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[1].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[2].status, IFB_E_CANCELLED);
  EXPECT_THAT(records[2].error, HasSubstr("stopped"));
  EXPECT_NE(records[2].start_ns, 0U);
  EXPECT_EQ(subject->counters().started, 3U);
  EXPECT_EQ(subject->counters().finished, 3U);
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_test, stop_before_the_start_means_that_nothing_is_sent) {
  listed_jobs jobs(50);
  scripted_server server(answers_at_once);
  make(jobs, server.where());
  subject->stop();
  run();
  server.stop();
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(subject->counters().started, 0U);
  EXPECT_EQ(subject->health().servers[0].connects, 0U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(worker_test, stop_ends_the_wait_for_a_time_and_for_a_source) {
  listed_jobs later(1, clock.now() + 3600 * base::ns_per_s);
  const transport::test::loopback nobody;
  make(later, nobody.where());
  later.asked = [&](std::size_t) { subject->stop(); };
  run();
  EXPECT_EQ(told, 0U);

  listed_jobs never(1);
  int times = 0;
  class silent final : public source {
   public:
    explicit silent(std::function<void()> what) : what_(std::move(what)) {}
    dataset::taken try_take(job&) override {
      what_();
      return dataset::taken::later;
    }

   private:
    std::function<void()> what_;
  } nothing([&] {
    if (++times == 3) subject->stop();
  });
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, nothing, [](record&&) {});
  run();
  EXPECT_GE(times, 3);
}

TEST_F(worker_test, a_source_that_waits_for_an_answer_is_asked_when_it_is_there) {
  // After the first job the source waits for an answer, at most for an hour.
  class conversation final : public source {
   public:
    conversation(listed_jobs& all, const std::size_t& answers, std::uint64_t an_hour)
        : all_(all), answers_(answers), an_hour_(an_hour) {}
    dataset::taken try_take(job& out) override {
      if (given_ > answers_) {
        out.due_ns = an_hour_;
        return dataset::taken::later;
      }
      ++given_;
      return all_.try_take(out);
    }

   private:
    listed_jobs& all_;
    const std::size_t& answers_;
    std::uint64_t an_hour_;
    std::size_t given_ = 0;
  };
  listed_jobs all(3);
  scripted_server server(answers_at_once);
  make(all, server.where());
  conversation jobs(all, told, clock.now() + 3600 * base::ns_per_s);
  subject =
      std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&&) { ++told; });
  run();
  EXPECT_EQ(told, 3U);
  EXPECT_EQ(subject->health().starved, 0U);
}

TEST_F(worker_test, scarce_jobs_are_taken_when_there_is_a_permit_for_them) {
  class few final : public source {
   public:
    explicit few(listed_jobs& all) : all_(all) {}
    dataset::taken try_take(job& out) override { return all_.try_take(out); }
    [[nodiscard]] bool scarce() const noexcept override { return true; }

   private:
    listed_jobs& all_;
  };
  listed_jobs all(20);
  scripted_server server(answers_at_once);
  make(all, server.where());
  few jobs(all);
  std::size_t most_taken_ahead = 0;
  all.asked = [&](std::size_t n) { most_taken_ahead = std::max(most_taken_ahead, n - told); };
  subject = std::make_unique<worker>(clock, shared, worker_settings{.max_in_flight = 2}, jobs,
                                     [&](record&&) { ++told; });
  run();
  EXPECT_EQ(told, 20U);
  EXPECT_LE(most_taken_ahead, 2U);
}

TEST_F(worker_test, a_refused_sample_is_a_failed_request_and_the_others_go_on) {
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

TEST_F(worker_test, a_refused_sample_fails_when_it_was_due) {
  codec.open_status = IFB_E_UNSUPPORTED;
  listed_jobs jobs(1, base::monotonic_clock().now() + 3600 * base::ns_per_s);
  scripted_server server(answers_at_once);
  run(jobs, server);
  ASSERT_EQ(told, 1U);
  EXPECT_EQ(records[0].start_ns, records[0].due_ns);
  EXPECT_EQ(records[0].end_ns, records[0].due_ns);
}

TEST_F(worker_test, a_refused_sample_does_not_hide_the_launch_lag_of_the_sample_before) {
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

TEST_F(worker_test, a_run_of_refused_samples_comes_to_its_end) {
  codec.open_status = IFB_E_UNSUPPORTED;
  listed_jobs jobs(500);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(told, 500U);
  EXPECT_EQ(subject->counters().failed, 500U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(worker_test, the_legs_of_a_request_share_its_connection_and_its_record) {
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

TEST_F(worker_test, a_leg_on_another_connection_leaves_the_stamps_of_the_first) {
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

TEST_F(worker_test, a_connection_with_an_unanswered_leg_is_not_used_again) {
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

TEST_F(worker_test, serialises_large_requests_on_other_threads_and_keeps_the_order) {
  listed_jobs jobs(12);
  for (std::size_t i = 0; i < 12; i += 2)
    make_large(jobs.sample(i));
  std::atomic<std::thread::id> own;
  jobs.asked = [&](std::size_t) { own = std::this_thread::get_id(); };
  std::atomic<int> elsewhere = 0;
  std::atomic<int> small_elsewhere = 0;
  codec.opening = [&](const ifb_sample& one) {
    if (std::this_thread::get_id() == own.load()) return;
    ++elsewhere;
    if (!is_large(one)) ++small_elsewhere;
  };
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 12);
  EXPECT_EQ(elsewhere, 6);
  EXPECT_EQ(small_elsewhere, 0);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(server.seen()[i].id, "r-" + std::to_string(i));
}

TEST_F(worker_test, serialises_only_as_many_requests_ahead_as_their_memory_allows) {
  // The last request begins below the limit. Before the first launch the larger limit counts.
  struct {
    worker_settings settings;
    int requests;
  } const cases[] = {
      {{.bytes_ahead = 2 * large_sample_bytes + 1}, 3},
      {{.bytes_ahead = 1, .first_bytes_ahead = 5 * large_sample_bytes}, 5},
      {{.bytes_ahead = 2 * large_sample_bytes, .first_bytes_ahead = large_sample_bytes}, 2},
  };
  for (const auto& [settings, requests] : cases) {
    listed_jobs jobs(10, clock.now() + 3600 * base::ns_per_s);
    int taken = 0;
    jobs.asked = [&](std::size_t) { ++taken; };
    for (std::size_t i = 0; i < 10; ++i)
      make_large(jobs.sample(i));
    std::atomic<int> calls = 0;
    codec.opening = [&, last = requests](const ifb_sample&) {
      if (++calls == last) subject->stop();
    };
    const transport::test::loopback nobody;
    make(jobs, nobody.where(), settings);
    run();
    EXPECT_EQ(taken, requests);
    EXPECT_EQ(told, 0U);
    EXPECT_EQ(codec.closed, codec.opened);
  }
}

TEST_F(worker_test, serialises_one_request_ahead_however_large_it_is) {
  listed_jobs jobs(6);
  for (std::size_t i = 0; i < 6; ++i)
    make_large(jobs.sample(i));
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 2, .bytes_ahead = 1});
  expect_all_good(server, 6);
}

TEST_F(worker_test, reads_answers_while_a_large_request_is_serialised) {
  listed_jobs jobs(2);
  make_large(jobs.sample(1));
  std::promise<void> answered;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(one)) answered.get_future().wait();
  };
  scripted_server server(answers_at_once);
  make(jobs, server.where());
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&& r) {
    if (r.sequence == 0) answered.set_value();
    ++told;
  });
  run();
  EXPECT_EQ(told, 2U);
}

TEST_F(worker_test, a_large_request_that_is_not_ready_holds_up_the_requests_after_it) {
  listed_jobs jobs(3);
  make_large(jobs.sample(0));
  std::promise<void> all_taken;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(one)) all_taken.get_future().wait();
  };
  jobs.asked = [&](std::size_t n) {
    if (n == 2) all_taken.set_value();
  };
  scripted_server server(answers_at_once);
  run(jobs, server);
  expect_all_good(server, 3);
  EXPECT_LE(records[0].start_ns, records[1].start_ns);
  EXPECT_GT(records[0].late.launch_ns, 0U) << "its lateness is the client's";
}

TEST_F(worker_test, a_large_request_that_the_backend_refuses_has_failed_and_the_others_go_on) {
  codec.refused_id = "r-1";
  listed_jobs jobs(4);
  make_large(jobs.sample(1));
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 4U);
  EXPECT_EQ(records[1].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(records[1].error, "this prompt has no shape");
  EXPECT_NE(records[1].start_ns, 0U);
  EXPECT_EQ(subject->counters().failed, 1U);
  EXPECT_EQ(subject->counters().finished, 4U);
}

TEST_F(worker_test, stop_waits_only_for_the_codec_that_serialises_a_large_request) {
  listed_jobs jobs(20);
  for (std::size_t i = 0; i < 20; ++i)
    make_large(jobs.sample(i));
  std::promise<void> begun;
  std::promise<void> go;
  auto going = go.get_future().share();
  std::atomic<int> calls = 0;
  codec.opening = [&](const ifb_sample&) {
    if (++calls == 1) begun.set_value();
    going.wait();
  };
  const transport::test::loopback nobody;
  make(jobs, nobody.where());
  auto over = std::async(std::launch::async, [&] { subject->run(); });
  begun.get_future().wait();
  subject->stop();
  EXPECT_EQ(over.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  go.set_value();
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(subject->counters().started, 0U);
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_test, stop_cancels_requests_in_flight_while_a_large_request_is_serialised) {
  listed_jobs jobs(2);
  make_large(jobs.sample(1));
  std::promise<void> cancelled;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(one)) cancelled.get_future().wait();
  };
  scripted_server server([&](scripted_server&, std::size_t) { stoppable.load()->stop(); });
  make(jobs, server.where());
  ifb_status status = IFB_OK;
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&& r) {
    status = r.status;
    ++told;
    cancelled.set_value();
  });
  stoppable = subject.get();
  run();
  EXPECT_EQ(told, 1U);
  EXPECT_EQ(status, IFB_E_CANCELLED);
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_test, requests_that_wait_for_a_permit_at_the_end_of_the_source_are_not_sent) {
  class ends_soon final : public source {
   public:
    ends_soon(listed_jobs& all, std::uint64_t at) : all_(all), at_(at) {}
    dataset::taken try_take(job& out) override { return all_.try_take(out); }
    [[nodiscard]] std::uint64_t ends_ns() const noexcept override { return at_; }

   private:
    listed_jobs& all_;
    std::uint64_t at_;
  };
  listed_jobs all(5);
  const std::uint64_t end = clock.now() + 50 * base::ns_per_ms;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    while (clock.now() <= end) {
    }
    self.send(request, answer);
  });
  make(all, server.where());
  ends_soon jobs(all, end);
  subject = std::make_unique<worker>(clock, shared, worker_settings{.max_in_flight = 1}, jobs,
                                     [&](record&& r) {
                                       EXPECT_TRUE(r.ok()) << r.error;
                                       ++told;
                                     });
  run();
  server.stop();
  EXPECT_EQ(server.seen().size(), told);
  EXPECT_LE(told, 1U) << "on a busy machine even the first may be too late";
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_test,
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

TEST_F(worker_test, the_connection_of_a_request_that_its_codec_ended_is_used_again) {
  listed_jobs jobs(5);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    self.send(request, sse_answer({"token", "end", "more"}));
  });
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 5);
  EXPECT_EQ(server.connections(), 1U);
}

}  // namespace
}  // namespace inferbench::client
