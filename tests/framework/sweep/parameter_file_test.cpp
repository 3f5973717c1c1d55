#include "sweep/parameter_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "pytext/python_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> reprs_of(const std::vector<item>& items) {
  std::vector<std::string> out;
  for (const item& each : items)
    out.push_back(pytext::python_repr(each.table()));
  return out;
}

std::vector<std::string> parameters_in(const std::string& text) {
  return reprs_of(parse_parameters(text, "p.json"));
}

std::string parameters_complaint(const std::string& text) {
  return complaint_of([&] { return parse_parameters(text, "p.json"); });
}

TEST(parameter_file, a_list_has_an_object_for_each_combination) {
  EXPECT_THAT(parameters_in(R"([ {"max_num_seqs": 16, "enable_prefix_caching": true},
                                 {"_benchmark_name": "big", "max_num_seqs": 256} ])"),
              ElementsAre("{'max_num_seqs': 16, 'enable_prefix_caching': True}",
                          "{'_benchmark_name': 'big', 'max_num_seqs': 256}"));
}

TEST(parameter_file, the_names_of_an_object_become_the_first_key) {
  EXPECT_THAT(parameters_in(R"({ "small": {"max_num_seqs": 16}, "big": {"max_num_seqs": 256} })"),
              ElementsAre("{'_benchmark_name': 'small', 'max_num_seqs': 16}",
                          "{'_benchmark_name': 'big', 'max_num_seqs': 256}"));
}

TEST(parameter_file, a_name_within_an_object_wins) {
  EXPECT_THAT(parameters_in(R"({"outer": {"a": 1, "_benchmark_name": "inner"}})"),
              ElementsAre("{'_benchmark_name': 'inner', 'a': 1}"));
}

TEST(parameter_file, an_empty_list_has_no_combination_and_an_empty_object_is_one) {
  EXPECT_THAT(parameters_in("[]"), IsEmpty());
  EXPECT_THAT(parameters_in("{}"), IsEmpty());
  EXPECT_THAT(parameters_in("[{}]"), ElementsAre("{}"));
  EXPECT_THAT(parameters_in(R"({"only": {}})"), ElementsAre("{'_benchmark_name': 'only'}"));
}

TEST(parameter_file, values_of_every_type_are_kept) {
  EXPECT_THAT(
      parameters_in(R"([{"a.b_c": true, "l": [1, "x"], "o": {"k": null}, "n": null, "f": 2.0,
                         "big": 123456789012345678901234567890, "inf": Infinity, "r": "inf"}])"),
      ElementsAre("{'a.b_c': True, 'l': [1, 'x'], 'o': {'k': None}, 'n': None, 'f': 2.0, "
                  "'big': 123456789012345678901234567890, 'inf': inf, 'r': 'inf'}"));
}

TEST(parameter_file, the_last_of_equal_keys_counts) {
  EXPECT_THAT(parameters_in(R"([{"a": 1, "b": 2, "a": 3}])"), ElementsAre("{'a': 3, 'b': 2}"));
}

TEST(parameter_file, any_other_value_at_the_top_is_refused) {
  for (const char* text : {"1", "null", "true", "\"text\"", "1.5", "12345678901234567890123"})
    EXPECT_THAT(parameters_complaint(text),
                AllOf(StartsWith("p.json:1:1: should be a list of dictionaries, not "),
                      HasSubstr(R"(write [{"max_num_seqs": 16})")))
        << text;
}

TEST(parameter_file, an_element_that_is_no_object_is_refused_at_its_place) {
  EXPECT_THAT(
      parameters_complaint("[\n  {\"a\": 1},\n  16\n]"),
      StartsWith("p.json:3:3: should be a list of dictionaries: element 2 is a whole number"));
  EXPECT_THAT(parameters_complaint("[[{\"a\": 1}]]"), HasSubstr("element 1 is a list"));
  EXPECT_THAT(parameters_complaint("[null]"), HasSubstr("element 1 is null"));
  EXPECT_THAT(parameters_complaint(R"({"max_num_seqs": 16})"),
              StartsWith("p.json:1:18: should be a list of dictionaries: the value of "
                         "'max_num_seqs' is a whole number"));
}

