// The system's view of the client: how much of a core each of its threads used, how long it waited
// for a core, and whether its control group was throttled. Read once a second during the traffic,
// on main's thread. If the system does not provide a value (no /proc, no control groups), the value
// stays 0 or unset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/cpu.hpp"
#include "metrics/health.hpp"

namespace inferbench::observe {

/// Parses /proc/self/task/TID/stat, for kernels without schedstat. Times in the file are in clock
/// ticks of 1/`hz` s. nullopt if `text` has another format.
[[nodiscard]] std::optional<base::thread_usage> parse_stat(std::string_view text, std::uint64_t hz);
/// Parses cpu.stat of a control group, version 1 or 2. Returns the throttling since the group was
/// created; nullopt if the file does not contain it, as in the root group.
[[nodiscard]] std::optional<metrics::throttling> parse_cpu_stat(std::string_view text);

/// The possible paths of this process' cpu.stat, from the text of /proc/self/cgroup, the most
/// likely path first. Each element starts with the path for the process' control group and
/// continues with the paths for its parent groups. The parents are needed because a throttled group
/// stops its child groups, and the children do not count this as their own throttling.
[[nodiscard]] std::vector<std::vector<std::filesystem::path>> cpu_stat_files(std::string_view text);

class vitals {
 public:
  /// `root`: the folder that contains proc and sys; tests use their own folder.
  explicit vitals(std::filesystem::path root = "/");

  /// Call this when the traffic begins: measures these threads from now on.
  void watch(std::span<const pid_t> threads, std::uint64_t now_ns);
  /// Call this often; it reads the values once a second. For a thread that has ended, its latest
  /// values are kept.
  void sample(std::uint64_t now_ns);
  /// The largest share of a core, 0..1, that a thread used between the latest two readings; 0
  /// before the second reading.
  [[nodiscard]] double busiest() const noexcept { return busiest_; }
  /// Call this when the traffic is over: fills in loads, process_cpu_ns, wall_ns and cgroup.
  void finish(std::uint64_t now_ns, metrics::client_health& into);

 private:
  struct thread {
    pid_t id = 0;
    std::optional<base::thread_usage> last;
    metrics::worker_load most;
  };

  void read_all(std::uint64_t now_ns);
  [[nodiscard]] std::optional<base::thread_usage> read_thread(pid_t id) const;
  [[nodiscard]] std::optional<metrics::throttling> read_throttling() const;
  [[nodiscard]] std::optional<std::string> read(const std::filesystem::path& file) const;

  std::filesystem::path root_;
  std::uint64_t hz_;
  std::vector<thread> threads_;
  std::vector<std::filesystem::path> cpu_stats_;
  std::uint64_t began_ns_ = 0;
  std::uint64_t sampled_ns_ = 0;
  std::uint64_t process_cpu_ns_ = 0;
  double busiest_ = 0;
  std::optional<metrics::throttling> throttled_;  // value at the start of the traffic
};

}  // namespace inferbench::observe
