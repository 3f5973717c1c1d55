#include "perf/test_definition.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perf/command_words.hpp"
#include "support/error_text.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string offline_refusal(const std::string& text, test_kind which = test_kind::latency) {
  return support::error_text([&] { return offline_tests(which, text, "t.json"); });
}

std::string serving_refusal(const std::string& text) {
  return support::error_text([&] { return serving_tests(text, "t.json"); });
}

/// A serving test with these members in place of those of the same name.
std::string serving_json(const std::string& members) {
  return R"([{"test_name": "serving_a", "server_parameters": {"model": "m"},
              "qps_list": [1], "max_concurrency_list": [2], )" +
         members + "}]";
}

TEST(an_offline_test, has_its_options_and_its_environment) {
  const auto tests =
      offline_tests(test_kind::latency,
                    R"([{"test_name": "latency_b", "parameters": {"model": "m", "num_iters": 15},
           "environment_variables": {"A": 1}}, {"test_name": "latency_a", "parameters": {}}])",
                    "t.json");
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].name, "latency_b");
  EXPECT_THAT(option_words(tests[0].parameters), ElementsAre("--model", "m", "--num-iters", "15"));
  EXPECT_THAT(environment_words(tests[0].environment), ElementsAre("A=1"));
  EXPECT_EQ(tests[1].name, "latency_a");
  EXPECT_THAT(environment_words(tests[1].environment), IsEmpty());
}

TEST(a_file_without_a_test, is_read) {
  EXPECT_THAT(offline_tests(test_kind::startup, "[]", "t.json"), IsEmpty());
  EXPECT_THAT(serving_tests("[]", "t.json"), IsEmpty());
}

TEST(a_file, that_is_no_json_or_no_array_is_refused_with_its_position) {
  EXPECT_THAT(offline_refusal("[{]"), HasSubstr("t.json:1:"));
  EXPECT_THAT(serving_refusal("\n[{\"test_name\": }]"), HasSubstr("t.json:2:"));
  EXPECT_THAT(offline_refusal("{}"), HasSubstr("the file holds a table and not an array of tests"));
  EXPECT_THAT(offline_refusal("[1]"), HasSubstr("a test is a whole number and not an object"));
  EXPECT_THAT(serving_refusal("{}"), HasSubstr("the object has no tests"));
  EXPECT_THAT(serving_refusal(R"({"tests": [], "defaults": 3})"),
              HasSubstr("defaults is a whole number and not an object"));
  EXPECT_THAT(offline_refusal(""), HasSubstr("t.json"));
  EXPECT_THAT(offline_refusal(std::string(5000, '[')), HasSubstr("t.json"));
}

TEST(a_test_name, begins_with_its_kind) {
  for (const auto kind : {test_kind::latency, test_kind::throughput, test_kind::startup})
    EXPECT_THAT(offline_refusal(R"([{"test_name": "speed_x"}])", kind),
                HasSubstr("'speed_x' does not begin with " + std::string(name_of(kind)) + "_"));
  EXPECT_THAT(serving_refusal(R"([{"test_name": "latency_x"}])"),
              HasSubstr("'latency_x' does not begin with serving_"));
  EXPECT_THAT(offline_refusal(R"([{"parameters": {}}])"), HasSubstr("no text test_name"));
  EXPECT_THAT(offline_refusal(R"([{"test_name": 3}])"), HasSubstr("no text test_name"));
}

TEST(a_test_name, occurs_once_and_can_be_the_name_of_a_file) {
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_x"}, {"test_name": "latency_x"}])"),
              HasSubstr("'latency_x' occurs twice"));
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_/../../etc/x"}])"),
              HasSubstr("cannot be the name of a file"));
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_)" + std::string(300, 'x') + "\"}]"),
              HasSubstr("cannot be the name of a file"));
}

TEST(an_option_that_the_driver_sets, is_refused) {
  EXPECT_THAT(
      offline_refusal(R"([{"test_name": "latency_x", "parameters": {"output-json": "f"}}])"),
      HasSubstr("output_json is set by the driver"));
  for (const char* const option : {"save_result", "result-dir", "result_filename"})
    EXPECT_THAT(serving_refusal(
                    serving_json(R"("client_parameters": {")" + std::string(option) + R"(": ""})")),
                HasSubstr("is set by the driver"))
        << option;
}

