#include "startup/server_start.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server_start_box.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/listening.hpp"

namespace inferbench::startup {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

void expect_order(const server_start_times& of) {
  EXPECT_LE(of.started_ns, of.listening.earliest_ns);
  EXPECT_LE(of.listening.earliest_ns, of.listening.at_ns);
  EXPECT_LE(of.listening.at_ns, of.ready.at_ns);
  EXPECT_LE(of.ready.earliest_ns, of.ready.at_ns);
}

TEST(server_start, has_a_time_for_each_phase_and_leaves_nothing_behind) {
  const server_start_box box({"--busy", "3"});
  const std::uint64_t before = box.clock.now();
  const server_start_times times = box.measure();
  EXPECT_GT(times.started_ns, before);
  expect_order(times);
  EXPECT_GE(times.ready.earliest_ns, times.listening.at_ns);
  EXPECT_EQ(times.ready_path, "/health");
  ASSERT_TRUE(times.token);
  EXPECT_EQ(times.token->error, "");
  EXPECT_LE(times.ready.at_ns, times.token->sent_ns);
  EXPECT_LT(times.token->sent_ns, times.token->token_ns);
  EXPECT_LE(times.token->token_ns, times.token->ended_ns);
  EXPECT_FALSE(times.killed);
  EXPECT_EQ(box.requests(),
            "GET /health\nGET /health\nGET /health\nGET /health\nGET /v1/models\n"
            "POST /v1/completions\n");
  EXPECT_FALSE(transport::accepts(box.setup.where));
}

TEST(server_start, can_be_repeated_at_the_same_address) {
  const server_start_box box;
  for (int i = 0; i < 3; ++i)
    expect_order(box.measure());
}

TEST(server_start, asks_for_the_given_model_and_path) {
  server_start_box box;
  box.setup.model = "given";
  box.setup.ready_path = "/ready";
  EXPECT_EQ(box.measure().ready_path, "/ready");
  EXPECT_EQ(box.requests(), "GET /ready\nPOST /v1/completions\n");
}

TEST(server_start, takes_the_list_of_models_if_there_is_no_path_for_the_health) {
  server_start_box box({"--missing", "/health"});
  box.setup.first_token = false;
  const server_start_times times = box.measure();
  EXPECT_EQ(times.ready_path, "/v1/models");
  EXPECT_FALSE(times.token);
  EXPECT_EQ(box.requests(), "GET /health\nGET /v1/models\n");
}

TEST(server_start, without_a_first_token_is_still_a_start) {
  const server_start_box broken({"--broken", "/v1/completions"});
  server_start_times times = broken.measure();
  expect_order(times);
  ASSERT_TRUE(times.token);
  EXPECT_EQ(broken.plain(times.token->error),
            "POST ADDRESS/v1/completions has the status 500: {\"error\": \"no kernel\"}");

  const server_start_box nameless({"--empty"});
  times = nameless.measure();
  ASSERT_TRUE(times.token);
  EXPECT_EQ(nameless.plain(times.token->error),
            "GET ADDRESS/v1/models lists no model for the request");
}

TEST(server_start, is_not_held_up_by_much_output) {
  const server_start_box box({"--lines", "100000"});
  expect_order(box.measure());
}

TEST(server_start, kills_a_server_that_ignores_sigterm) {
  server_start_box box({"--deaf"});
  box.setup.stop_timeout_ns = base::ns_per_ms;
  const server_start_times times = box.measure();
  EXPECT_TRUE(times.killed);
  EXPECT_GE(times.stop_ns, box.setup.stop_timeout_ns);
  EXPECT_FALSE(transport::accepts(box.setup.where));
}

TEST(server_start, of_a_server_that_ends_is_an_error_with_its_last_lines) {
  const server_start_box box({"--lines", "30", "--exit", "7"});
  const std::string text = box.refusal();
  EXPECT_THAT(text, StartsWith("the server PROGRAM ended with exit status 7 before it was ready; "
                               "the last lines of its output:\nline 11 of the start\n"));
  EXPECT_TRUE(text.ends_with("\nline 30 of the start")) << text;
}

TEST(server_start, of_a_server_that_ends_without_a_word_says_so) {
  const server_start_box box({"--exit", "0"});
  EXPECT_EQ(box.refusal(),
            "the server PROGRAM ended with exit status 0 before it was ready; it has printed "
            "nothing");
}

TEST(server_start, of_a_server_that_dies_when_it_is_asked_is_an_error) {
  const server_start_box health({"--fatal", "/health"});
  EXPECT_THAT(health.refusal(),
              AllOf(HasSubstr("exit status 3 before it was ready"), HasSubstr("out of memory")));
  const server_start_box token({"--fatal", "/v1/completions"});
  EXPECT_THAT(token.refusal(), AllOf(HasSubstr("exit status 3 during its first request"),
                                     HasSubstr("out of memory")));
}

TEST(server_start, of_a_server_that_never_listens_ends_with_the_time) {
  server_start_box box({"--mute"});
  box.setup.timeout_ns = 20 * base::ns_per_ms;
  EXPECT_EQ(box.refusal(),
            "the server PROGRAM has not started within 0.02 s: it does not listen at ADDRESS; give "
            "it more time by --startup-timeout, or see why in its output; it has printed nothing");
}

TEST(server_start, of_a_server_that_is_never_ready_ends_with_the_time) {
  server_start_box box({"--busy", "1000000000"});
  box.setup.timeout_ns = 100 * base::ns_per_ms;
  EXPECT_THAT(box.refusal(), StartsWith("the server PROGRAM has not started within 0.1 s: it "));
}

TEST(server_start, of_a_server_that_never_answers_ends_with_the_time) {
  server_start_box box({"--silent", "/health"});
  box.setup.timeout_ns = 100 * base::ns_per_ms;
  EXPECT_THAT(box.refusal(), StartsWith("the server PROGRAM has not started within 0.1 s: it "));
}

TEST(server_start, is_refused_if_another_process_listens_at_the_address) {
  const server_start_box other;
  supervise::supervised_process listener({.words = other.setup.command});
  while (!transport::accepts(other.setup.where))
    ASSERT_FALSE(listener.wait_until({}));
  const server_start_box box;
  EXPECT_EQ(box.refusal(),
            "another process listens at ADDRESS already; end it (`ss -ltnp sport = :20081` shows "
            "it), or give the server another --port");
  EXPECT_FALSE(box.was_started());
}

TEST(server_start, of_a_program_that_is_not_there_is_an_error) {
  server_start_box box;
  box.setup.command.front() = "/there/is/none";
  EXPECT_EQ(box.refusal(), "cannot start PROGRAM: No such file or directory");
  box.setup.command.clear();
  EXPECT_THROW(static_cast<void>(box.measure()), base::error);
}

TEST(server_start, does_not_begin_after_an_interrupt) {
  server_start_box box;
  box.stop = true;
  EXPECT_EQ(box.refusal(), "the measurement was stopped before it was complete");
  EXPECT_FALSE(box.was_started());
}

TEST(server_start, ends_with_an_interrupt_at_any_time) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--mute"},
                                                {"--busy", "1000000000"},
                                                {"--silent", "/health"},
                                                {"--silent", "/v1/completions"}}) {
    server_start_box box(flags);
    std::atomic<bool> over = false;
    std::thread user([&] {
      // The server writes to its log when it has listened; a mute server does not.
      while (flags.front() != "--mute" && !box.was_started() && !over)
        std::this_thread::yield();
      box.stop = true;
    });
    EXPECT_EQ(box.refusal(), "the measurement was stopped before it was complete");
    over = true;
    user.join();
    EXPECT_FALSE(transport::accepts(box.setup.where));
  }
}

}  // namespace
}  // namespace inferbench::startup
