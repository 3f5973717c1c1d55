#include "metrics/scores.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <inferbench/draft/scorer.h>

#include "framework/metrics/record_of.hpp"

namespace inferbench::metrics {
namespace {

client::record scored(std::string score, std::string reason = {}) {
  client::record out = testing_::success({});
  out.attributes.emplace_back(IFB_SCORE_ATTRIBUTE, std::move(score));
  if (!reason.empty()) out.attributes.emplace_back(IFB_SCORE_REASON_ATTRIBUTE, std::move(reason));
  return out;
}

TEST(scores, are_the_mean_of_the_answers_that_have_a_score) {
  scores all;
  EXPECT_FALSE(all.mean());
  for (int i = 0; i < 3; ++i)
    all.add(scored("1"));
  all.add(scored("0", "no JSON"));
  all.add(testing_::success({}));
  EXPECT_EQ(all.scored(), 4U);
  EXPECT_EQ(all.mean(), 0.75);
}

TEST(scores, do_not_count_requests_that_failed) {
  scores all;
  client::record failed = scored("1");
  failed.status = IFB_E_TIMEOUT;
  all.add(failed);
  EXPECT_EQ(all.to_json("x"), R"({"x": {"scored": 0, "unscored": 0, "reasons": {}}})");
}

// The bounds of Clopper and Pearson for 98 of 100 at 99 %.
TEST(scores, state_the_exact_interval_of_right_and_wrong_answers) {
  scores all;
  for (int i = 0; i < 100; ++i)
    all.add(i < 2 ? scored("0", "not the schema") : scored("1"));
  EXPECT_EQ(all.to_json("structured-output"),
            R"({"structured-output": {"scored": 100, "unscored": 0, "mean": 0.98, "low": )"
            R"(0.910569, "high": 0.99896, "confidence": 0.99, "reasons": )"
            R"({"not the schema": 2}}})");
}

TEST(scores, of_parts_of_an_answer_have_the_interval_of_student) {
  scores all;
  for (const char* each : {"0.5", "0.25", "1", "0.75"})
    all.add(scored(each));
  const std::string json = all.to_json("x");
  EXPECT_NE(json.find(R"("mean": 0.625, "low": 0.0, "high": 1.0)"), std::string::npos) << json;
}

TEST(scores, that_are_no_share_count_as_no_score) {
  scores all;
  for (const char* each : {"", "x", "nan", "-0.1", "1.5", "inf"})
    all.add(scored(each));
  EXPECT_EQ(all.scored(), 0U);
  EXPECT_EQ(all.to_json("x"), R"({"x": {"scored": 0, "unscored": 6, "reasons": {}}})");
}

TEST(scores, keep_a_hundred_reasons_and_count_the_others) {
  scores all;
  for (int i = 0; i < 103; ++i)
    all.add(scored("0", "reason " + std::to_string(1000 + i)));
  all.add(scored("0", "reason 1000"));
  const std::string json = all.to_json("x");
  EXPECT_NE(json.find(R"("reason 1000": 2)"), std::string::npos);
  EXPECT_NE(json.find(R"("other reasons": 3)"), std::string::npos);
}

}  // namespace
}  // namespace inferbench::metrics
