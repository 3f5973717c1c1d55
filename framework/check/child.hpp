// A test in a process of its own: the process is started, its answer read, and it is ended when
// its time is up.
#pragma once

#include <string>
#include <vector>

#include "check/outcome.hpp"
#include "check/task.hpp"

namespace inferbench::check {

/// In the environment of a child that watches its heap: without a cache for each thread
/// malloc's own count of allocated bytes is exact.
inline constexpr const char* exact_heap_variable = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0";

/// Runs the test that `given` names in a child process. The child is started with `words` and
/// the task as one more word, and must call child_main(). Throws base::error when the child
/// cannot be started.
[[nodiscard]] outcome run_in_child(const task& given, const std::vector<std::string>& words);

/// Runs the test in this process.
[[nodiscard]] outcome run_here(const task& given);

/// The child's side: `text` is the task. Returns the exit status. Where a thread of the plugin
/// is still busy it ends the process instead, so that no destructor runs beside that thread.
[[nodiscard]] int child_main(const std::string& text);

/// Why a child that ended with `status` (of waitpid) has died, by its output: "Segmentation
/// fault: crash inside backend x 1.0.0, on_message".
[[nodiscard]] std::string cause_of_death(int status, const std::string& output);

}  // namespace inferbench::check
