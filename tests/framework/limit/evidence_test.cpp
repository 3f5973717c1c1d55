#include "limit/evidence.hpp"

#include <gtest/gtest.h>

namespace inferbench::limit {
namespace {

part_evidence share_part(std::size_t independent, verdict outcome, double correlation) {
  part_evidence out;
  out.independent = independent;
  out.outcome = outcome;
  out.correlation = correlation;
  return out;
}

TEST(a_pass, rests_on_the_part_with_the_fewest_observations) {
  probe_evidence probe;
  probe.outcome = verdict::passed;
  probe.parts = {share_part(700, verdict::passed, 1), share_part(500, verdict::passed, 1)};
  EXPECT_EQ(probe.independent(), 500U);
  part_evidence mean;
  mean.what.kind = part_kind::mean;
  mean.batches = 32;
  probe.parts.push_back(mean);
  EXPECT_EQ(probe.independent(), 0U);  // not estimated yet
  probe.parts.back().estimate = 1;
  EXPECT_EQ(probe.independent(), 32U);
}

TEST(a_failure, rests_on_the_part_that_failed) {
  probe_evidence probe;
  probe.outcome = verdict::failed;
  probe.parts = {share_part(3, verdict::undecided, 1), share_part(500, verdict::failed, 1)};
  EXPECT_EQ(probe.independent(), 500U);
}

TEST(a_probe_without_parts, rests_on_nothing) { EXPECT_EQ(probe_evidence().independent(), 0U); }

TEST(the_step_of_later_probes, is_the_largest_correlation_time_unless_the_probe_failed) {
  probe_evidence probe;
  probe.parts = {share_part(9, verdict::undecided, 4), share_part(9, verdict::undecided, 2.5)};
  probe.parts[1].warm_up_correlation = 6;
  EXPECT_EQ(probe.least_step_of_others(), 6);
  probe.outcome = verdict::failed;
  EXPECT_EQ(probe.least_step_of_others(), 1);
}

}  // namespace
}  // namespace inferbench::limit
