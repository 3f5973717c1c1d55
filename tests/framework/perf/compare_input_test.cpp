#include "perf/compare_input.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/perf/compare_files.hpp"

namespace inferbench::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of_input(const std::string& text) {
  try {
    static_cast<void>(file_in("x", text));
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

std::string error_of_split(const std::string& text) {
  try {
    static_cast<void>(split_by_parallelism(parse_compared_file(text, "x.json")));
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

std::vector<std::string> labels_of_paths(const std::vector<std::string>& paths) {
  std::vector<compared_file> files;
  for (const std::string& path : paths)
    files.push_back(parse_compared_file("[]", path));
  label_files(files);
  std::vector<std::string> out;
  for (const compared_file& file : files)
    out.push_back(file.label);
  return out;
}

TEST(a_compared_file, is_an_array_or_an_object_that_holds_the_array) {
  for (const char* text :
       {R"([{"Concurrency": 1}])", R"({"results": [{"Concurrency": 1}]})",
        R"({"serving_results": [{"Concurrency": 1}]})", R"({"benchmarks": [{"Concurrency": 1}]})",
        R"({"results": 5, "data": [{"Concurrency": 1}]})"})
    EXPECT_EQ(parse_compared_file(text, "x").rows.size(), 1U) << text;
}

TEST(a_compared_file, is_refused_with_its_path_if_it_has_another_shape) {
  for (const char* text : {"5", "null", "{}", R"({"results": {}})", R"({"rows": []})"})
    EXPECT_THAT(error_of_input(text),
                HasSubstr("x/benchmark_results.json: expected an array of rows"))
        << text;
  EXPECT_THAT(error_of_input("[{}, 5]"), HasSubstr("row 2 is not an object"));
  EXPECT_THAT(error_of_input("[{\"a\": 1"), HasSubstr("x/benchmark_results.json:1:"));
  EXPECT_THAT(error_of_input("[]"), HasSubstr("the file has no rows"));
}

TEST(the_concurrency_of_a_file, is_found_under_each_known_title) {
  EXPECT_EQ(file_in("x", R"([{"Concurrency": 1, "max_concurrency": 1}])").concurrency,
            "max_concurrency");
  EXPECT_EQ(file_in("x", R"([{"max_concurrency": 1, "# of max concurrency.": 1}])").concurrency,
            "# of max concurrency.");
  const compared_file file = file_in("x", R"([{"Max Concurrency": 7}])");
  EXPECT_EQ(file.cell(*file.rows[0], concurrency_title)->GetInt(), 7);
  EXPECT_TRUE(file.has(concurrency_title));
}

TEST(the_concurrency_of_a_file, is_else_a_column_of_several_whole_numbers) {
  EXPECT_EQ(file_in("x", R"([{"peak concurrent": 1.5, "CONCURRENT users": 1},
                             {"peak concurrent": 2.5, "CONCURRENT users": 2}])")
                .concurrency,
            "CONCURRENT users");
  for (const char* text :
       {R"([{"concurrent": 3}, {"concurrent": 3}])", R"([{"concurrent": 0}, {"concurrent": 3}])",
        R"([{"concurrent": "a"}, {"concurrent": 3}])", R"([{"users": 1}, {"users": 3}])"})
    EXPECT_THAT(error_of_input(text), HasSubstr("no column has the concurrency")) << text;
}

TEST(the_label_of_a_file, is_its_folder_or_its_name) {
  EXPECT_THAT(
      labels_of_paths({"results_a/benchmark_results.json", "b.json", "/x/y//r.json", "/r.json"}),
      ElementsAre("results_a", "b.json", "/x/y", "/"));
}

TEST(the_label_of_a_file, is_unique) {
  EXPECT_THAT(labels_of_paths({"d/a.json", "d/b.json", "d/b.json"}),
              ElementsAre("d/a.json", "d/b.json", "d/b.json (2)"));
}

TEST(a_split, has_a_piece_for_each_pair_of_sizes_in_ascending_order) {
  const compared_file whole = parse_compared_file(
      R"([{"Test name": "serving_b", "tensor_parallel_size": "2", "x": NaN},
          {"Test Name": "my Serving test", "TP Size": 10},
          {"test_name": "serving_c", "tp_size": 2, "pp_size": 1},
          {"test_name": "latency_c", "tp_size": 2}])",
      "x.json");
  const std::vector<parallelism_piece> pieces = split_by_parallelism(whole);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].path, "splits/tp2_pp1/benchmark_results.json");
  EXPECT_EQ(pieces[0].text,
            "[\n"
            "  {\n"
            "    \"Test name\": \"serving_b\",\n"
            "    \"TP Size\": 2,\n"
            "    \"x\": NaN,\n"
            "    \"PP Size\": 1\n"
            "  },\n"
            "  {\n"
            "    \"test_name\": \"serving_c\",\n"
            "    \"TP Size\": 2,\n"
            "    \"PP Size\": 1\n"
            "  }\n"
            "]\n");
  EXPECT_EQ(pieces[1].path, "splits/tp10_pp1/benchmark_results.json");
}

TEST(a_split, takes_a_size_that_is_no_whole_number_for_1) {
  for (const char* size : {"null", "NaN", "Infinity", "0", "-2", "1.5", "1e300", "\"many\"", "[2]"})
    EXPECT_EQ(split_by_parallelism(
                  parse_compared_file(
                      std::string(R"([{"Test name": "serving", "TP Size": )") + size + "}]", "x"))
                  .front()
                  .path,
              "splits/tp1_pp1/benchmark_results.json")
        << size;
}

TEST(a_split, is_refused_without_rows_of_serving_tests) {
  for (const char* text : {"[]", "[{}]", R"([{"Test name": "latency"}])", R"([{"Test name": 5}])"})
    EXPECT_THAT(error_of_split(text), HasSubstr("x.json: the file has no rows of serving tests"))
        << text;
}

}  // namespace
}  // namespace inferbench::perf
