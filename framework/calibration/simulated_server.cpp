#include "calibration/simulated_server.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace inferbench::calibration {

namespace {

using steady = std::chrono::steady_clock;

constexpr auto start_limit = std::chrono::seconds(20);
constexpr int end_limit_ms = 60'000;  // its log may be long
constexpr std::string_view announcement = "listening on ";

// Between fork and exec only what is safe in a signal handler.
[[noreturn]] void become(char* const* argv, int output, int kept, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::fcntl(kept, F_SETFD, 0);
  ::execv(argv[0], argv);
  ::_exit(127);
}

}  // namespace

simulated_server::simulated_server(const std::string& program, std::vector<std::string> flags,
                                   int kept) {
  std::vector<std::string> words{program, "simulate", "--host", "127.0.0.1", "--port", "0"};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw base::error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const base::fd reading(ends[0]);
  base::fd writing(ends[1]);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) become(argv.data(), writing.get(), kept, parent);
  if (child_ < 0)
    throw base::error(std::string("cannot start the simulator: ") + std::strerror(errno));
  writing.reset();
  try {
    wait_until_up(reading.get());
  } catch (...) {
    kill();
    throw;
  }
}

simulated_server::~simulated_server() { kill(); }

void simulated_server::wait_until_up(int output) {
  const auto deadline = steady::now() + start_limit;
  std::string said;
  while (said.find('\n') == std::string::npos) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady::now());
    pollfd waiting{.fd = output, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready < 0 && errno == EINTR) continue;
    std::array<char, 256> block{};
    const ssize_t got = ready > 0 ? ::read(output, block.data(), block.size()) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw base::error("the built-in simulator did not start");
    said.append(block.data(), static_cast<std::size_t>(got));
  }
  if (!said.starts_with(announcement))
    throw base::error("the built-in simulator answers \"" + said.substr(0, said.find('\n')) + "\"");
  url_ = said.substr(announcement.size(), said.find('\n') - announcement.size());
}

void simulated_server::stop() {
  if (child_ < 0) return;
  ::kill(child_, SIGTERM);
  const bool ended = wait_for_end(end_limit_ms);
  kill();
  if (!ended || !WIFEXITED(status_) || WEXITSTATUS(status_) != 0)
    throw base::error("the built-in simulator did not end well");
}

bool simulated_server::wait_for_end(int limit_ms) noexcept {
  for (int waited = 0; waited <= limit_ms; ++waited) {
    if (::waitpid(child_, &status_, WNOHANG) == child_) {
      child_ = -1;
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void simulated_server::kill() noexcept {
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

}  // namespace inferbench::calibration
