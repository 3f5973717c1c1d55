// A test in a process of its own: started, read, and ended when its time is up.
#pragma once

#include <string>
#include <vector>

#include "check/outcome.hpp"
#include "check/task.hpp"

namespace inferbench::check {

/// In the environment of a child that watches its heap: without a cache for each thread
/// malloc's own count of what is in use is exact.
inline constexpr const char* exact_heap_variable = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0";

/// Runs the test that `given` names in a child that is started with `words` and the task
/// as one more word; it must end in child_main(). Throws base::error when it cannot be
/// started.
[[nodiscard]] outcome run_in_child(const task& given, const std::vector<std::string>& words);

/// Runs it here.
[[nodiscard]] outcome run_here(const task& given);

/// The child's side: `text` is the task. Returns the exit status, or does not return: where
/// something of the plugin is still busy the process ends here, with no destructor beside it.
[[nodiscard]] int child_main(const std::string& text);

/// What a child that ended with `status` (of waitpid) is to be told to have died of, from
/// what it wrote: "Segmentation fault: crash inside backend x 1.0.0, on_message".
[[nodiscard]] std::string cause_of_death(int status, const std::string& output);

}  // namespace inferbench::check
