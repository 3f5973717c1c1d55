// The totals that each client of bench/, and canned_server, prints at its end: one line of JSON
// with the same members in all programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

#include <sys/resource.h>

namespace inferbench::bench {

struct totals {
  std::uint64_t requests = 0;       // requests with a complete answer
  std::uint64_t events = 0;         // events with a token: counted, or requests * --tokens
  std::uint64_t reads = 0;          // system calls, or completions of io_uring, that returned bytes
  std::uint64_t bytes = 0;          // received; sent by canned_server
  std::uint64_t prompt_tokens = 0;  // from the server's usage; 0 without --json
  double wall_s = 0;                // seconds from the first request to the end
};

[[nodiscard]] inline double seconds_of(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

/// Peak resident memory of this process in KiB; 0 if the system does not report it.
[[nodiscard]] inline std::uint64_t peak_rss_kib() {
  std::FILE* const file = std::fopen("/proc/self/status", "re");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long long kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "VmHWM: %llu", &kib) == 1) break;
  std::fclose(file);
  return kib;
}

/// Prints the totals, rates over all.wall_s (0 if it is 0), the CPU time of the whole process since
/// its start, and its peak memory, to standard output.
inline void print(const char* program, const totals& all) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const double user = seconds_of(used.ru_utime);
  const double kernel = seconds_of(used.ru_stime);
  const auto per = [](double what, std::uint64_t count, double unit) {
    return count == 0 ? 0.0 : what / static_cast<double>(count) * unit;
  };
  const auto rate = [&](std::uint64_t count) {
    return all.wall_s > 0 ? static_cast<double>(count) / all.wall_s : 0.0;  // JSON has no NaN
  };
  std::printf(
      "{\"program\": \"%s\", \"requests\": %llu, \"events\": %llu, \"reads\": %llu, "
      "\"bytes\": %llu, \"prompt_tokens\": %llu, \"wall_s\": %.6f, \"user_s\": %.6f, "
      "\"system_s\": %.6f, \"cpu_s\": %.6f, \"cpu_s_per_million_events\": %.4f, "
      "\"cpu_us_per_request\": %.3f, \"events_per_s\": %.0f, \"requests_per_s\": %.0f, "
      "\"rss_kib\": %llu}\n",
      program, static_cast<unsigned long long>(all.requests),
      static_cast<unsigned long long>(all.events), static_cast<unsigned long long>(all.reads),
      static_cast<unsigned long long>(all.bytes),
      static_cast<unsigned long long>(all.prompt_tokens), all.wall_s, user, kernel, user + kernel,
      per(user + kernel, all.events, 1e6), per(user + kernel, all.requests, 1e6), rate(all.events),
      rate(all.requests), static_cast<unsigned long long>(peak_rss_kib()));
}

}  // namespace inferbench::bench
