#include "run/end_facts.hpp"

#include <gtest/gtest.h>

#include "framework/observe/fact_of.hpp"
#include "run/journal_json.hpp"

namespace inferbench::run {
namespace {

using observe::fact_of;

metrics::context back(std::string_view facts_json) {
  metrics::context out;
  out.set_fact("client", "what was there before");
  out.beside.emplace_back(metrics::metric::probe_failed, 7);
  read_end_facts(facts_json, out);
  return out;
}

TEST(end_facts, come_back_to_the_letter) {
  metrics::context run;
  const std::string client =
      R"({"verdict": "SUSPECT", "reasons": ["\u00e9 0.1"], "figure": 0.1, "n": 3})";
  run.set_fact("client", client);
  EXPECT_EQ(fact_of(back(end_facts(run)), "client"), client);
  EXPECT_EQ(fact_of(back(end_facts(run)), "calibration"), "");
  run.set_fact("rps_change_events", R"([{"rps": 1}])");
  run.set_fact("client", "{}");
  EXPECT_EQ(back(end_facts(run)).facts, run.facts);
}

TEST(end_facts, keep_the_figures_that_no_record_holds) {
  metrics::context run;
  run.beside = {{metrics::metric::probe_completed, 3}, {metrics::metric::probe_max_e2el, 0.1}};
  EXPECT_EQ(back(end_facts(run)).beside, run.beside);
}

TEST(end_facts, of_a_run_that_knows_nothing_are_empty) {
  EXPECT_EQ(end_facts({}), R"({"facts": {}, "figures": {}})");
  EXPECT_TRUE(back("{}").facts.empty());
}

TEST(end_facts, that_are_something_else_say_nothing) {
  for (const char* text :
       {"", "not json", "[1]", "7", R"({"workers": 1, "connects": 3})", R"({"client": {}})",
        R"({"facts": [], "figures": 1})", "{\"facts\": {", R"({"figures": {"no such": 1}})",
        R"({"figures": {"probe_failed": "1"}})"}) {
    EXPECT_TRUE(back(text).facts.empty()) << text;
    EXPECT_TRUE(back(text).beside.empty()) << text;
  }
}

TEST(end_facts, that_are_nested_without_end_say_nothing) {
  for (const std::size_t levels : {std::size_t{deepest_in_journal}, std::size_t{200'000}}) {
    const std::string text = R"({"facts": {"a": )" + std::string(levels, '[') +
                             std::string(levels, ']') + R"(}, "figures": {"probe_failed": 1}})";
    EXPECT_TRUE(back(text).facts.empty()) << levels;
    EXPECT_TRUE(back(text).beside.empty()) << levels;
  }
}

}  // namespace
}  // namespace inferbench::run
