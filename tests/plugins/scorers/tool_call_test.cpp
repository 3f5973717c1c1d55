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
  tool_bench() : tool_bench(tool_call_scorer::options{}) {}
  explicit tool_bench(const tool_call_scorer::options& chosen)
      : scorer_(ifb::host(host_.table()), chosen) {}

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

TEST(the_scorer_tool_call, accepts_each_allowed_value_of_an_argument) {
  tool_bench b;
  const std::string expected =
      R"([{"name": "weather", "allowed": {"city": ["Ulm", "Ulm, Germany"], "days": [2, ""]}}])";
  const auto weather = [&](const std::string& arguments) {
    return b.score(calls{{"weather", arguments}}, expected);
  };
  EXPECT_EQ(weather(R"({"city": "Ulm", "days": 2})"), "right");
  EXPECT_EQ(weather(R"({"city": "Ulm", "days": 2.0})"), "right");
  EXPECT_EQ(weather(R"({"city": "Ulm, Germany"})"), "right");
  // Texts are compared like the leaderboard compares them.
  EXPECT_EQ(weather(R"({"city": "ULM GERMANY."})"), "right");
  EXPECT_EQ(weather(R"({"city": "Ulm; Germany"})"), "not the expected value");
  EXPECT_EQ(weather(R"({"city": "Ulm", "days": 3})"), "not the expected value");
  EXPECT_EQ(weather(R"({"city": "Ulm", "days": 2, "unit": "C"})"), "not the expected value");
  // The check of the tools' own parameters gives the more exact reason.
  EXPECT_EQ(weather(R"({"days": 2})"), "not the schema");
  EXPECT_EQ(weather(R"({"city": "Ulm", "days": "2"})"), "not the schema");
  EXPECT_EQ(weather("{\"city\": \"Ul"), "arguments are no JSON");
  EXPECT_EQ(weather("[]"), "arguments are no JSON");
  EXPECT_EQ(b.score(calls{{"now", "{}"}}, expected), "not the expected value");
  EXPECT_EQ(b.score(calls{{"storm", "{}"}}, expected), "unknown tool");
  EXPECT_EQ(b.score(std::string{}, offered_tools, expected), "no call");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_tool_call, accepts_an_allowed_value_that_the_parameters_refuse) {
  tool_bench b;
  const std::string expected =
      R"([{"name": "weather", "allowed": {"city": ["x"], "days": ["n"]}}])";
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "x", "days": "n"})"}}, expected), "right");
  EXPECT_EQ(b.score(calls{{"weather", R"({"city": "x", "days": "m"})"}}, expected),
            "not the schema");
}

TEST(the_scorer_tool_call, wants_required_arguments_even_if_the_empty_text_is_allowed) {
  tool_bench b;
  const std::string expected =
      R"([{"name": "weather", "allowed": {"city": ["Ulm", ""], "days": [2, ""]}}])";
  const auto weather = [&](const std::string& arguments) {
    return b.score(calls{{"weather", arguments}}, expected);
  };
  EXPECT_EQ(weather(R"({"city": "Ulm"})"), "right");
  EXPECT_EQ(weather(R"({"city": ""})"), "right");
  EXPECT_EQ(weather(R"({"days": 2})"), "not the schema");
  EXPECT_EQ(weather("{}"), "not the schema");
  EXPECT_EQ(weather(R"({"city": "Bonn"})"), "not the expected value");
  // The schema itself cannot be used, but it names the required argument.
  const std::string unusable =
      R"([{"name": "f", "parameters": {"$ref": "http://127.0.0.1:1/x", "required": ["a", 5]}}])";
  const std::string listed = R"([{"name": "f", "allowed": {"a": [1, ""]}}])";
  EXPECT_EQ(b.score(R"([{"name": "f", "arguments": {"a": 1}}])", unusable, listed), "right");
  EXPECT_EQ(b.score(R"([{"name": "f", "arguments": {}}])", unusable, listed), "not the schema");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_tool_call, gives_each_call_an_expected_call_of_its_own) {
  tool_bench b;
  // The second call can only be the first expected call, and the first call can be both.
  const std::string expected =
      R"([{"name": "log", "allowed": {"x": [1, 2]}}, {"name": "log", "allowed": {"x": [1]}},
          {"name": "now", "arguments": {}}])";
  const calls::value_type one{"log", R"({"x": 1})"};
  const calls::value_type two{"log", R"({"x": 2})"};
  const calls::value_type now{"now", "{}"};
  EXPECT_EQ(b.score({one, two, now}, expected), "right");
  EXPECT_EQ(b.score({two, now, one}, expected), "right");
  EXPECT_EQ(b.score({one, one, now}, expected), "right");
  EXPECT_EQ(b.score({two, two, now}, expected), "not the expected value");
  EXPECT_EQ(b.score({one, two}, expected), "not the expected value");
  EXPECT_EQ(b.score({one, two, now, now}, expected), "not the expected value");
  EXPECT_EQ(b.score({one, now, now}, expected), "not the expected value");
}

