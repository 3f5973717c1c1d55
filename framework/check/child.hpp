// Runs a test in a separate process: starts the process, reads its answer, and ends the process
// when its time limit has passed.
#pragma once

#include <string>
#include <vector>

#include "check/outcome.hpp"
#include "check/task.hpp"

namespace inferbench::check {

/// An environment variable for a child that measures its heap. It turns off malloc's caches for
/// each thread, so that malloc's count of allocated bytes is exact.
inline constexpr const char* exact_heap_variable = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0";

/// Runs the test that `given` names in a child process. The child's command line is `words` and the
/// task as one more word, and the child must call child_main(). Throws base::error if the child
/// cannot be started.
[[nodiscard]] outcome run_in_child(const task& given, const std::vector<std::string>& words);

/// Runs the test in this process.
[[nodiscard]] outcome run_here(const task& given);

/// The main function of the child: runs the task `text` and returns the exit status. If a thread of
/// the plugin is still busy, this function ends the process instead, so that no destructor runs at
/// the same time as that thread.
[[nodiscard]] int child_main(const std::string& text);

/// The reason why a child has died: the last report of a crash or of a sanitizer in its output,
/// such as "Segmentation fault: crash inside backend x 1.0.0, on_message"; otherwise a description
/// of `status`, the wait status of waitpid().
[[nodiscard]] std::string cause_of_death(int status, const std::string& output);

}  // namespace inferbench::check
