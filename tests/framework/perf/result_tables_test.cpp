#include "perf/result_tables.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "result_box.hpp"

namespace inferbench::perf {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(read_results, leaves_out_other_files_with_a_notice) {
  const result_tables tables = read_results(INFERBENCH_FIXTURES "/perf/results");
  EXPECT_THAT(tables.notices, ElementsAre(HasSubstr("startup_small.json: it is no result")));
  const result_box box;
  box.add("latency_a", latency_result);
  box.folder.write("r/serving_b.json", "{}");
  EXPECT_THAT(box.tables().notices,
              ElementsAre(HasSubstr("serving_b.json: there is no serving_b.commands")));
}

TEST(read_results, has_no_notice_about_the_programs_own_outputs) {
  const result_box box;
  box.add("latency_a", latency_result);
  box.folder.write("r/benchmark_results.json", "[]");
  box.folder.write("r/serving_a_qps_inf_sla_summary.json", "{}");
  EXPECT_THAT(box.tables().notices, IsEmpty());
}

TEST(read_results, takes_a_result_with_the_name_of_an_output) {
  const result_box box;
  box.add("latency_sla_summary", latency_result);
  EXPECT_EQ(box.tables().latency.front().cells.size(), 1U);
}

TEST(read_results, says_that_there_is_no_result) {
  const result_box box;
  box.folder.write("r/benchmark_results.json", "[]");
  EXPECT_THAT(box.tables().notices,
              ElementsAre("There is no result of a serving, latency or throughput test in " +
                          box.folder.path("r")));
}

TEST(the_kind_of_a_path, is_the_first_of_three_words_in_it) {
  EXPECT_EQ(kind_of_path("latency/serving_a.json"), test_kind::serving);
  EXPECT_EQ(kind_of_path("throughput/latency_a.json"), test_kind::latency);
  EXPECT_EQ(kind_of_path("my-throughputs"), test_kind::throughput);
  EXPECT_EQ(kind_of_path("results/startup_a.json"), std::nullopt);
}

TEST(the_kind_of_a_result, follows_from_its_whole_path) {
  const result_box box;
  box.folder.write("serving-results/latency_a.json", R"({"completed": 3})");
  box.folder.write("serving-results/latency_a.commands",
                   R"({"server_command": "a b", "client_command": "a b", "gpu_type": "A"})");
  const result_tables tables = read_results(box.folder.path("serving-results"));
  EXPECT_THAT(tables.latency, IsEmpty());
  EXPECT_EQ(tables.serving.size(), 3U);
}

TEST(a_folder, that_is_not_there_is_an_error) {
  const result_box box;
  EXPECT_THAT(box.refusal(), HasSubstr("does not exist"));
  box.folder.write("r", "");
  EXPECT_THAT(box.refusal(), HasSubstr("is not a folder"));
}

TEST(a_latency_result, needs_all_six_percentiles) {
  const result_box box;
  box.add("latency_a", R"({"avg_latency": 1, "percentiles": {"10": 1, "25": 1, "50": 2}})");
  EXPECT_THAT(box.refusal(), HasSubstr("latency_a.json: the result has no number percentiles.75"));
  box.add("latency_a", R"({"avg_latency": 1})");
  EXPECT_THAT(box.refusal(), HasSubstr("percentiles.10"));
}

TEST(a_latency_result, has_the_smallest_whole_number_as_a_real_number_of_milliseconds) {
  const result_box box;
  box.add("latency_a", R"({"avg_latency": -9223372036854775808,
      "percentiles": {"10": 1, "25": 1, "50": 2, "75": 1, "90": 1, "99": 3}})");
  const result_column mean = box.tables().latency.at(2);
  EXPECT_EQ(mean.title, "Mean latency (ms)");
  EXPECT_EQ(mean.cells.at(0).real, -0x1p63 * 1000);
}

TEST(a_throughput_result, needs_its_columns) {
  const result_box box;
  box.add("throughput_a", R"({"num_requests": 3})");
  EXPECT_THAT(box.refusal(), HasSubstr("total_num_tokens"));
}

TEST(a_serving_result, needs_both_commands_with_two_words) {
  const result_box box;
  for (const char* const commands :
       {"{}", R"({"server_command": "a b"})", R"({"server_command": 3, "client_command": "a b"})",
        R"({"server_command": "a b", "client_command": "a"})"}) {
    box.add("serving_a", "{}", commands);
    EXPECT_THAT(box.refusal(), HasSubstr("serving_a.commands")) << commands;
  }
}

TEST(a_result, that_is_cut_or_no_object_is_refused_with_its_name) {
  const result_box box;
  for (const char* const result : {"", "[]", R"({"avg_latency": )", "\xff"}) {
    box.add("latency_a", result);
    EXPECT_THAT(box.refusal(), HasSubstr("latency_a.json")) << result;
  }
  box.add("latency_a", latency_result, "[");
  EXPECT_THAT(box.refusal(), HasSubstr("latency_a.commands"));
}

}  // namespace
}  // namespace inferbench::perf
