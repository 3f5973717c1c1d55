#include "run/pacing.hpp"

#include <cstdlib>
#include <ctime>
#include <limits>

#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::run {
namespace {

constexpr double all_at_once = std::numeric_limits<double>::infinity();

config::load load_of(double rate) {
  config::load load;
  load.traffic = schedule::of_rate(rate);
  return load;
}

TEST(start_lines, are_upstream_s) {
  EXPECT_EQ(start_lines(load_of(all_at_once), false),
            "Starting main benchmark run...\n"
            "Traffic request rate: inf\n"
            "Burstiness factor: 1.0 (Poisson process)\n"
            "Maximum request concurrency: None\n");
  config::load load = load_of(10);
  load.burstiness = 0.5;
  load.max_concurrency = 7;
  EXPECT_EQ(start_lines(load, false),
            "Starting main benchmark run...\n"
            "Traffic request rate: 10.0\n"
            "Burstiness factor: 0.5 (Gamma distribution)\n"
            "Maximum request concurrency: 7\n");
}

TEST(start_lines, tell_of_a_ramp_instead_of_the_rate) {
  config::load load = load_of(all_at_once);
  load.traffic = schedule::ramp{false, 1, 50};
  EXPECT_EQ(start_lines(load, false),
            "Starting main benchmark run...\n"
            "Traffic ramp-up strategy: linear.\n"
            "Will increase RPS from 1 to 50 RPS over the duration of the benchmark.\n"
            "Burstiness factor: 1.0 (Poisson process)\n"
            "Maximum request concurrency: None\n");
  load.traffic = schedule::ramp{true, 0.5, 1000000};
  EXPECT_NE(start_lines(load, false)
                .find("strategy: exponential.\n"
                      "Will increase RPS from 0.5 to 1000000 RPS "),
            std::string::npos);
}

TEST(start_lines, tell_how_long_requests_are_sent) {
  config::load load = load_of(10);
  load.duration_ns = 90'000'000'000;
  EXPECT_EQ(start_lines(load, false),
            "Starting main benchmark run...\n"
            "Traffic request rate: 10.0\n"
            "Burstiness factor: 1.0 (Poisson process)\n"
            "Maximum request concurrency: None\n"
            "Requests are sent for 90s.\n");
}

TEST(start_lines, of_a_trace_describe_only_its_times) {
  config::load load = load_of(all_at_once);
  load.probe_rate = 2;
  EXPECT_EQ(start_lines(load, true),
            "Starting main benchmark run...\n"
            "Requests are sent at the times of the trace.\n"
            "Probe request rate: 2.0 req/s\n");
}

TEST(self_timed, is_the_default_for_a_dataset_with_times) {
  config::load load = load_of(3);
  EXPECT_TRUE(self_timed(load, IFB_DATASET_ARRIVALS | IFB_DATASET_SHUFFLE));
  EXPECT_FALSE(self_timed(load, IFB_DATASET_SHUFFLE));
  load.self_timed = true;
  EXPECT_TRUE(self_timed(load, IFB_DATASET_ARRIVALS));
  load.self_timed = false;
  EXPECT_FALSE(self_timed(load, IFB_DATASET_ARRIVALS));
}

TEST(pace_of, is_the_plan_s) {
  config::load load = load_of(3);
  load.burstiness = 2;
  EXPECT_EQ(pace_of(load, 5).traffic, schedule::pattern(schedule::constant{3}));
  EXPECT_EQ(pace_of(load, 5).burstiness, 2);
  EXPECT_EQ(pace_of(load, 5).seed, 5U);
  load.traffic = schedule::ramp{true, 1, 4};
  EXPECT_EQ(pace_of(load, 5).traffic, schedule::pattern(schedule::ramp{true, 1, 4}));
}

/// Sets the time zone of this process to `zone` for its lifetime.
class local_zone {
 public:
  explicit local_zone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  local_zone(const local_zone&) = delete;
  local_zone& operator=(const local_zone&) = delete;
  ~local_zone() {
    if (before_.empty())
      ::unsetenv("TZ");
    else
      ::setenv("TZ", before_.c_str(), 1);
    ::tzset();
  }

 private:
  std::string before_;
};

constexpr std::int64_t some_time = 1'700'000'000'000'123'999;

TEST(local_time, is_iso_without_a_zone_and_has_microseconds) {
  const local_zone zone("XYZ-2");
  EXPECT_EQ(local_time(some_time), "2023-11-15T00:13:20.000123");
}

TEST(change_events, have_the_times_at_which_they_were_due) {
  const local_zone zone("UTC0");
  const std::vector<schedule::rate_change> changes{{1, 0}, {2, 1'500'000'000}, {3, 9'000'000'000}};
  EXPECT_EQ(change_events(changes, some_time, 10'000'000'000),
            R"([{"rps": 1, "timestamp": "2023-11-14T22:13:20.000123"}, )"
            R"({"rps": 2, "timestamp": "2023-11-14T22:13:21.500123"}, )"
            R"({"rps": 3, "timestamp": "2023-11-14T22:13:29.000123"}])");
}

TEST(change_events, end_with_the_run) {
  const std::vector<schedule::rate_change> changes{{1, 0}, {2, 1'500'000'000}, {3, 9'000'000'000}};
  const auto json = base::parse_json(change_events(changes, some_time, 2'000'000'000), "t");
  EXPECT_EQ(json.Size(), 2U);
}

}  // namespace
}  // namespace inferbench::run
