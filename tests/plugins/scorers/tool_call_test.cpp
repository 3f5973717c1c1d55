#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/host.hpp>
#include <inferbench/json_writer.hpp>

#include "plugins/scorers/scored_record.hpp"
#include "scorers/tool-call/tool_call_scorer.hpp"
#include "support/plugin_box.hpp"

namespace scorers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using calls = std::vector<std::pair<std::string, std::string>>;

const std::string offered_tools =
    R"([{"type": "function", "function": {"name": "weather", "parameters": {"type": "dict",
          "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
          "required": ["city"]}}},
        {"name": "now"}, {"type": "function", "function": {"name": "log", "parameters": null}}])";

/// A scorer with a host that keeps its warnings.
class tool_bench {
 public:
  tool_bench() : scorer_(ifb::host(host_.table())) {}

  std::string score(const std::string& made, const std::string& offered = offered_tools,
                    const std::string& expected = {}) {
    std::vector<std::pair<std::string, std::string>> attributes{{"tools", offered}};
    if (!made.empty()) attributes.emplace_back("tool_calls", made);
    if (!expected.empty()) attributes.emplace_back("expected", expected);
    const scored_record record("", attributes);
    return shown(scorer_.score(record.get()));
  }
  std::string score(const calls& made, const std::string& expected = {}) {
    ifb::json_writer out;
    out.begin_array();
    for (const auto& [name, arguments] : made) {
      out.begin_object();
      out.member("name", std::string_view(name));
      out.member("arguments", std::string_view(arguments));
      out.end_object();
    }
    out.end_array();
    return score(out.take(), offered_tools, expected);
  }
  [[nodiscard]] std::vector<std::string> warnings() const { return host_.log(); }

 private:
  support::host host_;
  tool_call_scorer scorer_;
};

TEST(the_scorer_tool_call, wants_calls_of_known_tools_with_valid_arguments) {
  tool_bench b;
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "Ulm", "days": 2})"}}), "right");
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "Ulm"})"}, {"now", "{}"}}), "right");
  EXPECT_EQ(b.score(calls{{"log", R"({"any": [1, 2]})"}}), "right");
  EXPECT_EQ(b.score(calls{{"storm", "{}"}}), "unknown tool");
  EXPECT_EQ(b.score(calls{{"", "{}"}}), "unknown tool");
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "Ul)"}}), "arguments are no JSON");
  EXPECT_EQ(b.score(calls{{"now", ""}}), "arguments are no JSON");
  EXPECT_EQ(b.score(calls{{"now", "[]"}}), "arguments are no JSON");
  EXPECT_EQ(b.score(calls{{"weather", R"({"days": 2})"}}), "not the schema");
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "Ulm", "days": "2"})"}}), "not the schema");
  EXPECT_EQ(b.score(calls{{"now", "{}"}, {"weather", "{}"}}), "not the schema");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_tool_call, wants_at_least_one_call) {
  tool_bench b;
  EXPECT_EQ(b.score(std::string{}), "no call");
  EXPECT_EQ(b.score(std::string("[]")), "no call");
  EXPECT_EQ(b.score(std::string("{}")), "no call");
  EXPECT_EQ(b.score(std::string("[{\"name\": 5}]")), "no call");
  EXPECT_EQ(b.score(std::string(R"([{"name": "now", "arguments": {}}])")), "right");
}

TEST(the_scorer_tool_call, compares_with_expected_calls_in_any_order) {
  tool_bench b;
  const std::string expected =
      R"([{"name": "weather", "arguments": {"city": "Ulm", "days": 2}},
          {"name": "now", "arguments": "{}"}])";
  const calls::value_type ulm{"weather", R"({"days": 2.0, "city": "Ulm"})"};
  const calls::value_type now{"now", "{}"};
  EXPECT_EQ(b.score({now, ulm}, expected), "right");
  EXPECT_EQ(b.score({ulm, now}, expected), "right");
  EXPECT_EQ(b.score({ulm}, expected), "not the expected value");
  EXPECT_EQ(b.score({ulm, ulm}, expected), "not the expected value");
  EXPECT_EQ(b.score({ulm, now, now}, expected), "not the expected value");
  EXPECT_EQ(b.score({{"weather", R"({"city": "Ulm"})"}, now}, expected), "not the expected value");
  EXPECT_EQ(b.score({now}, "a text for another scorer"), "right");
  EXPECT_THAT(b.warnings(), IsEmpty());
  EXPECT_EQ(b.score({now}, R"([{"name": "now", "arguments": "{"}])"), "none");
  EXPECT_THAT(b.warnings(), ElementsAre(HasSubstr("expected call")));
}

TEST(the_scorer_tool_call, has_no_score_without_usable_tools) {
  tool_bench b;
  const scored_record other("x", {{"tool_calls", "[]"}});
  support::host host;
  EXPECT_EQ(shown(tool_call_scorer(ifb::host(host.table())).score(other.get())), "none");
  const std::string call = R"([{"name": "f", "arguments": "{}"}])";
  for (const char* const bad : {"", "{", "{}", "[5]", R"([{"type": "function"}])"})
    EXPECT_EQ(b.score(call, bad), "none") << bad;
  EXPECT_THAT(b.warnings(), ElementsAre(HasSubstr("no JSON list of tools")));
  // A tool that cannot be used concerns only its own calls.
  const std::string mixed =
      R"([{"name": "f", "parameters": {"$ref": "http://127.0.0.1:1/x"}}, {"name": "g"}])";
  EXPECT_EQ(b.score(call, mixed), "none");
  EXPECT_EQ(b.score(R"([{"name": "g", "arguments": "{}"}])", mixed), "right");
  EXPECT_EQ(b.score(call, "[]"), "unknown tool");
}

TEST(the_scorer_tool_call, bears_hostile_calls) {
  tool_bench b;
  EXPECT_EQ(b.score(calls{{"now", repeated("{\"a\":", 10'000)}}), "arguments are no JSON");
  EXPECT_EQ(b.score(calls{{"log", "{\"a\": \"\xFF\"}"}}), "right");  // the writer mends it
  EXPECT_EQ(b.score(calls(5000, {"now", "{}"})), "right");
  EXPECT_EQ(b.score(std::string("[") + repeated("[", 1000)), "no call");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

}  // namespace
}  // namespace scorers
