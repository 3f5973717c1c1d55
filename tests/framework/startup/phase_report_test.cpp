#include "startup/phase_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "offline/result_file.hpp"
#include "support/golden.hpp"

namespace inferbench::startup {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t start_of_2026_ns = 1'767'225'600'000'000'000;

/// A start with phases that end after so many milliseconds; the last phase begins 1 ms late, as a
/// request does. A negative end: the phase is missing.
start_sample scripted_sample(std::int64_t listening, std::int64_t ready, std::int64_t token) {
  const auto at = [](std::int64_t ms) { return start_of_2026_ns + ms * 1'000'000; };
  start_sample out;
  out.startup_s = static_cast<double>(ready) / 1000;
  out.phases = {{"listening", false, at(0), at(listening), 0.001},
                {"ready", false, at(listening), at(ready), 0.002},
                {"first_token", token < 0, at(ready + 1), at(token), 0}};
  return out;
}

startup_outcome scripted_outcome() {
  startup_outcome out;
  out.cold = {scripted_sample(1000, 9000, 9501), scripted_sample(1100, 9300, 9701),
              scripted_sample(1200, 9600, -1)};
  out.warm = {scripted_sample(900, 3000, 3201)};
  out.variables = {"VLLM_CACHE_ROOT", "TRITON_CACHE_DIR"};
  out.used = {"TRITON_CACHE_DIR"};
  return out;
}

std::string phase_file(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/startup/" + name;
}

TEST(phase_report, the_table_is_that_of_its_golden_file) {
  support::expect_golden(phase_text(scripted_outcome()), phase_file("phases.txt"));
}

TEST(phase_report, the_members_of_the_result_are_those_of_its_golden_file) {
  options::node about = options::node::table();
  about.set("form", options::node::of(std::string("server")));
  support::expect_golden(offline::result_text(phase_json(scripted_outcome(), about)),
                         phase_file("phases.json"));
}

TEST(phase_report, a_phase_has_the_times_of_the_starts_that_have_it) {
  const std::vector<phase_series> found = series_of_phases(scripted_outcome());
  ASSERT_THAT(found, SizeIs(8));
  EXPECT_EQ(found[0].state + " " + found[0].name, "cold listening");
  EXPECT_THAT(found[0].times_s, ElementsAre(1.0, 1.1, 1.2));
  EXPECT_EQ(found[2].name, "first_token");
  EXPECT_THAT(found[2].times_s, ElementsAre(0.5, 0.4));
  EXPECT_EQ(found[3].name, "total");
  EXPECT_THAT(found[3].times_s, ElementsAre(9.501, 9.701));
  EXPECT_EQ(found[4].state, "warm");
}

TEST(phase_report, the_total_is_as_uncertain_as_its_last_event) {
  startup_outcome out;
  out.cold = {scripted_sample(1000, 2000, -1)};
  out.cold.front().phases.pop_back();
  const std::vector<phase_series> found = series_of_phases(out);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[2].name, "total");
  EXPECT_THAT(found[2].uncertainty_s, DoubleEq(0.002));
}

TEST(phase_report, one_start_has_no_interval) {
  startup_outcome one;
  one.warm = scripted_outcome().warm;
  const options::node found = phase_json(one);
  for (const options::node& phase : found.find("phases")->items)
    EXPECT_TRUE(phase.find("interval_s")->is(options::node::kind::null));
  EXPECT_EQ(found.find("last_cold_start"), nullptr);
}

TEST(phase_report, of_starts_without_phases_is_empty) {
  startup_outcome out;
  out.cold = {start_sample{.startup_s = 2}};
  EXPECT_EQ(phase_text(out), "");
  EXPECT_THAT(phase_json(out).find("phases")->items, IsEmpty());
  EXPECT_FALSE(whole_time(out.cold.front()));
}

TEST(phase_report, a_phase_that_never_happened_is_not_a_time) {
  startup_outcome out;
  out.cold = {scripted_sample(1000, 2000, -1)};
  EXPECT_THAT(phase_text(out), testing::HasSubstr("cold first token       0   not measured\n"));
  EXPECT_FALSE(whole_time(out.cold.front()));
}

TEST(phase_list, ends_with_the_last_phase_that_happened) {
  const options::node whole = phase_list(scripted_sample(1000, 2000, 2501));
  EXPECT_THAT(whole.find("total_phase_time_s")->real, DoubleEq(2.5));
  EXPECT_THAT(whole.find("wall_clock_startup_s")->real, DoubleEq(2.501));
  const options::node cut = phase_list(scripted_sample(1000, 2000, -1));
  EXPECT_THAT(cut.find("wall_clock_startup_s")->real, DoubleEq(2.0));
  const options::node& missing = cut.find("phases")->items.back();
  EXPECT_TRUE(missing.find("missing")->boolean);
  EXPECT_TRUE(missing.find("duration_s")->is(options::node::kind::null));
  EXPECT_EQ(whole.find("phases")->items.front().find("start_ns")->integer, start_of_2026_ns);
}

}  // namespace
}  // namespace inferbench::startup
