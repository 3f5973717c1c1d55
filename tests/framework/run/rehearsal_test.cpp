#include "run/rehearsal.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/answering_server.hpp"
#include "framework/transport/clocks.hpp"

namespace inferbench::run {
namespace {

using client::testing::scripted_server;
using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string rehearsal_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\n"
    "data: token\n\n";
const std::string not_yet =
    "HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\nloading";

/// Standard output of a run, in a file without a name.
class captured {
 public:
  captured() : file_(std::tmpfile()) {}
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;
  ~captured() { std::fclose(file_); }
  [[nodiscard]] base::output& out() { return out_; }
  [[nodiscard]] std::string text() const {
    std::string out(static_cast<std::size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    out.resize(std::fread(out.data(), 1, out.size(), file_));
    return out;
  }

 private:
  std::FILE* file_;
  base::output out_{file_};
};

struct rehearsal_bench {
  explicit rehearsal_bench(scripted_server::script script) : server(std::move(script)) {
    endpoint.where = transport::parse_url("http://host:1");
    endpoint.addresses = {server.where()};
    protocol = codec.shared(endpoint);
    first.clear();
    first.c = client::testing::text_sample();
    first.c.id = {};
  }
  [[nodiscard]] rehearsal with() {
    return {wanted, max_concurrency, true, protocol, clock, signals, book.log, out};
  }

  transport::test::jumping_clock clock;
  config::preparation wanted;
  std::optional<std::int64_t> max_concurrency;
  client::testing::fake_codec codec;
  scripted_server server;
  transport::endpoint endpoint;
  client::backend protocol;
  interrupt signals;
  fake::log_book book;
  captured said;
  services::console out{said.out()};
  dataset::sample first;
};

TEST(check_readiness, is_left_out_without_a_time) {
  rehearsal_bench b([](scripted_server&, std::size_t) { ADD_FAILURE(); });
  check_readiness(b.with(), b.first);
  EXPECT_EQ(b.said.text(),
            "Starting initial single prompt test run...\nSkipping endpoint ready check.\n");
}

TEST(check_readiness, sends_one_request_without_an_id) {
  rehearsal_bench b(
      [](scripted_server& s, std::size_t request) { s.send(request, rehearsal_answer); });
  b.wanted.ready_check_timeout_ns = 20 * base::ns_per_s;
  check_readiness(b.with(), b.first);
  EXPECT_EQ(b.said.text(),
            "Starting initial single prompt test run...\n"
            "Waiting for endpoint to become up in 20 seconds\n"
            "Initial test run completed.\n");
  b.server.stop();
  ASSERT_EQ(b.server.seen().size(), 1U);
  EXPECT_EQ(b.server.seen()[0].id, "");
}

TEST(check_readiness, gives_up_with_the_last_reason_when_the_time_is_over) {
  rehearsal_bench b([](scripted_server& s, std::size_t request) { s.send(request, not_yet); });
  constexpr std::uint64_t limit = 3600 * base::ns_per_s;
  b.wanted.ready_check_timeout_ns = limit;
  // The pause after the first attempt is over at once, and the time ends with the second attempt.
  std::vector<std::string> lines;
  base::log log(base::log_level::trace, [&](base::log_level, std::string_view line) {
    lines.emplace_back(line);
    b.clock.jump(limit / 2);
  });
  b.codec.closing = [&](int attempt) {
    if (attempt == 2) b.clock.jump(limit / 2);
  };
  const rehearsal with{b.wanted, {}, true, b.protocol, b.clock, b.signals, log, b.out};
  try {
    check_readiness(with, b.first);
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "the server was not ready within 3600 s: HTTP 503 Busy: loading; start it, check "
                 "--base-url and --endpoint, or give it longer with --ready-check-timeout-sec");
  }
  EXPECT_THAT(lines, ElementsAre("not ready yet: HTTP 503 Busy: loading"));
  b.server.stop();
  EXPECT_EQ(b.server.seen().size(), 2U);
}

TEST(check_readiness, waits_the_whole_time_for_a_server_that_refuses_at_once) {
  rehearsal_bench b([](scripted_server& s, std::size_t request) { s.send(request, not_yet); });
  b.wanted.ready_check_timeout_ns = 3 * base::ns_per_s / 10;
  const std::uint64_t began = b.clock.now();
  EXPECT_THROW(check_readiness(b.with(), b.first), base::error);
  EXPECT_GE(b.clock.now() - began, b.wanted.ready_check_timeout_ns);
}

TEST(check_readiness, holds_its_deadline_against_a_server_that_hangs) {
  rehearsal_bench b([](scripted_server&, std::size_t) {});
  b.wanted.ready_check_timeout_ns = base::ns_per_s / 5;
  const std::uint64_t began = b.clock.now();
  EXPECT_THROW(check_readiness(b.with(), b.first), base::error);
  EXPECT_GE(b.clock.now() - began, base::ns_per_s / 5);
}

TEST(warm_up, sends_sample_0_as_often_as_asked_and_minds_no_failure) {
  rehearsal_bench b([](scripted_server& s, std::size_t request) {
    s.send(request, request % 2 == 0 ? rehearsal_answer : not_yet);
  });
  b.wanted.num_warmups = 5;
  b.max_concurrency = 2;
  warm_up(b.with(), b.first);
  EXPECT_EQ(b.said.text(), "Warming up with 5 requests...\nWarmup run completed.\n");
  EXPECT_THAT(b.book.lines(), IsEmpty());
  b.server.stop();
  EXPECT_EQ(b.server.seen().size(), 5U);
  EXPECT_LE(b.server.connections(), 2U);
  for (const auto& one : b.server.seen())
    EXPECT_EQ(one.id, "");
}

TEST(warm_up, is_left_out_where_none_is_asked_for) {
  rehearsal_bench b([](scripted_server&, std::size_t) { ADD_FAILURE(); });
  warm_up(b.with(), b.first);
  EXPECT_EQ(b.said.text(), "");
}

// Acceptance check 9 of the specification.
TEST(profiling, asks_each_server_with_key_and_headers_to_start_and_to_stop) {
  interrupt signals;
  const answering_server one([](const asked&) { return answered{}; });
  const answering_server two([](const asked&) { return answered{}; });
  const base::monotonic_clock clock;
  config::plan plan;
  plan.preparation.profile = true;
  plan.server.base_urls = {one.url(), two.url()};
  plan.server.api_key = "secret";
  plan.server.headers = {{"X-Tenant", "t"}};
  const services::target servers(plan.server, clock);
  fake::log_book book;
  captured said;
  services::console out(said.out());
  {
    const profiling on(plan.preparation, servers, signals, book.log, out);
  }
  EXPECT_EQ(said.text(),
            "Starting profiler...\nProfiler started\nStopping profiler...\nProfiler stopped\n");
  for (const answering_server* each : {&one, &two}) {
    const auto seen = each->seen();
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].line, "POST /start_profile");
    EXPECT_EQ(seen[1].line, "POST /stop_profile");
    for (const asked& request : seen) {
      EXPECT_EQ(request.body, "");
      EXPECT_THAT(request.head, HasSubstr("Authorization: Bearer secret\r\n"));
      EXPECT_THAT(request.head, HasSubstr("X-Tenant: t\r\n"));
    }
  }
}

