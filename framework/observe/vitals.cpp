#include "observe/vitals.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

#include <unistd.h>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace inferbench::observe {

namespace {

namespace fs = std::filesystem;

// If the last part of the run is shorter than this, it is not measured: the resolution of the
// system's counters is too coarse.
constexpr std::uint64_t shortest_ns = base::ns_per_s / 2;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// The words of a line or file, separated by any white space.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  std::vector<std::string_view> out;
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

/// Whether `list`, for instance "cpu,cpuacct", contains `controller`.
bool controls(std::string_view list, std::string_view controller) {
  const auto names = base::split(list, ',');
  return std::ranges::find(names, controller) != names.end();
}

/// The paths of "cpu.stat" below `mount` for the group `path` and each of its parent groups,
/// innermost first.
std::vector<fs::path> chain(const fs::path& mount, std::string_view path) {
  std::vector<fs::path> out;
  for (fs::path group = fs::path(path).relative_path(); !group.empty(); group = group.parent_path())
    out.push_back(mount / group / "cpu.stat");
  out.push_back(mount / "cpu.stat");
  return out;
}

std::uint64_t process_cpu_ns() {
  timespec at{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at) != 0) return 0;
  return static_cast<std::uint64_t>(at.tv_sec) * base::ns_per_s +
         static_cast<std::uint64_t>(at.tv_nsec);
}

/// The growth of a counter; 0 if it was reset.
std::uint64_t growth(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

double share(std::uint64_t part_ns, std::uint64_t of_ns) {
  return std::min(static_cast<double>(part_ns) / static_cast<double>(of_ns), 1.0);
}

}  // namespace

std::optional<base::thread_usage> parse_stat(std::string_view text, std::uint64_t hz) {
  // The second field is the name in parentheses, which may itself contain parentheses and blanks.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || hz == 0) return std::nullopt;
  const auto words = words_of(text.substr(name_end + 1));
  constexpr std::size_t user = 11, system = 12;  // fields 14 and 15; field 3 is word 0
  if (words.size() <= system) return std::nullopt;
  const auto user_ticks = whole_number(words[user]);
  const auto system_ticks = whole_number(words[system]);
  if (!user_ticks || !system_ticks) return std::nullopt;
  return base::thread_usage{(*user_ticks + *system_ticks) * (base::ns_per_s / hz), 0};
}

std::optional<metrics::throttling> parse_cpu_stat(std::string_view text) {
  std::optional<metrics::throttling> out;
  for (const std::string_view line : base::split(text, '\n')) {
    const auto words = words_of(line);
    if (words.size() != 2) continue;
    const auto value = whole_number(words[1]);
    if (!value) continue;
    metrics::throttling found = out.value_or(metrics::throttling{});
    if (words[0] == "nr_throttled")
      found.periods = *value;
    else if (words[0] == "throttled_usec")
      found.ns = *value * base::ns_per_us;
    else if (words[0] == "throttled_time")  // control groups of version 1, in ns
      found.ns = *value;
    else
      continue;
    out = found;
  }
  return out;
}

std::vector<std::vector<fs::path>> cpu_stat_files(std::string_view text) {
  std::vector<std::vector<fs::path>> out;
  const fs::path mounts = "sys/fs/cgroup";
  for (const std::string_view line : base::split(text, '\n')) {
    // A line is "4:cpu,cpuacct:/group" for control groups of version 1, and "0::/group" for version
    // 2.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view group = line.substr(second + 1);
    if (controllers.empty()) {
      out.push_back(chain(mounts, group));
      out.push_back(chain(mounts / "unified", group));
    } else if (controls(controllers, "cpu")) {
      out.insert(out.begin(), chain(mounts / "cpu", group));
      out.insert(out.begin(), chain(mounts / std::string(controllers), group));
    }
  }
  return out;
}

vitals::vitals(fs::path root) : root_(std::move(root)) {
  const long ticks = ::sysconf(_SC_CLK_TCK);
  hz_ = ticks > 0 ? static_cast<std::uint64_t>(ticks) : 100;
}

void vitals::watch(std::span<const pid_t> threads, std::uint64_t now_ns) {
  threads_.clear();
  for (const pid_t id : threads)
    threads_.push_back({id, read_thread(id), {}});
  cpu_stats_.clear();
  for (const auto& files : cpu_stat_files(read("proc/self/cgroup").value_or(""))) {
    // In a container, the path may be the path on the host, but only its last part is mounted. So
    // only the files that exist are used.
    for (const fs::path& file : files)
      if (const auto text = read(file); text && parse_cpu_stat(*text)) cpu_stats_.push_back(file);
    if (!cpu_stats_.empty()) break;
  }
  began_ns_ = sampled_ns_ = now_ns;
  process_cpu_ns_ = process_cpu_ns();
  busiest_ = 0;
  throttled_ = read_throttling();
}

void vitals::sample(std::uint64_t now_ns) {
  if (growth(sampled_ns_, now_ns) >= base::ns_per_s) read_all(now_ns);
}

void vitals::finish(std::uint64_t now_ns, metrics::client_health& into) {
  if (growth(sampled_ns_, now_ns) >= shortest_ns) read_all(now_ns);
  into.loads.clear();
  for (const thread& t : threads_)
    into.loads.push_back(t.most);
  into.process_cpu_ns = growth(process_cpu_ns_, process_cpu_ns());
  into.wall_ns = growth(began_ns_, now_ns);
  into.cgroup.reset();
  const auto now = read_throttling();
  if (throttled_ && now)
    into.cgroup = metrics::throttling{growth(throttled_->periods, now->periods),
                                      growth(throttled_->ns, now->ns)};
}

void vitals::read_all(std::uint64_t now_ns) {
  const std::uint64_t wall = now_ns - sampled_ns_;
  sampled_ns_ = now_ns;
  busiest_ = 0;
  for (thread& t : threads_) {
    const auto now = read_thread(t.id);
    if (now && t.last) {
      const double used = share(growth(t.last->cpu_ns, now->cpu_ns), wall);
      busiest_ = std::max(busiest_, used);
      t.most.busiest_second = std::max(t.most.busiest_second, used);
      t.most.longest_wait = std::max(t.most.longest_wait,
                                     share(growth(t.last->run_delay_ns, now->run_delay_ns), wall));
    }
    if (now) t.last = now;
  }
}

std::optional<base::thread_usage> vitals::read_thread(pid_t id) const {
  const fs::path folder = fs::path("proc/self/task") / std::to_string(id);
  if (const auto text = read(folder / "schedstat"))
    if (const auto times = base::parse_schedstat(*text)) return times;
  if (const auto text = read(folder / "stat")) return parse_stat(*text, hz_);
  return std::nullopt;
}

std::optional<metrics::throttling> vitals::read_throttling() const {
  std::optional<metrics::throttling> sum;
  for (const fs::path& file : cpu_stats_) {
    const auto text = read(file);
    const auto one = text ? parse_cpu_stat(*text) : std::nullopt;
    if (!one) continue;
    if (!sum) sum.emplace();
    sum->periods += one->periods;
    sum->ns += one->ns;
  }
  return sum;
}

std::optional<std::string> vitals::read(const fs::path& file) const {
  std::ifstream in(root_ / file);
  if (!in) return std::nullopt;
  // A streambuf iterator would throw where a read fails, for instance in the file of a thread that
  // has ended since the file was opened.
  std::ostringstream out;
  out << in.rdbuf();
  if (out.bad()) return std::nullopt;
  return out.str();
}

}  // namespace inferbench::observe