TEST(options, are_an_object_with_names_without_dashes) {
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_x", "parameters": ["a"]}])"),
              HasSubstr("parameters is a list and not an object"));
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_x", "parameters": {"--a": 1}}])"),
              HasSubstr("'--a' of parameters is not the name of an option"));
  EXPECT_THAT(offline_refusal(R"([{"test_name": "latency_x", "parameters": {"": 1}}])"),
              HasSubstr("'' of parameters is not the name of an option"));
}

TEST(a_serving_test, takes_lists_and_keys_that_it_lacks_from_the_defaults) {
  const auto tests = serving_tests(R"({
    "defaults": {"qps_list": ["inf"], "max_concurrency_list": [12, 16],
      "server_parameters": {"model": "org/m", "dtype": "bfloat16", "tensor_parallel_size": 1},
      "server_environment_variables": {"A": 1},
      "client_parameters": {"num_prompts": 200, "random_input_len": 5}},
    "tests": [{"test_name": "serving_a", "qps_list": [1, 0.5],
      "server_parameters": {"dtype": "float16"},
      "client_parameters": {"random-input-len": 128, "num_prompts": 10}},
      {"test_name": "serving_b"}]})",
                                   "t.json");
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].model, "org/m");
  EXPECT_THAT(tests[0].rates, ElementsAre("1", "0.5"));
  EXPECT_THAT(tests[0].concurrencies, ElementsAre(12, 16));
  EXPECT_THAT(option_words(tests[0].server),
              ElementsAre("--dtype", "float16", "--tensor-parallel-size", "1"));
  // The two spellings are two keys, as upstream merges them.
  EXPECT_THAT(
      option_words(tests[0].client),
      ElementsAre("--num-prompts", "10", "--random-input-len", "5", "--random-input-len", "128"));
  EXPECT_THAT(environment_words(tests[0].server_environment), ElementsAre("A=1"));
  EXPECT_THAT(tests[1].rates, ElementsAre("inf"));
}

TEST(a_serving_test, without_a_list_of_concurrencies_has_the_number_of_prompts) {
  const auto tests = serving_tests(
      R"([{"test_name": "serving_a", "qps_list": [1], "server_parameters": {"model": "m"},
           "client_parameters": {"num-prompts": "200"}}])",
      "t.json");
  EXPECT_THAT(tests[0].concurrencies, ElementsAre(200));
  EXPECT_THAT(serving_refusal(R"([{"test_name": "serving_a", "qps_list": [1],
                                   "server_parameters": {"model": "m"}}])"),
              HasSubstr("neither max_concurrency_list nor num_prompts"));
}

TEST(a_serving_test, needs_a_model) {
  for (const char* const model : {R"({"dtype": "x"})", R"({"model": ""})", R"({"model": 3})"})
    EXPECT_THAT(serving_refusal(R"([{"test_name": "serving_a", "qps_list": [1],
                                     "server_parameters": )" +
                                std::string(model) + "}]"),
                HasSubstr("server_parameters has no model"));
}

TEST(a_list_of_rates, has_positive_numbers_once) {
  EXPECT_THAT(serving_refusal(serving_json(R"("qps_list": [])")),
              HasSubstr("qps_list is not a list with at least one value"));
  EXPECT_THAT(serving_refusal(serving_json(R"("qps_list": 4)")),
              HasSubstr("qps_list is not a list"));
  for (const char* const rate : {"0", "-1", R"("fast")", "null", "NaN", R"("1 2")"})
    EXPECT_THAT(serving_refusal(serving_json(R"("qps_list": [)" + std::string(rate) + "]")),
                HasSubstr("which is not a rate above 0"))
        << rate;
  EXPECT_THAT(serving_refusal(serving_json(R"("qps_list": [1, 2, 1.0])")),
              HasSubstr("holds 1 twice"));
  EXPECT_THAT(serving_refusal(R"([{"test_name": "serving_a", "max_concurrency_list": [2],
                                   "server_parameters": {"model": "m"}}])"),
              HasSubstr("the test has no qps_list"));
}

TEST(a_list_of_concurrencies, has_positive_whole_numbers_once) {
  EXPECT_THAT(serving_refusal(serving_json(R"("max_concurrency_list": [])")),
              HasSubstr("max_concurrency_list is not a list with at least one value"));
  for (const char* const value : {"0", "1.5", R"("x")", "1e30"})
    EXPECT_THAT(
        serving_refusal(serving_json(R"("max_concurrency_list": [)" + std::string(value) + "]")),
        HasSubstr("is not a whole number above 0"))
        << value;
  EXPECT_THAT(serving_refusal(serving_json(R"("max_concurrency_list": [4, 4])")),
              HasSubstr("holds 4 twice"));
}

}  // namespace
}  // namespace inferbench::perf
