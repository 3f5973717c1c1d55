#include "simulator/server.hpp"

#include <csignal>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include "base/error.hpp"
#include "framework/simulator/raw_client.hpp"

namespace inferbench::simulator {
namespace {

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

}  // namespace
}  // namespace inferbench::simulator
