#include "offline/startup_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const startup_result without_encoder{{{12.34, 12.0, 12.68}, {3.21, 3.2, 3.22}, {0, 0, 0}},
                                     {{6.5, 6.25}, {0.5, 0.25}, {0, 0}}};

startup_result with_encoder() {
  startup_result out = without_encoder;
  out.warm.encoder = {0, 0.5};
  return out;
}

std::string startup_file(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/offline/" + name;
}

TEST(startup_report, the_text_is_that_of_its_golden_file) {
  support::expect_golden(startup_text(without_encoder), startup_file("startup.txt"));
  support::expect_golden(startup_text(with_encoder()), startup_file("startup_encoder.txt"));
}

TEST(startup_report, the_file_has_the_members_of_upstream) {
  support::expect_golden(result_text(startup_json(without_encoder)), startup_file("startup.json"));
}

TEST(startup_report, the_encoder_is_reported_if_any_iteration_of_any_phase_compiled_it) {
  EXPECT_THAT(startup_text(without_encoder), Not(HasSubstr("ncoder")));
  EXPECT_EQ(startup_json(without_encoder).names.size(), 12U);
  EXPECT_EQ(startup_json(with_encoder()).names.size(), 18U);
  EXPECT_NE(startup_json(with_encoder()).find("avg_cold_encoder_compilation_time"), nullptr);
}

TEST(startup_report, times_of_compilation_that_were_not_measured_are_left_out) {
  const startup_result server{{{12.5}, {}, {0}}, {{6.5}, {}, {0}}};
  EXPECT_THAT(startup_text(server), Not(HasSubstr("ompilation")));
  EXPECT_THAT(
      startup_json(server).names,
      ElementsAre("avg_cold_startup_time", "cold_startup_times", "cold_startup_percentiles",
                  "avg_warm_startup_time", "warm_startup_times", "warm_startup_percentiles"));
  EXPECT_THAT(startup_metrics(server), testing::SizeIs(2));
}

TEST(startup_report, each_metric_has_a_record_of_its_own) {
  std::vector<std::string> keys;
  for (const auto& [key, metric] : startup_metrics(without_encoder)) {
    keys.push_back(key);
    EXPECT_EQ(metric.name, "avg_" + key + "_time");
    EXPECT_THAT(metric.values, testing::SizeIs(1));
    EXPECT_THAT(metric.extra_info.names, ElementsAre(key + "_times", key + "_percentiles"));
  }
  EXPECT_THAT(keys,
              ElementsAre("cold_startup", "cold_compilation", "warm_startup", "warm_compilation"));
}

}  // namespace
}  // namespace inferbench::offline
