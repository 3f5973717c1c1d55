// --live on a terminal: whole runs under a pseudo terminal, against the simulator.
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string enter_screen = "\x1b[?1049h";
const std::string leave_screen = "\x1b[?1049l";

/// inferbench on a terminal of its own, which is its standard input, output and error.
class on_terminal {
 public:
  explicit on_terminal(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), INFERBENCH_BINARY);
    std::vector<char*> argv;
    for (std::string& each : arguments)
      argv.push_back(each.data());
    argv.push_back(nullptr);
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 30;
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    ::setenv("TERM", "xterm", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  on_terminal(const on_terminal&) = delete;
  on_terminal& operator=(const on_terminal&) = delete;
  ~on_terminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(terminal_);
  }

  /// Everything that the terminal got, up to `text`, or up to the end if `text` does not come.
  const std::string& read_until(const std::string& text) {
    char buffer[4096];
    while (text.empty() || all_.find(text) == std::string::npos) {
      const ssize_t got = ::read(terminal_, buffer, sizeof buffer);
      if (got <= 0) break;  // EIO: the process has closed the terminal
      all_.append(buffer, static_cast<std::size_t>(got));
    }
    return all_;
  }
  const std::string& read_all() { return read_until({}); }

  void signal(int number) const { ::kill(pid_, number); }

  /// Whether the terminal shows the keys that a user presses.
  [[nodiscard]] bool echoes() const {
    termios settings{};
    return ::tcgetattr(terminal_, &settings) == 0 && (settings.c_lflag & ECHO) != 0;
  }

  /// The exit status, or 128 + N after signal N.
  int wait() {
    int raw = 0;
    ::waitpid(pid_, &raw, 0);
    pid_ = -1;
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  }

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string all_;
};

std::vector<std::string> live_load(const simulator& server, std::vector<std::string> more) {
  std::vector<std::string> out{"serve", "--base-url",          server.url(), "--model",
                               "m",     "--tokenizer-mode",    "bytes",      "--random-input-len",
                               "9",     "--random-output-len", "3",          "--num-prompts",
                               "40",    "--request-rate",      "30"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(live, the_screen_is_gone_before_the_report_is_printed) {
  simulator server;
  on_terminal run(live_load(server, {"--live", "screen"}));
  const std::string all = run.read_all();
  EXPECT_EQ(run.wait(), 0) << all;
  const auto entered = all.find(enter_screen);
  const auto left = all.find(leave_screen);
  const auto report = all.find("Serving Benchmark Result");
  ASSERT_NE(entered, std::string::npos) << all;
  ASSERT_NE(left, std::string::npos) << all;
  ASSERT_NE(report, std::string::npos) << all;
  EXPECT_LT(entered, left);
  EXPECT_LT(left, report);
  EXPECT_EQ(all.find(enter_screen, left), std::string::npos);
  EXPECT_THAT(all.substr(entered, left - entered), HasSubstr("in flight"));
  EXPECT_THAT(all.substr(entered, left - entered), HasSubstr("busiest worker"));
  // The terminal has the locale C.UTF-8.
  EXPECT_THAT(all.substr(entered, left - entered), HasSubstr("\u00b7"));
  EXPECT_THAT(all.substr(entered, left - entered), Not(HasSubstr("~H")));
}

TEST(live, the_screen_comes_again_in_each_of_several_runs) {
  simulator server;
  on_terminal run(live_load(server, {"--live", "screen", "--num-runs", "2"}));
  const std::string all = run.read_all();
  EXPECT_EQ(run.wait(), 0) << all;
  std::size_t screens = 0;
  for (auto at = all.find(enter_screen); at != std::string::npos;
       at = all.find(enter_screen, at + 1))
    ++screens;
  EXPECT_EQ(screens, 2U);
}

TEST(live, a_signal_ends_the_screen_and_the_report_follows) {
  simulator server({"--ttft", "3600s"});
  on_terminal run(live_load(server, {"--live", "screen"}));
  run.read_until(enter_screen);
  run.signal(SIGINT);
  const std::string all = run.read_all();
  EXPECT_EQ(run.wait(), 1);
  const auto left = all.find(leave_screen);
  ASSERT_NE(left, std::string::npos) << all;
  EXPECT_NE(all.find("Serving Benchmark Result", left), std::string::npos) << all;
}

TEST(live, a_crash_and_a_signal_that_kills_give_the_terminal_back) {
  for (const int number : {SIGSEGV, SIGABRT, SIGQUIT, SIGUSR1}) {
    simulator server({"--ttft", "3600s"});
    on_terminal run(live_load(server, {"--live", "screen"}));
    run.read_until("in flight");
    EXPECT_FALSE(run.echoes());
    run.signal(number);
    const std::string all = run.read_all();
    EXPECT_EQ(run.wait(), 128 + number);
    EXPECT_TRUE(run.echoes()) << number;
    const auto left = all.rfind(leave_screen);
    ASSERT_NE(left, std::string::npos) << all;
    EXPECT_THAT(all.substr(left), HasSubstr("\x1b[?25h"));  // the cursor
    const bool crash = number == SIGSEGV || number == SIGABRT;
    EXPECT_EQ(all.find("crash outside of any plugin", left) != std::string::npos, crash) << all;
  }
}

TEST(live, a_terminal_gets_a_line_and_with_none_nothing) {
  simulator server;
  for (const bool line : {true, false}) {
    on_terminal run(live_load(
        server, line ? std::vector<std::string>{} : std::vector<std::string>{"--live", "none"}));
    const std::string all = run.read_all();
    EXPECT_EQ(run.wait(), 0) << all;
    EXPECT_EQ(all.find(enter_screen), std::string::npos);
    EXPECT_EQ(all.find("req/s  ") != std::string::npos, line) << all;
  }
}

TEST(live, disable_tqdm_also_hides_the_screen) {
  simulator server;
  on_terminal run(live_load(server, {"--live", "screen", "--disable-tqdm"}));
  const std::string all = run.read_all();
  EXPECT_EQ(run.wait(), 0) << all;
  EXPECT_EQ(all.find(enter_screen), std::string::npos);
}

TEST(live, a_screen_without_a_terminal_is_an_error_with_a_remedy) {
  simulator server;
  const finished run = inferbench(live_load(server, {"--live", "screen"}));
  EXPECT_NE(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("--live screen needs a terminal"));
  EXPECT_THAT(run.err, HasSubstr("--live line"));
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

TEST(live, the_reporter_without_a_terminal_warns_and_the_run_goes_on) {
  simulator server;
  const finished run = inferbench(live_load(server, {"--reporter", "screen"}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("shows nothing: standard error is not a terminal"));
  EXPECT_THAT(run.out, HasSubstr("Serving Benchmark Result"));
}

}  // namespace
}  // namespace inferbench::testing
