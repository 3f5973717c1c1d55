// What the system says about the CPU time of a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferbench::base {

struct thread_usage {
  std::uint64_t cpu_ns = 0;        // spent running
  std::uint64_t run_delay_ns = 0;  // ready, but waiting for a core; 0 where Linux does not say
};

/// From here on this thread gives way to those that did not say so, where they want the
/// same core: feeding, collecting and reporting can wait, a stamp cannot. Its niceness is 10 more
/// than that of the main thread, as far as there is room below. Not for the main thread.
void give_way() noexcept;

/// From here on this thread gets a core soon after it wakes, and keeps it for 0.1 ms while others
/// want it, instead of waiting for some ms until another's turn is over: for threads that mostly
/// wait for packets and times. Linux 6.12 and later (EEVDF, sched_attr::sched_runtime),
/// unprivileged; elsewhere, and under other policies than SCHED_OTHER, nothing changes.
void take_short_turns() noexcept;

/// Since the thread began. Some microseconds: not for hot paths.
[[nodiscard]] thread_usage usage_of_this_thread() noexcept;

/// What a schedstat file says ("running waiting slices", ns); nothing where it is none.
[[nodiscard]] std::optional<thread_usage> parse_schedstat(std::string_view text) noexcept;

}  // namespace inferbench::base
