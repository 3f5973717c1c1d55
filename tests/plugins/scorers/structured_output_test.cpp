#include "scorers/structured-output/structured_output.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/host.hpp>

#include "plugins/scorers/scored_record.hpp"
#include "scorers/structured-output/upstream_rule.hpp"
#include "support/plugin_box.hpp"

namespace scorers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using attribute_list = std::vector<std::pair<std::string, std::string>>;

const std::string person_schema =
    R"({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"]})";

/// A scorer with a host that keeps its warnings.
class structure_bench {
 public:
  explicit structure_bench(structured_output::options chosen = {})
      : scorer_(ifb::host(host_.table()), chosen) {}

  std::string score(const std::string& answer, const attribute_list& attributes) {
    const scored_record record(answer, attributes);
    return shown(scorer_.score(record.get()));
  }
  std::string json(const std::string& answer, const std::string& schema = person_schema,
                   const std::string& constrained = "true") {
    return score(answer, {{"structured.type", "json"},
                          {"structured.schema", schema},
                          {"structured.constrained", constrained}});
  }
  std::string regex(const std::string& answer, const std::string& pattern) {
    return score(answer, {{"structured.type", "regex"}, {"structured.schema", pattern}});
  }
  std::string choice(const std::string& answer, const std::string& choices) {
    return score(answer, {{"structured.type", "choice"}, {"structured.schema", choices}});
  }
  [[nodiscard]] std::vector<std::string> warnings() const { return host_.log(); }

 private:
  support::host host_;
  structured_output scorer_;
};

