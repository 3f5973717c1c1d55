#include "experiment/foreground_command.hpp"

#include <chrono>
#include <cstddef>
#include <string_view>

#include "experiment/sweep_failures.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::experiment {

namespace {

constexpr auto look_up_interval = std::chrono::milliseconds(100);
constexpr std::size_t shown_last_lines = 20;

}  // namespace

command_end run_in_foreground(const std::vector<std::string>& words,
                              const command_surroundings& with) {
  if (with.stop) throw stopped_sweep();
  supervise::supervised_process child(
      {.words = words, .on_text = [&with](supervise::stream from, std::string_view text) {
         if (from == supervise::stream::error || with.show_stdout) with.console.pass_on(from, text);
       }});
  for (;;) {
    const auto status = child.wait_until(supervise::supervised_process::time_point::clock::now() +
                                         look_up_interval);
    if (status) return {*status, child.last_lines(shown_last_lines)};
    // The destructor of `child` ends the command.
    if (with.stop) throw stopped_sweep();
    if (with.meanwhile) with.meanwhile();
  }
}

}  // namespace inferbench::experiment