TEST(the_scorer_tool_call, looks_into_allowed_lists_and_objects) {
  tool_bench b;
  const std::string expected =
      R"([{"name": "log", "allowed": {
           "list": [[1, "A b"], []],
           "who": [{"name": ["Ann", "Anna"], "age": [5, ""], "at": [{"x": [1]}]}],
           "rows": [[{"k": [1, 2]}, {"k": [3]}]],
           "plain": [{"format": "ms", "sizes": [1, 2]}, ""]}}])";
  const auto log = [&](const std::string& list, const std::string& who, const std::string& rows,
                       const std::string& more = {}) {
    return b.score(calls{{"log", R"({"list": )" + list + R"(, "who": )" + who + R"(, "rows": )" +
                                     rows + more + "}"}},
                   expected);
  };
  const std::string who = R"({"name": "anna", "at": {"x": 1}})";
  const std::string rows = R"([{"k": 2}, {"k": 3}])";
  EXPECT_EQ(log(R"([1, "a-b"])", who, rows), "right");
  EXPECT_EQ(log("[]", R"({"name": "Ann", "age": 5, "at": {"x": 1}})", rows), "right");
  EXPECT_EQ(log("[]", who, rows, R"(, "plain": {"format": "ms", "sizes": [1, 2]})"), "right");
  const std::string wrong = "not the expected value";
  EXPECT_EQ(log("[1]", who, rows), wrong);
  EXPECT_EQ(log(R"(["a b", 1])", who, rows), wrong);
  EXPECT_EQ(log("[]", R"({"name": "Ann"})", rows), wrong);
  EXPECT_EQ(log("[]", R"({"name": "Ann", "age": 5, "at": {"x": 1}, "z": 1})", rows), wrong);
  EXPECT_EQ(log("[]", who, R"([{"k": 3}, {"k": 3, "l": 1}])"), wrong);
  EXPECT_EQ(log("[]", who, R"([{"k": 3}, {"k": 2}])"), wrong);
  EXPECT_EQ(log("[]", who, rows, R"(, "plain": {"format": "ms", "sizes": [1]})"), wrong);
  EXPECT_EQ(log("[]", who, rows, R"(, "plain": "")"), "right") << "the empty text is listed";
  EXPECT_EQ(log("null", who, rows), wrong);
}

TEST(the_scorer_tool_call, ignores_expected_calls_if_it_is_told_to) {
  tool_bench b(tool_call_scorer::options{.expected = false});
  const calls ulm{{"weather", R"({"city": "Ulm"})"}};
  EXPECT_EQ(b.score(ulm, R"([{"name": "weather", "allowed": {"city": ["Bonn"]}}])"), "right");
  EXPECT_EQ(b.score(ulm, "[]"), "right");
  EXPECT_EQ(b.score(calls{{"weather", "{}"}}, R"([{"name": "weather", "allowed": {}}])"),
            "not the schema");
}

TEST(the_scorer_tool_call, takes_no_other_form_for_expected_calls) {
  tool_bench b;
  const calls now{{"now", "{}"}};
  for (const char* const other :
       {R"([{"name": "now"}])", R"([{"name": "now", "allowed": []}])",
        R"([{"name": "now", "allowed": {"a": 1}}])", R"([{"allowed": {}}])",
        R"({"name": "now", "allowed": {}})", R"([{"name": 5, "allowed": {}}])"})
    EXPECT_EQ(b.score(now, other), "right") << other;
  EXPECT_EQ(b.score(now, R"([{"name": "now", "allowed": {}}])"), "right");
  EXPECT_EQ(b.score(now, R"([{"name": "now", "allowed": {"a": []}}])"), "not the expected value");
  EXPECT_EQ(b.score(now, "[]"), "not the expected value");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_tool_call, has_no_score_without_usable_tools) {
  tool_bench b;
  const scored_record other("x", {{"tool_calls", "[]"}});
  support::host host;
  EXPECT_EQ(shown(tool_call_scorer(ifb::host(host.table()), {}).score(other.get())), "none");
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
  // Every call fits every expected call but the last.
  std::string expected = "[";
  for (int i = 0; i < 300; ++i)
    expected += R"({"name": "log", "allowed": {"a": [1, ""], "b": [""]}}, )";
  expected += R"({"name": "log", "allowed": {"b": [2]}}])";
  EXPECT_EQ(b.score(calls(301, {"log", "{}"}), expected), "not the expected value");
  calls last(301, {"log", R"({"b": ""})"});
  last.front() = {"log", R"({"b": 2})"};
  EXPECT_EQ(b.score(last, expected), "right");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

}  // namespace
}  // namespace scorers