// Otherwise only the answers without JSON would have a score, and the rate would be 0.
TEST(the_scorer_structured_output, looks_at_the_data_set_before_the_answer) {
  structure_bench b;
  for (const char* answer : {"", "no JSON", "{\"a\": 1}"}) {
    EXPECT_EQ(b.json(answer, R"({"$ref": "http://example.com/x.json"})"), "none") << answer;
    EXPECT_EQ(b.regex(answer, "(?=a)b"), "none") << answer;
    EXPECT_EQ(b.choice(answer, "no list"), "none") << answer;
  }
}

TEST(the_scorer_structured_output, checks_JSON_against_its_schema) {
  structure_bench b;
  EXPECT_EQ(b.json(R"({"name": "Ann", "age": 30})"), "right");
  EXPECT_EQ(b.json("```json\n{\"name\": \"Ann\", \"age\": 30}\n```"), "right");
  EXPECT_EQ(b.json("Sure: {\"name\": \"Ann  B\", \"age\": 30}."), "right");
  EXPECT_EQ(b.json("{}"), "not the schema");
  EXPECT_EQ(b.json("[]"), "not the schema");
  EXPECT_EQ(b.json(R"({"name": "Ann", "age": "30"})"), "not the schema");
  EXPECT_EQ(b.json(R"({"name": "Ann", "age": 3)"), "no JSON");
  EXPECT_EQ(b.json("I cannot answer."), "no JSON");
  EXPECT_EQ(b.json(""), "no answer");
  EXPECT_EQ(b.json(" \n"), "no answer");
  const std::string list = R"({"type": "array", "items": )" + person_schema + "}";
  EXPECT_EQ(b.json(R"([{"name": "Ann", "age": 1}, {"name": "Bob", "age": 2}])", list), "right");
  EXPECT_EQ(b.json(R"([{"name": "Ann", "age": 1}, {"name": "Bob"}])", list), "not the schema");
  EXPECT_EQ(b.json("[]", R"("{\"type\": \"array\"}")"), "right");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_structured_output, only_parses_what_the_server_was_not_asked_to_constrain) {
  structure_bench b;
  EXPECT_EQ(b.json("{}", person_schema, "false"), "right");
  EXPECT_EQ(b.json("{}", "no schema", "false"), "right");
  EXPECT_EQ(b.json("{", person_schema, "false"), "no JSON");
  EXPECT_EQ(b.score("{}", {{"structured.type", "json"},
                           {"structured.constrained", "false"},
                           {"expected", "[1]"}}),
            "right");
  EXPECT_EQ(b.score("{}", {{"structured.type", "json"}}), "right");
}

TEST(the_scorer_structured_output, compares_with_the_expected_value) {
  structure_bench b;
  const auto score = [&](const std::string& answer, const std::string& expected) {
    return b.score(answer, {{"structured.type", "json"},
                            {"structured.schema", person_schema},
                            {"structured.constrained", "true"},
                            {"expected", expected}});
  };
  const std::string answer = R"({"name": "Ann", "age": 30})";
  EXPECT_EQ(score(answer, R"({ "age":30.0,"name":"Ann" })"), "right");
  EXPECT_EQ(score(answer, "```json\n{\"age\": 30, \"name\": \"Ann\"}\n```"), "right");
  EXPECT_EQ(score(answer, R"({"name": "Ann", "age": 31})"), "not the expected value");
  EXPECT_EQ(score("{}", "{}"), "not the schema");
  EXPECT_THAT(b.warnings(), IsEmpty());
  EXPECT_EQ(score(answer, "Ann, 30"), "none");
  EXPECT_THAT(b.warnings(), ElementsAre(HasSubstr("expected value")));
}

TEST(the_scorer_structured_output, gives_no_score_for_a_schema_that_cannot_be_used_and_warns_once) {
  structure_bench b;
  EXPECT_EQ(b.json("{}", R"({"$ref": "http://127.0.0.1:1/x.json"})"), "none");
  EXPECT_EQ(b.json("{}", R"({"$ref": "http://127.0.0.1:1/x.json"})"), "none");
  EXPECT_EQ(b.json("{}", "{"), "none");
  EXPECT_EQ(b.regex("a", "("), "none");
  EXPECT_THAT(b.warnings(), ElementsAre("a schema cannot be used: it refers to another document, "
                                        "http://127.0.0.1:1/x.json; such answers have no score"));
  EXPECT_EQ(b.json("no", "{"), "none");
}

TEST(the_scorer_structured_output, matches_a_pattern_at_the_start) {
  structure_bench b;
  EXPECT_EQ(b.regex("ann@example.com", "\\w+@\\w+\\.com"), "right");
  EXPECT_EQ(b.regex("ann@example.com, of course", "\\w+@\\w+\\.com"), "right");
  EXPECT_EQ(b.regex("It is ann@example.com", "\\w+@\\w+\\.com"), "no match");
  EXPECT_EQ(b.regex("", "a*"), "no answer");
  EXPECT_EQ(b.regex(repeated("a", 100'000), "(a+)+$b"), "no match");
  EXPECT_EQ(b.regex("a\xFF", "a."), "no match");
  EXPECT_THAT(b.warnings(), IsEmpty());
  EXPECT_EQ(b.regex("a", "a(?=b)\n"), "none");
  EXPECT_EQ(b.score("a", {{"structured.type", "regex"}}), "none");
  ASSERT_EQ(b.warnings().size(), 1U);
  EXPECT_THAT(b.warnings()[0], testing::AllOf(HasSubstr("(?="), testing::Not(HasSubstr("\n"))));
}

TEST(the_scorer_structured_output, wants_one_of_the_choices_exactly) {
  structure_bench b;
  const std::string choices = R"(["Positive", "Negative", "\u00e9"])";
  EXPECT_EQ(b.choice("Positive", choices), "right");
  EXPECT_EQ(b.choice("\xC3\xA9", choices), "right");
  EXPECT_EQ(b.choice("positive", choices), "none of the choices");
  EXPECT_EQ(b.choice("Positive.", choices), "none of the choices");
  EXPECT_EQ(b.choice(" Positive", choices), "none of the choices");
  EXPECT_THAT(b.warnings(), IsEmpty());
  for (const char* const bad : {"", "Positive", R"({"a": 1})", R"(["a", 5])"})
    EXPECT_EQ(b.choice("a", bad), "none") << bad;
  EXPECT_THAT(b.warnings(), ElementsAre(HasSubstr("no JSON list of texts")));
}

TEST(the_scorer_structured_output, has_no_score_for_other_requests) {
  structure_bench b;
  EXPECT_EQ(b.score("x", {}), "none");
  EXPECT_EQ(b.score("x", {{"structured.type", "grammar"}, {"structured.schema", "root ::= x"}}),
            "none");
  EXPECT_EQ(b.score("x", {{"structured.type", "xml"}}), "none");
  EXPECT_EQ(b.score("x", {{"expected", "x"}}), "none");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

TEST(the_scorer_structured_output, bears_hostile_answers) {
  structure_bench b;
  EXPECT_EQ(b.json(repeated("[", 1'000'000)), "no JSON");
  EXPECT_EQ(b.json(repeated("{\"a\":", 100'000) + "1" + repeated("}", 100'000)), "no JSON");
  EXPECT_EQ(b.json("{\"name\": \"\xFF\", \"age\": 1}"), "no JSON");
  EXPECT_EQ(b.json(std::string(1, '\0')), "no JSON");
  EXPECT_EQ(b.json("{\"name\": \"" + repeated("x", 10'000'000) + "\", \"age\": 1}"), "right");
  EXPECT_THAT(b.warnings(), IsEmpty());
  EXPECT_EQ(b.json("[" + repeated("1,", 1'200'000) + "1]"), "none");
  EXPECT_THAT(b.warnings(), ElementsAre(HasSubstr("too large")));
}

TEST(the_rule_of_upstream, parses_the_longest_span_of_braces_without_blanks) {
  EXPECT_TRUE(upstream_accepts(R"({"a": 1})"));
  EXPECT_TRUE(upstream_accepts("so:\n{\n  \"a\" : 1\n}\nyes"));
  EXPECT_TRUE(upstream_accepts("[{\"a\": 1}]"));
  EXPECT_TRUE(upstream_accepts(R"({"a": NaN, "b": Infinity, "c": -Infinity, "a": 1})"));
  EXPECT_TRUE(upstream_accepts("{\"a\": \"b\n c\"}"));  // blanks in texts are lost
  EXPECT_TRUE(upstream_accepts("{\"a\":\t1}"));
  EXPECT_TRUE(upstream_accepts("{}"));
  EXPECT_FALSE(upstream_accepts("{\"a\": \"b\tc\"}"));  // tabs are not
  EXPECT_FALSE(upstream_accepts(R"([{"a": 1}, {"a": 2}])"));
  EXPECT_FALSE(upstream_accepts(R"({"a": 1} and {"a": 2})"));
  EXPECT_FALSE(upstream_accepts("[1]"));
  EXPECT_FALSE(upstream_accepts("} {"));
  EXPECT_FALSE(upstream_accepts("{"));
  EXPECT_FALSE(upstream_accepts(""));
}

TEST(the_rule_of_upstream, knows_no_schema_and_no_expected_value) {
  structure_bench b({.correctness = structured_output::rule::upstream});
  EXPECT_EQ(b.json("{}"), "right");
  EXPECT_EQ(b.json("{}", "no schema"), "right");
  EXPECT_EQ(b.json("{}", person_schema, "false"), "right");
  EXPECT_EQ(b.json("[1]"), "no JSON");
  EXPECT_EQ(b.json(""), "no answer");
  EXPECT_EQ(b.score("{}", {{"structured.type", "json"}, {"expected", "[1]"}}), "right");
  EXPECT_EQ(b.choice("a", "[\"a\"]"), "right");
  EXPECT_THAT(b.warnings(), IsEmpty());
}

}  // namespace
}  // namespace scorers
