#include "observe/vitals.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::observe {
namespace {

using base::ns_per_ms;
using base::ns_per_s;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

/// A simulated /proc and /sys.
class machine {
 public:
  void write(const std::string& path, const std::string& text) const { files.write(path, text); }
  void thread(pid_t id, std::uint64_t cpu_ns, std::uint64_t waited_ns) const {
    write("proc/self/task/" + std::to_string(id) + "/schedstat",
          std::to_string(cpu_ns) + " " + std::to_string(waited_ns) + " 17\n");
  }

  support::temporary_folder files;
  const fs::path& root = files.root;
};

TEST(parse_stat, finds_the_times_after_any_name) {
  const auto t = parse_stat(
      "4711 (a) R (b)) S 1 2 3 0 -1 4194304 98 0 0 0 250 150 0 0 20 0 1 0 125 3133440 390\n", 100);
  ASSERT_TRUE(t);
  EXPECT_EQ(t->cpu_ns, 4 * ns_per_s);
  EXPECT_EQ(t->run_delay_ns, 0U);
  for (const char* bad : {"", "1 (a) R 1 2", "1 a R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
                          "1 (a) R 1 2 3 4 5 6 7 8 9 10 x 12 13"})
    EXPECT_FALSE(parse_stat(bad, 100)) << bad;
  EXPECT_FALSE(parse_stat("1 (a) R 1 2 3 4 5 6 7 8 9 10 11 12 13", 0));
}

TEST(parse_cpu_stat, reads_both_versions) {
  const auto two = parse_cpu_stat(
      "usage_usec 5\nuser_usec 4\nnr_periods 10\nnr_throttled 3\nthrottled_usec 2500\n");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->periods, 3U);
  EXPECT_EQ(two->ns, 2'500'000U);
  const auto one = parse_cpu_stat("nr_periods 10\nnr_throttled 4\nthrottled_time 77\n");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->periods, 4U);
  EXPECT_EQ(one->ns, 77U);
}

TEST(parse_cpu_stat, a_text_without_throttling_counts_has_no_result) {
  for (const char* text : {"", "usage_usec 5\nuser_usec 4\n", "nr_throttled\n", "nr_throttled x\n",
                           "nr_throttled 1 2\n", "\n\n\n"})
    EXPECT_FALSE(parse_cpu_stat(text)) << text;
}

TEST(cpu_stat_files, version_two_has_one_line) {
  EXPECT_THAT(cpu_stat_files("0::/a.slice/b.scope\n"),
              ElementsAre(ElementsAre("sys/fs/cgroup/a.slice/b.scope/cpu.stat",
                                      "sys/fs/cgroup/a.slice/cpu.stat", "sys/fs/cgroup/cpu.stat"),
                          ElementsAre("sys/fs/cgroup/unified/a.slice/b.scope/cpu.stat",
                                      "sys/fs/cgroup/unified/a.slice/cpu.stat",
                                      "sys/fs/cgroup/unified/cpu.stat")));
}

TEST(cpu_stat_files, the_cpu_controller_of_version_one_comes_first) {
  const auto files = cpu_stat_files("9:cpuset:/x\n4:cpu,cpuacct:/docker/1f\n0::/\n");
  ASSERT_EQ(files.size(), 4U);
  EXPECT_THAT(files[0], ElementsAre("sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.stat",
                                    "sys/fs/cgroup/cpu,cpuacct/docker/cpu.stat",
                                    "sys/fs/cgroup/cpu,cpuacct/cpu.stat"));
  EXPECT_EQ(files[1].front(), "sys/fs/cgroup/cpu/docker/1f/cpu.stat");
  EXPECT_THAT(files[2], ElementsAre("sys/fs/cgroup/cpu.stat"));
}

TEST(cpu_stat_files, lines_that_are_not_groups_are_left_out) {
  for (const char* text : {"", "\n", "nonsense", "1:cpuset:/a", "1:xcpu:/a", "1"})
    EXPECT_THAT(cpu_stat_files(text), IsEmpty()) << text;
}

