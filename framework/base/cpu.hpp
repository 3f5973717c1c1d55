// The CPU time of a thread, and its turn among other threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferbench::base {

struct thread_usage {
  std::uint64_t cpu_ns = 0;        // spent running
  std::uint64_t run_delay_ns = 0;  // ready, but waiting for a core; 0 if Linux does not say
};

/// The calling thread gives way, from here on, to threads that have not called this and want
/// the same core: feeding, collecting and reporting can wait, a stamp cannot. Its niceness is
/// 10 more than that of the main thread, as far as the system has room. Not for the main
/// thread.
void give_way() noexcept;

/// The calling thread gets a core soon after it wakes, from here on, and keeps it for 0.1 ms
/// while others want it, instead of waiting milliseconds until another thread's turn is over:
/// for threads that mostly wait for packets and times. Linux 6.12 and later (EEVDF,
/// sched_attr::sched_runtime), unprivileged; elsewhere, and under other policies than
/// SCHED_OTHER, nothing changes.
void take_short_turns() noexcept;

/// The times of the calling thread since it began. A call takes some microseconds: not for hot
/// paths.
[[nodiscard]] thread_usage usage_of_this_thread() noexcept;

/// The contents of a schedstat file ("running waiting slices", ns); nullopt if the text is
/// not of that form.
[[nodiscard]] std::optional<thread_usage> parse_schedstat(std::string_view text) noexcept;

}  // namespace inferbench::base