TEST(parameter_file, two_combinations_with_one_name_are_refused) {
  EXPECT_THAT(
      parameters_complaint("[{\"_benchmark_name\": \"a\"},\n {\"x\": 1},\n"
                           " {\"x\": 2, \"_benchmark_name\": \"a\"}]"),
      AllOf(StartsWith("p.json:3:30: Duplicate _benchmark_name values: 'a'"), HasSubstr("line 1")));
  EXPECT_THAT(parameters_complaint(R"({"a": {}, "b": {"_benchmark_name": "a"}})"),
              HasSubstr("Duplicate _benchmark_name values"));
  EXPECT_THAT(parameters_complaint("{\"a\": {},\n \"a\": {}}"),
              StartsWith("p.json:2:2: 'a' is there a second time"));
}

TEST(parameter_file, names_are_compared_as_texts) {
  EXPECT_THAT(parameters_complaint(R"([{"_benchmark_name": 1}, {"_benchmark_name": "1"}])"),
              HasSubstr("Duplicate _benchmark_name values"));
  EXPECT_THAT(parameters_complaint(R"([{"_benchmark_name": true}, {"_benchmark_name": "True"}])"),
              HasSubstr("Duplicate _benchmark_name values"));
  EXPECT_EQ(parameters_complaint(R"([{"_benchmark_name": 1}, {"_benchmark_name": 1.0}])"),
            "accepted");
}

TEST(parameter_file, combinations_without_a_name_are_not_compared) {
  EXPECT_EQ(parameters_complaint(R"([{"a": 1}, {"a": 1}, {"_benchmark_name": "a=1"}])"),
            "accepted");
}

TEST(parameter_file, a_key_that_is_no_name_of_an_option_is_refused) {
  EXPECT_THAT(parameters_complaint("[{\"a\": 1},\n {\"--max-num-seqs\": 16}]"),
              AllOf(StartsWith("p.json:2:21: the key '--max-num-seqs' begins with a dash"),
                    HasSubstr("without the dashes")));
  EXPECT_THAT(parameters_complaint(R"([{"-O.mode": 3}])"),
              HasSubstr("the key '-O.mode' begins with a dash"));
  EXPECT_THAT(parameters_complaint(R"([{"": 3}])"), StartsWith("p.json:1:7: a key is empty"));
  EXPECT_EQ(parameters_complaint(R"([{"O.mode": 3}])"), "accepted");
}

TEST(parameter_file, malformed_json_is_refused_with_file_line_column_and_key) {
  EXPECT_THAT(parameters_complaint("{\n  \"small\": {\"max_num_seqs\": }\n}"),
              StartsWith("p.json:2:29: malformed JSON at small.max_num_seqs: Invalid value"));
  EXPECT_THAT(parameters_complaint(""), HasSubstr("The document is empty"));
  EXPECT_THAT(parameters_complaint("- a: 1\n"), HasSubstr("malformed JSON"));
}

TEST(parameter_file, a_file_is_read_and_named_in_errors) {
  const support::temporary_folder box;
  const std::string good = box.write("good.json", "\xEF\xBB\xBF[{\"a\": 1}]\r\n");
  EXPECT_THAT(reprs_of(read_parameters(good)), ElementsAre("{'a': 1}"));
  const std::string bad = box.write("bad.json", "[{]");
  EXPECT_THAT(complaint_of([&] { return read_parameters(bad); }), StartsWith(bad + ":1:3: "));
  const std::string missing = box.path("missing.json");
  EXPECT_THAT(complaint_of([&] { return read_parameters(missing); }), HasSubstr(missing));
  EXPECT_THAT(complaint_of([&] { return read_parameters(box.path()); }), HasSubstr(box.path()));
}

}  // namespace
}  // namespace inferbench::sweep
