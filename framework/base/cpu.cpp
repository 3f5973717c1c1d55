#include "base/cpu.hpp"

#include <array>
#include <charconv>
#include <ctime>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.hpp"

namespace inferbench::base {

namespace {

// The first version of Linux's struct sched_attr. It is declared here because the Linux header
// conflicts with the <sched.h> of some C libraries, and some systems lack the header.
struct scheduling {
  std::uint32_t size = sizeof(scheduling);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns = 0;
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};
static_assert(sizeof(scheduling) == 48);

bool ask(scheduling& of_this_thread) noexcept {
  return ::syscall(SYS_sched_getattr, 0, &of_this_thread, sizeof of_this_thread, 0) == 0;
}

}  // namespace

std::optional<thread_usage> parse_schedstat(std::string_view text) noexcept {
  thread_usage out;
  for (std::uint64_t* const value : {&out.cpu_ns, &out.run_delay_ns}) {
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *value);
    if (parsed.ec != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (text.empty() || (text.front() != ' ' && text.front() != '\n')) return std::nullopt;
    text.remove_prefix(1);
  }
  return out;
}

// On Linux each thread has its own niceness, and a thread without privileges cannot lower it again.
// The new niceness is relative to the niceness of the main thread, which the user may have chosen
// (`nice`). It is not relative to this thread's niceness, which is inherited from a thread that may
// have called give_way() already.
void give_way() noexcept {
  constexpr int niceness = 10;
  const int wanted = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid())) + niceness;
  const auto self = static_cast<id_t>(::gettid());
  if (::getpriority(PRIO_PROCESS, self) < wanted) ::setpriority(PRIO_PROCESS, self, wanted);
}

void take_short_turns() noexcept {
  constexpr std::uint64_t turn_ns = 100'000;  // the smallest value that Linux accepts
  scheduling now;
  if (!ask(now) || now.policy != SCHED_OTHER || now.runtime_ns <= turn_ns) return;
  now.runtime_ns = turn_ns;
  ::syscall(SYS_sched_setattr, 0, &now, 0);
}

thread_usage usage_of_this_thread() noexcept {
  thread_usage out;
  timespec spent{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0)
    out.cpu_ns = static_cast<std::uint64_t>(spent.tv_sec) * 1'000'000'000U +
                 static_cast<std::uint64_t>(spent.tv_nsec);
  const fd file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text{};
  if (!file) return out;
  const auto got = ::read(file.get(), text.data(), text.size());
  if (got <= 0) return out;
  if (const auto said = parse_schedstat({text.data(), static_cast<std::size_t>(got)}))
    out.run_delay_ns = said->run_delay_ns;
  return out;
}

}  // namespace inferbench::base