TEST(profiling, goes_on_without_a_profiler) {
  interrupt signals;
  const answering_server none([](const asked&) { return answered{404, {}}; });
  const base::monotonic_clock clock;
  config::plan plan;
  plan.preparation.profile = true;
  plan.server.base_urls = {none.url()};
  const services::target servers(plan.server, clock);
  fake::log_book book;
  captured said;
  services::console out(said.out());
  {
    const profiling on(plan.preparation, servers, signals, book.log, out);
  }
  EXPECT_EQ(said.text(), "Starting profiler...\nStopping profiler...\n");
  EXPECT_THAT(book.lines(), ElementsAre(none.url() + "/start_profile answered HTTP 404 Said",
                                        none.url() + "/stop_profile answered HTTP 404 Said"));
}

TEST(profiling, a_signal_ends_the_wait_for_a_server_that_hangs) {
  interrupt signals;  // before any thread
  signals.hold();
  const answering_server good([](const asked&) { return answered{}; });
  std::atomic<bool> over = false;
  const answering_server hung([&](const asked&) {
    ::kill(::getpid(), SIGINT);
    over.wait(false);
    return answered{};
  });
  const base::monotonic_clock clock;
  config::plan plan;
  plan.preparation.profile = true;
  plan.server.base_urls = {good.url(), hung.url()};
  const services::target servers(plan.server, clock);
  fake::log_book book;
  captured said;
  services::console out(said.out());
  EXPECT_THROW(profiling(plan.preparation, servers, signals, book.log, out), base::error);
  over = true;
  over.notify_all();
  EXPECT_EQ(said.text(), "Starting profiler...\nStopping profiler...\nProfiler stopped\n");
  ASSERT_EQ(good.seen().size(), 2U);
  EXPECT_EQ(good.seen()[1].line, "POST /stop_profile");
  EXPECT_EQ(hung.seen().size(), 1U) << "it is not asked again";
  EXPECT_THAT(book.lines(), IsEmpty());
}

}  // namespace
}  // namespace inferbench::run