TEST(vitals, the_busiest_second_and_the_longest_wait_of_each_thread_are_kept) {
  const machine m;
  m.thread(10, 1000 * ns_per_ms, 0);
  m.thread(11, 0, 500 * ns_per_ms);
  vitals v(m.root);
  v.watch(std::array<pid_t, 2>{10, 11}, 100 * ns_per_s);
  m.thread(10, 1900 * ns_per_ms, 0);
  m.thread(11, 10 * ns_per_ms, 700 * ns_per_ms);
  v.sample(100 * ns_per_s + 999 * ns_per_ms);  // less than a second later, so nothing is read
  m.thread(10, 2200 * ns_per_ms, 0);
  v.sample(102 * ns_per_s);  // 1.2 of 2 s, and 0.2 of 2 s
  m.thread(10, 2500 * ns_per_ms, 0);
  m.thread(11, 10 * ns_per_ms, 1000 * ns_per_ms);
  v.sample(103 * ns_per_s);  // 0.3 s each in 1 s
  metrics::client_health health;
  v.finish(103 * ns_per_s + 499 * ns_per_ms, health);
  ASSERT_EQ(health.loads.size(), 2U);
  EXPECT_DOUBLE_EQ(health.loads[0].busiest_second, 0.6);
  EXPECT_DOUBLE_EQ(health.loads[0].longest_wait, 0);
  EXPECT_DOUBLE_EQ(health.loads[1].busiest_second, 0.005);
  EXPECT_DOUBLE_EQ(health.loads[1].longest_wait, 0.3);
  EXPECT_EQ(health.wall_ns, 3499 * ns_per_ms);
}

TEST(vitals, the_last_part_of_a_second_counts_when_it_is_half_of_one) {
  const machine m;
  m.thread(10, 0, 0);
  const auto busiest = [&](std::uint64_t ms) {
    m.thread(10, 0, 0);
    vitals v(m.root);
    v.watch(std::array<pid_t, 1>{10}, ns_per_s);
    m.thread(10, 400 * ns_per_ms, 0);
    metrics::client_health health;
    v.finish(ns_per_s + ms * ns_per_ms, health);
    return health.loads.at(0).busiest_second;
  };
  EXPECT_DOUBLE_EQ(busiest(500), 0.8);
  EXPECT_DOUBLE_EQ(busiest(499), 0);
}

TEST(vitals, a_thread_that_has_ended_keeps_its_times) {
  const machine m;
  m.thread(10, 0, 0);
  vitals v(m.root);
  v.watch(std::array<pid_t, 1>{10}, 0);
  m.thread(10, 250 * ns_per_ms, 0);
  v.sample(ns_per_s);
  fs::remove_all(m.root / "proc/self/task/10");
  v.sample(2 * ns_per_s);
  metrics::client_health health;
  v.finish(3 * ns_per_s, health);
  EXPECT_DOUBLE_EQ(health.loads.at(0).busiest_second, 0.25);
}

// A folder in the place of the file: it can be opened, but not read, like the file of a thread that
// ends between the two.
TEST(vitals, a_file_that_cannot_be_read_is_as_good_as_none) {
  const machine m;
  fs::create_directories(m.root / "proc/self/task/10/schedstat");
  vitals v(m.root);
  v.watch(std::array<pid_t, 1>{10}, 0);
  metrics::client_health health;
  v.finish(ns_per_s, health);
  EXPECT_DOUBLE_EQ(health.loads.at(0).busiest_second, 0);
}

TEST(vitals, without_schedstat_the_ticks_of_stat_are_read) {
  const machine m;
  const auto ticks = [&](int n) {
    m.write("proc/self/task/10/stat",
            "10 (w) R 1 2 3 0 -1 4 9 0 0 0 " + std::to_string(n) + " 0 0 0 20 0 1 0 1 3 3\n");
  };
  ticks(100);
  vitals v(m.root);
  v.watch(std::array<pid_t, 1>{10}, 0);
  ticks(100 + static_cast<int>(::sysconf(_SC_CLK_TCK)) / 2);
  metrics::client_health health;
  v.finish(ns_per_s, health);
  EXPECT_DOUBLE_EQ(health.loads.at(0).busiest_second, 0.5);
}

