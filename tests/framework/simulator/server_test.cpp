#include "simulator/server.hpp"

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include "base/error.hpp"
#include "framework/simulator/raw_client.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(server, a_stop_before_run_counts) {
  base::monotonic_clock clock;
  base::log log(base::log_level::off);
  options settings;
  settings.port = 0;
  server never(settings, clock, log);
  EXPECT_NE(never.port(), 0);
  EXPECT_EQ(never.url(), "http://127.0.0.1:" + std::to_string(never.port()));
  never.stop();
  never.run();
}

server* stopped_by_signal = nullptr;

TEST(server, a_signal_handler_may_stop_it) {
  base::monotonic_clock clock;
  base::log log(base::log_level::off);
  options settings;
  settings.port = 0;
  server running(settings, clock, log);
  stopped_by_signal = &running;
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = [](int) { stopped_by_signal->stop(); };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  std::thread other([main = ::pthread_self()] { ::pthread_kill(main, SIGUSR1); });
  running.run();
  other.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(server, an_address_that_cannot_be_had_is_an_error) {
  test_server first;
  base::monotonic_clock clock;
  base::log log(base::log_level::off);
  const auto complaint = [&](const std::string& host, std::uint16_t port) {
    options settings;
    settings.host = host;
    settings.port = port;
    try {
      server second(settings, clock, log);
    } catch (const base::error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  const std::string port = std::to_string(first.port());
  EXPECT_EQ(complaint("127.0.0.1", first.port()),
            "--port: cannot listen on 127.0.0.1 port " + port +
                ": Address already in use; stop what listens there, or use --port 0");
  // A label of more than 63 characters: no name server is asked.
  const std::string unknown = std::string(64, 'a') + ".invalid";
  EXPECT_THAT(complaint(unknown, 0),
              StartsWith("--host: \"" + unknown + "\" is not an address of this machine"));
  // An address of TEST-NET-1 (RFC 5737), which no machine has.
  EXPECT_EQ(complaint("192.0.2.1", 8000),
            "--host: cannot listen on 192.0.2.1 port 8000: Cannot assign requested address; "
            "use 127.0.0.1, ::1 or 0.0.0.0");
}

TEST(server, a_ground_truth_that_is_lost_is_reported_once) {
  std::vector<std::string> errors;
  options settings;
  settings.ground_truth = "/dev/full";
  settings.ttft = parse_delays("20ms", "");  // while a request waits, there is time to write
  test_server full(settings, true, decode_nothing,
                   [&](std::string_view line) { errors.emplace_back(line); });
  for (int i = 0; i < 4; ++i)
    EXPECT_THAT(exchanged(full.port(), post_text("/v1/completions", three_tokens("}"))),
                StartsWith("HTTP/1.1 200 OK\r\n"));
  full.stop();
  EXPECT_THAT(errors, ElementsAre("cannot write /dev/full: No space left on device"));
  EXPECT_FALSE(full.get().files_complete());
}

TEST(server, files_without_an_error_are_complete) {
  const support::temporary_folder files;
  options settings;
  settings.ground_truth = files.path("truth.jsonl");
  settings.media_facts = files.path("facts.jsonl");
  test_server server(settings);
  exchanged(server.port(), post_text("/v1/completions", three_tokens("}")));
  server.stop();
  EXPECT_TRUE(server.get().files_complete());
}

}  // namespace
}  // namespace inferbench::simulator
