// Parallel work, before a run has begun or between its requests.
#pragma once

#include <cstddef>
#include <functional>

namespace inferbench::prompts {

/// Calls `work` once with each number below `count`, on this thread and at most `threads - 1`
/// others, which give way (base::give_way); each thread takes the next number when it has finished
/// one. Returns when all calls have returned. If the system has no more threads, the started
/// threads do all the work. `work` is called by several threads at a time and must not throw.
void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t)>& work) noexcept;

}  // namespace inferbench::prompts
