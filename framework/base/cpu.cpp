#include "base/cpu.hpp"

#include <array>
#include <charconv>
#include <ctime>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.hpp"

namespace inferbench::base {

std::optional<std::uint64_t> run_delay_of(std::string_view schedstat) noexcept {
  const auto gap = schedstat.find(' ');
  if (gap == std::string_view::npos) return std::nullopt;
  const std::string_view rest = schedstat.substr(gap + 1);
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return value;
}

// On Linux a niceness belongs to a thread; no thread may take it back unprivileged.
void give_way() noexcept {
  constexpr int politeness = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), politeness);
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
  if (got > 0)
    out.run_delay_ns = run_delay_of({text.data(), static_cast<std::size_t>(got)}).value_or(0);
  return out;
}

}  // namespace inferbench::base
