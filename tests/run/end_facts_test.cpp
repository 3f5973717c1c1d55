#include "run/end_facts.hpp"

#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

metrics::context back(std::string_view facts_json) {
  metrics::context out;
  out.client_json = "what was there before";
  read_end_facts(facts_json, out);
  return out;
}

TEST(end_facts, come_back_to_the_letter) {
  metrics::context run;
  run.client_json = R"({"verdict": "SUSPECT", "reasons": ["\u00e9 0.1"], "figure": 0.1, "n": 3})";
  EXPECT_EQ(back(end_facts(run)).client_json, run.client_json);
  EXPECT_EQ(back(end_facts(run)).calibration_json, "");
  run.calibration_json = R"({"streams": 64, "ttft_error_ms": {"mean": 0.25}})";
  EXPECT_EQ(back(end_facts(run)).client_json, run.client_json);
  EXPECT_EQ(back(end_facts(run)).calibration_json, run.calibration_json);
}

TEST(end_facts, of_a_run_that_knows_nothing_are_an_empty_object) {
  EXPECT_EQ(end_facts({}), "{}");
  EXPECT_EQ(back("{}").client_json, "");
}

TEST(end_facts, that_are_something_else_say_nothing) {
  for (const char* text :
       {"", "not json", "[1]", "7", R"({"workers": 1, "connects": 3})", R"({"client": "VALID"})",
        R"({"client": [], "calibration": null})", "{\"client\": {"}) {
    EXPECT_EQ(back(text).client_json, "") << text;
    EXPECT_EQ(back(text).calibration_json, "") << text;
  }
}

}  // namespace
}  // namespace inferbench::run
