#include "experiment/foreground_command.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_failures.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::experiment {

namespace {

constexpr auto look_up_interval = std::chrono::milliseconds(100);
constexpr std::size_t shown_last_lines = 20;

std::unique_ptr<supervise::supervised_process> started(const std::vector<std::string>& words,
                                                       const command_surroundings& with) {
  if (const std::string why = why_too_long(words); !why.empty())
    throw failed_run(python_exception(E2BIG), why);
  try {
    return std::make_unique<supervise::supervised_process>(supervise::program{
        .words = words, .on_text = [&with](supervise::stream from, std::string_view text) {
          if (from == supervise::stream::error || with.show_stdout)
            with.console.pass_on(from, text);
        }});
  } catch (const base::error& e) {
    throw failed_run(python_exception(program_obstacle(words.front())), e.message());
  }
}

}  // namespace

command_end run_in_foreground(const std::vector<std::string>& words,
                              const command_surroundings& with) {
  if (with.stop) throw stopped_sweep();
  const auto child = started(words, with);
  for (;;) {
    const auto status = child->wait_until(supervise::supervised_process::time_point::clock::now() +
                                          look_up_interval);
    if (status) return {*status, child->last_lines(shown_last_lines)};
    // The destructor of `child` ends the command.
    if (with.stop) throw stopped_sweep();
    if (with.meanwhile) with.meanwhile();
  }
}

}  // namespace inferbench::experiment