TEST(vitals, throttling_counts_from_the_start_of_the_traffic) {
  const machine m;
  m.write("proc/self/cgroup", "0::/pod/app\n");
  m.write("sys/fs/cgroup/pod/app/cpu.stat", "usage_usec 1\nnr_throttled 5\nthrottled_usec 900\n");
  m.write("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
  vitals v(m.root);
  v.watch({}, 0);
  m.write("sys/fs/cgroup/pod/app/cpu.stat", "usage_usec 1\nnr_throttled 7\nthrottled_usec 1000\n");
  metrics::client_health health;
  v.finish(ns_per_s, health);
  ASSERT_TRUE(health.cgroup);
  EXPECT_EQ(health.cgroup->periods, 2U);
  EXPECT_EQ(health.cgroup->ns, 100'000U);
}

TEST(vitals, a_throttled_group_around_ours_counts_too) {
  const machine m;
  m.write("proc/self/cgroup", "0::/pod/app\n");
  m.write("sys/fs/cgroup/pod/app/cpu.stat", "nr_throttled 1\nthrottled_usec 10\n");
  m.write("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 1\nthrottled_usec 10\n");
  vitals v(m.root);
  v.watch({}, 0);
  m.write("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 4\nthrottled_usec 40\n");
  metrics::client_health health;
  v.finish(ns_per_s, health);
  ASSERT_TRUE(health.cgroup);
  EXPECT_EQ(health.cgroup->periods, 3U);
  EXPECT_EQ(health.cgroup->ns, 30'000U);
}

TEST(vitals, a_container_sees_its_group_at_the_mount) {
  const machine m;
  m.write("proc/self/cgroup", "3:cpu,cpuacct:/docker/1f\n0::/\n");
  m.write("sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_throttled 0\nthrottled_time 0\n");
  vitals v(m.root);
  v.watch({}, 0);
  m.write("sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_throttled 1\nthrottled_time 5\n");
  metrics::client_health health;
  v.finish(ns_per_s, health);
  ASSERT_TRUE(health.cgroup);
  EXPECT_EQ(health.cgroup->ns, 5U);
}

TEST(vitals, a_system_without_these_files_is_not_an_error) {
  const machine m;
  vitals v(m.root);
  v.watch(std::array<pid_t, 1>{10}, 5);
  v.sample(2 * ns_per_s);
  metrics::client_health health;
  v.finish(3 * ns_per_s + 5, health);
  EXPECT_EQ(health.loads.at(0).busiest_second, 0);
  EXPECT_FALSE(health.cgroup);
  EXPECT_EQ(health.wall_ns, 3 * ns_per_s);
}

TEST(vitals, files_with_invalid_content_are_not_an_error) {
  const machine m;
  m.write("proc/self/cgroup", std::string("0:\n::\n\0:cpu:/../../x\n", 21));
  m.write("proc/self/task/10/schedstat", "what");
  m.write("proc/self/task/10/stat", "))))((");
  vitals v(m.root);
  v.watch(std::array<pid_t, 1>{10}, 0);
  v.sample(ns_per_s);
  metrics::client_health health;
  v.finish(2 * ns_per_s, health);
  EXPECT_EQ(health.loads.at(0).busiest_second, 0);
}

TEST(vitals, this_machine_reports_the_cpu_time_of_the_process) {
  vitals v;
  v.watch(std::array<pid_t, 1>{::getpid()}, 0);
  volatile unsigned sink = 0;
  for (unsigned i = 0; i < 1'000'000; ++i)
    sink = sink + i;
  metrics::client_health health;
  v.finish(ns_per_s, health);
  EXPECT_GT(health.process_cpu_ns, 0U);
}

}  // namespace
}  // namespace inferbench::observe
