// Runs work on several threads, before a run begins or between its requests.
#pragma once

#include <cstddef>
#include <functional>

namespace inferbench::prompts {

/// Calls `work` once with each number below `count`, on this thread and at most `threads - 1` other
/// threads. The other threads run with lower priority (base::give_way). Each thread takes the next
/// number when its call returns. Returns after all calls have returned. If the system cannot start
/// more threads, the running threads do all the work. Several threads call `work` at the same time;
/// it must not throw.
void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t)>& work) noexcept;

}  // namespace inferbench::prompts
