#include "experiment/result_file.hpp"

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/parameter_file.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;

sweep::item result_item(const std::string& json) {
  return sweep::parse_parameters("[" + json + "]", "items.json").front();
}

std::string refusal_of_result(const std::string& text) {
  const support::temporary_folder box;
  try {
    static_cast<void>(read_result(box.write("run=0.json", text)));
  } catch (const base::error& e) {
    return std::string(e.what()).substr(box.path().size() + 1);
  }
  return {};
}

std::string enriched(const std::string& result, const std::string& serve,
                     const std::string& bench) {
  const support::temporary_folder box;
  const auto out = read_result(box.write("run=0.json", result));
  enrich(*out, 3, result_item(serve), result_item(bench));
  return pytext::python_json(*out, 0);
}

TEST(result_file, is_refused_if_it_is_cut_or_no_object) {
  EXPECT_THAT(refusal_of_result(""), HasSubstr("run=0.json:1:1: malformed JSON"));
  EXPECT_THAT(refusal_of_result("{\"a\": 1,\n\"b\""), HasSubstr("run=0.json:2:4: malformed JSON"));
  EXPECT_THAT(refusal_of_result("{} {}"), HasSubstr("malformed JSON"));
  for (const char* other : {"[]", "1", "null", "\"text\""})
    EXPECT_EQ(refusal_of_result(other), "run=0.json: the file does not contain a JSON object");
  EXPECT_EQ(refusal_of_result(R"({"a": Infinity, "b": NaN, "c": "\ud800"})"), "");
}

TEST(result_file, is_refused_if_it_is_not_there) {
  EXPECT_THROW(static_cast<void>(read_result("/no/such/file")), base::error);
}

TEST(result_file, gets_the_parameters_of_which_those_of_the_benchmark_win) {
  EXPECT_EQ(enriched(R"({"x": 1})", R"({"_benchmark_name": "s", "a": 1, "b": [2.0]})",
                     R"({"_benchmark_name": "b", "a": "one", "c": {"d": null}})"),
            R"({"x": 1, "run_number": 3, "_benchmark_name": "b", "a": "one", "b": [2.0], )"
            R"("c": {"d": null}})");
}

TEST(result_file, keeps_the_place_of_a_member_that_is_replaced) {
  EXPECT_EQ(enriched(R"({"run_number": 7, "request_rate": "inf", "y": 1})", "{}",
                     R"({"request_rate": 16})"),
            R"({"run_number": 3, "request_rate": 16, "y": 1})");
}

TEST(result_file, has_the_parameters_as_the_user_spelled_them) {
  EXPECT_EQ(enriched("{}", R"({"max-num-seqs": 1e3, "big": 36893488147419103232})", "{}"),
            R"({"run_number": 3, "max-num-seqs": 1000.0, "big": 3.6893488147419103e+19})");
}

TEST(result_file, is_part_of_the_summary_with_four_blanks_for_a_level) {
  std::vector<sweep::run_object> runs;
  for (const char* text : {R"({"a": 1.50, "b": []})", R"({"a": "\u00e4", "c": {"d": true}})"})
    runs.push_back(
        std::make_shared<ifb::json_document>(pytext::read_json_document(text, "test.json")));
  EXPECT_EQ(summary_json(runs), R"([
    {
        "a": 1.5,
        "b": []
    },
    {
        "a": "\u00e4",
        "c": {
            "d": true
        }
    }
])");
  EXPECT_EQ(summary_json({}), "[]");
}

TEST(json_line, tells_parameters_apart_by_type_and_order) {
  EXPECT_EQ(json_line(result_item(R"({"b": 1, "a": 1.0, "c": "1"})")),
            R"({"b": 1, "a": 1.0, "c": "1"})");
  EXPECT_EQ(json_line({}), "{}");
}

TEST(name_or_default, is_the_name_of_the_combination) {
  EXPECT_EQ(name_or_default({}), "default");
  EXPECT_EQ(name_or_default(result_item(R"({"a": 1, "b": true})")), "a=1-b=True");
  EXPECT_EQ(name_or_default(result_item(R"({"_benchmark_name": "n", "b": true})")), "n");
}

// A pipe without a writer would be waited for without end, and a device has no end.
TEST(result_file, is_refused_if_it_is_no_regular_file) {
  const support::temporary_folder box;
  const std::string pipe = box.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", box.path("zero"));
  for (const char* name : {"pipe", "zero", ""}) {
    try {
      static_cast<void>(read_result(box.path(name)));
      FAIL() << name;
    } catch (const base::error& e) {
      EXPECT_THAT(e.what(), HasSubstr(" is not a regular file"));
    }
  }
  box.write("run=0.json", "{}");
  std::filesystem::create_symlink("run=0.json", box.path("link"));
  EXPECT_TRUE(read_result(box.path("link"))->IsObject());
}

}  // namespace
}  // namespace inferbench::experiment
