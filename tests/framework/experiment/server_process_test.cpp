// The tests of server.hpp have the errors of addresses, and of servers that end before they are
// ready.
#include "experiment/server_process.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/sweep_failures.hpp"
#include "server_box.hpp"
#include "support/error_text.hpp"
#include "support/own_host.hpp"

namespace inferbench::experiment {
namespace {

constexpr auto long_enough = std::chrono::seconds(60);
constexpr auto at_once = std::chrono::milliseconds(1);

server_process started(const std::vector<std::string>& words, const std::atomic<bool>& stop) {
  return {free_address(words, stop), {.words = words}, stop};
}

std::vector<std::string> shell_command(const std::string& script) {
  return {"sh", "-c", script, "sh", "--host", support::own_host(), "--port", "20080"};
}

TEST(a_server_process, is_ready_when_its_health_has_the_status_200) {
  const server_box box({"--busy", "2"});
  server_process server = started(box.setup.command, box.stop);
  int looks = 0;
  server.await_health({.limit_s = 600, .poll_interval = at_once, .meanwhile = [&] { ++looks; }});
  EXPECT_EQ(box.requests(), "mode none\nGET /health\nGET /health\nGET /health\n");
  EXPECT_GE(looks, 2);
  EXPECT_EQ(server.address(), server_box::address());
  EXPECT_FALSE(server.has_ended());
}

TEST(a_server_process, has_an_end_with_its_last_lines) {
  const std::atomic<bool> stop = false;
  server_process server = started(shell_command("echo one; echo two; exit 3"), stop);
  ASSERT_TRUE(server.has_ended(long_enough));
  EXPECT_EQ(server.end_text(),
            "the server sh ended with exit status 3; the last lines of its output:\none\ntwo");
  EXPECT_EQ(server.end_text(" too early"),
            "the server sh ended with exit status 3 too early; the last lines of its "
            "output:\none\ntwo");
  EXPECT_EQ(support::error_text([&] {
              server.await_health({});
              return 0;
            }),
            server.end_text());
}

TEST(a_server_process, that_is_not_ready_in_time_names_the_setting_of_the_limit) {
  const std::atomic<bool> stop = false;
  server_process server = started(shell_command("exec sleep 1000"), stop);
  EXPECT_THAT(
      support::error_text([&] {
        server.await_health({.limit_s = 0, .setting = "--longer", .poll_interval = at_once});
        return 0;
      }),
      testing::AllOf(testing::StartsWith("the server sh was not ready within 0 s: no connection "),
                     testing::HasSubstr("; give it more time by --longer, or see why in its log; "
                                        "it has printed nothing")));
}

TEST(a_server_process, is_not_awaited_after_an_interrupt_or_an_error_of_the_caller) {
  std::atomic<bool> stop = false;
  server_process server = started(shell_command("exec sleep 1000"), stop);
  const readiness failing{.limit_s = 600, .poll_interval = at_once, .meanwhile = [] {
                            throw std::runtime_error("the caller");
                          }};
  EXPECT_THROW(server.await_health(failing), std::runtime_error);
  stop = true;
  EXPECT_THROW(server.await_health({.limit_s = 600}), stopped_sweep);
  EXPECT_THROW(static_cast<void>(free_address(shell_command("true"), stop)), stopped_sweep);
}

}  // namespace
}  // namespace inferbench::experiment
