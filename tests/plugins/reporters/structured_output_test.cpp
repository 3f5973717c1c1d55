// Tests the reporter `structured-output`: its file and its line on the console.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

/// A run of three answers: one right, one wrong, one without a score.
input scored_run() {
  input in = plain_run();
  in.records[0].attributes = {{"structured.type", "json"},
                              {"structured.schema", R"({"type": "array"})"},
                              {"structured.constrained", "true"},
                              {"score", "1"}};
  in.records[1].attributes = {{"structured.type", "json"},
                              {"structured.constrained", "true"},
                              {"expected", R"({"a": 1})"},
                              {"score", "0"},
                              {"score.reason", "no JSON"}};
  return in;
}

class structured_output_file : public testing::Test {
 protected:
  std::string report(const input& in, std::vector<setting> more = {}) {
    more.push_back({"file", file()});
    const outcome o = report_with("structured-output", more, in);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
    EXPECT_THAT(o.artifacts, ElementsAre(Pair("structured-output", file())));
    printed = o.printed;
    return base::read_file(file());
  }
  std::string file() const { return files_.path("r.txt"); }

  support::temporary_folder files_;
  std::string printed;
};

TEST_F(structured_output_file, the_file_of_the_script_is_as_recorded) {
  expect_golden(report(scored_run()), "structured-output.json");
  EXPECT_EQ(printed, "correct_rate(%) 50.0 \n\n");
}

TEST_F(structured_output_file, failures_keep_their_places_and_have_no_score) {
  input in = strained_run();
  in.records[0].attributes = {{"score", "1"}};
  expect_golden(report(in), "structured-output_strained.json");
  EXPECT_EQ(printed, "correct_rate(%) 100.0 \n\n");
}

TEST_F(structured_output_file, without_a_score_the_rate_is_none) {
  const std::string text = report(plain_run());
  EXPECT_THAT(text, HasSubstr(R"x("correct_rate(%)": null,)x"));
  EXPECT_EQ(printed, "correct_rate(%) None \n\n");
}

TEST_F(structured_output_file, the_rate_has_the_digits_of_python) {
  input in = plain_run();
  for (std::size_t i = 0; i < 3; ++i)
    in.records[i].attributes = {{"score", i == 0 ? "0" : "1"}};
  EXPECT_THAT(report(in), HasSubstr(R"x("correct_rate(%)": 66.66666666666666,)x"));
  EXPECT_EQ(printed, "correct_rate(%) 66.66666666666666 \n\n");
}

TEST_F(structured_output_file, a_partial_score_is_a_number) {
  input in = plain_run();
  in.records[0].attributes = {{"score", "0.5"}};
  EXPECT_THAT(report(in), HasSubstr(R"("correctness": 0.5)"));
  EXPECT_EQ(printed, "correct_rate(%) 50.0 \n\n");
}

TEST_F(structured_output_file, a_score_that_is_no_share_does_not_count) {
  for (const char* score : {"2", "-1", "nan", "inf", "", "yes"}) {
    input in = plain_run();
    in.records[0].attributes = {{"score", score}};
    EXPECT_THAT(report(in), HasSubstr(R"x("correct_rate(%)": null,)x")) << score;
  }
}

TEST_F(structured_output_file, outputs_have_their_schema_if_the_user_wants_it) {
  const std::string text = report(scored_run(), {{"schemas", true}});
  EXPECT_THAT(text, HasSubstr(R"(            "correctness": true,
            "schema": "{\"type\": \"array\"}",
            "structured": true
        },)"));
  EXPECT_THAT(report(scored_run()), Not(HasSubstr("\"structured\"")));
}

TEST_F(structured_output_file, a_run_without_requests_has_empty_lists) {
  input in = plain_run();
  in.records.clear();
  in.run.planned = 0;
  const std::string text = report(in);
  EXPECT_THAT(text, testing::StartsWith("{\n    \"outputs\": [],\n    \"backend\": "));
  EXPECT_THAT(text, HasSubstr("\"ttft_description\": {\n        \"count\": 0.0,\n        "
                              "\"mean\": NaN,"));
  EXPECT_THAT(text, testing::EndsWith("\n}"));
}

TEST_F(structured_output_file, one_request_has_no_deviation) {
  input in = plain_run();
  in.records.resize(1);
  const std::string text = report(in);
  EXPECT_THAT(text, HasSubstr("\"count\": 1.0,\n        \"mean\": 0.1,\n        \"std\": NaN,\n"
                              "        \"min\": 0.1,"));
}

TEST(structured_output, without_a_file_only_the_rate_is_printed) {
  const outcome o = report_with("structured-output", {}, scored_run());
  EXPECT_TRUE(o.ok);
  EXPECT_EQ(o.printed, "correct_rate(%) 50.0 \n\n");
  EXPECT_THAT(o.artifacts, IsEmpty());
}

TEST(structured_output, a_file_that_cannot_be_written_is_refused_before_the_run) {
  EXPECT_THROW((void)report_with("structured-output", {{"file", std::string("/proc/nothing/r")}},
                                 plain_run()),
               base::error);
}

}  // namespace
}  // namespace inferbench::reporters_test
