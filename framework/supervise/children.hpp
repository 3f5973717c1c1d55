// The child processes of this process, adopted ones included. For a process with one thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace inferbench::supervise {

/// A process as a line of /proc/ID/stat describes it.
struct process_entry {
  pid_t id = 0;
  std::string name;  // of the executable file, at most 15 bytes
  char state = '?';  // 'Z': it has ended and waits for waitpid()
  pid_t parent = 0;
};

/// Parses "123 (a name) S 1 ...". The name may contain blanks and parentheses. An entry with id 0
/// if the text has another form.
[[nodiscard]] process_entry parse_process(std::string_view stat);

/// The children of this process that have not ended. Reads all of /proc, because the kernel has
/// the file /proc/ID/task/ID/children only if it was built with CONFIG_PROC_CHILDREN.
[[nodiscard]] std::vector<process_entry> living_children();

/// Kills the children of this process with SIGKILL, again and again, and reaps them, until there is
/// none. If this process is a subreaper, it adopts the children of a process that it kills, so all
/// descendants end. Gives up on processes that may not be killed (of another user) and on processes
/// that /proc does not show when nothing else has happened for `patience`, and returns them.
/// SIGCHLD must be blocked. `status` gets the wait status of the process `wanted`.
[[nodiscard]] std::vector<process_entry> end_children(pid_t wanted, int& status,
                                                      std::chrono::milliseconds patience);

}  // namespace inferbench::supervise
