#include "calibration/simulated_server.hpp"

#include <chrono>
#include <csignal>
#include <string_view>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::calibration {

namespace {

using steady = std::chrono::steady_clock;

constexpr auto start_limit = std::chrono::seconds(20);
constexpr auto end_limit = std::chrono::seconds(60);  // long, because writing a long ground-truth
                                                      // log takes time
constexpr std::size_t most_output = 64U * 1024U;
constexpr std::string_view announcement = "listening on ";

}  // namespace

simulated_server::simulated_server(const std::string& program, std::vector<std::string> flags,
                                   int kept) {
  base::pipe_ends pipe = base::make_pipe();
  base::child_setup setup{.words = {program, "simulate", "--host", "127.0.0.1", "--port", "0"},
                          .descriptors = {{STDOUT_FILENO, pipe.writing.get()}, {kept, kept}},
                          .signal_at_our_end = SIGTERM};
  setup.words.insert(setup.words.end(), flags.begin(), flags.end());
  try {
    child_.emplace(setup);
  } catch (const base::error& e) {
    throw base::error("the built-in simulator did not start", e.what());
  }
  pipe.writing.reset();
  wait_until_up(std::move(pipe.reading));
}

void simulated_server::wait_until_up(base::fd output) {
  const auto deadline = steady::now() + start_limit;
  base::child_output said{.reading = std::move(output), .most = most_output};
  while (said.text.find('\n') == std::string::npos)
    if (base::read_some({&said, 1}, deadline) != base::read_result::more)
      throw base::error("the built-in simulator did not start");
  const std::string line = said.text.substr(0, said.text.find('\n'));
  if (!line.starts_with(announcement))
    throw base::error("the built-in simulator answers \"" + line + "\"");
  url_ = line.substr(announcement.size());
}

void simulated_server::stop() {
  if (!child_) return;
  child_->signal(SIGTERM);
  const bool ended = child_->wait_until(steady::now() + end_limit);
  child_->kill();
  const int status = child_->status();
  child_.reset();
  if (!ended || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw base::error("the built-in simulator did not end well");
}

}  // namespace inferbench::calibration
