// The supervisor process: what it does, and how the process that started it and the supervisor
// talk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace inferbench::supervise {

/// A socket. Each byte that the supervisor receives is the number of a signal for the program's
/// process group. The end of file means that the program shall end.
inline constexpr int control_fd = 3;
/// A pipe. The supervisor writes a supervisor_message for each event.
inline constexpr int report_fd = 4;

struct supervisor_message {
  enum class event : std::int32_t {
    started,  // value: the process id of the program
    refused,  // value: the errno of exec; nothing follows
    ended     // value: the wait status of the program; all processes are gone, nothing follows
  };
  event what = event::started;
  std::int32_t value = 0;
  std::uint64_t when_ns = 0;  // started: the monotonic clock right before the program's process was
                              // made
};

/// The main function of the supervisor, the hidden command `inferbench supervise`. `words`: the
/// program and its arguments. The program gets the standard streams of this process and no other
/// descriptor. Returns the exit status when the program and all processes that it has started are
/// gone. The calling process must have one thread. Throws base::error if the process was not
/// started by a supervised_process.
[[nodiscard]] int supervisor_main(std::vector<std::string> words);

}  // namespace inferbench::supervise
