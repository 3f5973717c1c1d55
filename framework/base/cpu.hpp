// The CPU time of a thread, and its priority among other threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferbench::base {

struct thread_usage {
  std::uint64_t cpu_ns = 0;        // the time that the thread has run
  std::uint64_t run_delay_ns = 0;  // the time that the thread was ready and waited for a core; 0 if
                                   // Linux does not report it
};

/// Lowers the priority of the calling thread: it gives way to threads that want the same core and
/// have not called this function. Feeding, collecting and reporting can wait, but a stamp cannot.
/// The niceness of the thread becomes 10 more than the niceness of the main thread, or the largest
/// value that the system allows. Do not call this on the main thread.
void give_way() noexcept;

/// Gives the calling thread short time slices of 0.1 ms. From now on the thread gets a core soon
/// after it wakes, instead of waiting milliseconds until the time slice of another thread is over.
/// For threads that mostly wait for packets and timers. Works on Linux 6.12 and later (EEVDF,
/// sched_attr::sched_runtime) without privileges. On other systems, and under other policies than
/// SCHED_OTHER, nothing changes.
void take_short_turns() noexcept;

/// The times of the calling thread since its start. A call takes some microseconds, so do not use
/// it on hot paths.
[[nodiscard]] thread_usage usage_of_this_thread() noexcept;

/// The contents of a schedstat file ("RUNNING WAITING SLICES", times in ns); nullopt if the text
/// does not have this form.
[[nodiscard]] std::optional<thread_usage> parse_schedstat(std::string_view text) noexcept;

}  // namespace inferbench::base
