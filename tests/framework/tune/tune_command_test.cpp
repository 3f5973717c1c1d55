// The command `tune` with stand-ins for server and benchmark.
#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/refusal.hpp"
#include "support/error_text.hpp"
#include "tune/batch_file.hpp"
#include "tune/commands.hpp"
#include "tuning_box.hpp"

namespace inferbench::tune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

/// The path in the line RESULT_FILE=.
std::string result_of(const std::string& printed) {
  result_line found;
  found.add(printed);
  return found.path();
}

TEST(tune, writes_the_files_of_the_script) {
  tuning_box box;
  EXPECT_EQ(tune(box.flags(), box.out, box.readers), 0);
  const std::string file = result_of(box.printed());
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  EXPECT_EQ(folder.parent_path(), box.folder.path("auto-benchmark"));
  EXPECT_EQ(base::read_file(file),
            "hash:unknown\n"
            "max_num_seqs: 4, max_num_batched_tokens: 8, request_rate: inf, e2el: 900.00, "
            "throughput: 3.50, goodput: 3.50\n"
            "best_max_num_seqs: 4, best_num_batched_tokens: 8, best_throughput: 3.50, profile "
            "saved in: " +
                (folder / "profile").string() + "\n");
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    names.push_back(each.path().filename().string());
  EXPECT_THAT(names, UnorderedElementsAre("vllm_log_gpu_memory_utilization_0.98.log",
                                          "vllm_log_4_8.txt", "bm_log_4_8_requestrate_inf.txt",
                                          "bm_log_4_8_requestrate_inf.json",
                                          "vllm_log_BEST_PROFILE.txt", "bm_log_BEST_PROFILE.txt",
                                          "bm_log_BEST_PROFILE.json", "profile", "result.txt"));
}

TEST(tune, has_the_status_1_if_no_server_starts) {
  tuning_box box;
  EXPECT_EQ(tune(box.flags({"--num-seqs-list=13"}), box.out, box.readers), 1);
  EXPECT_EQ(base::read_file(result_of(box.printed())), "hash:unknown\n");
}

TEST(tune, has_the_status_1_if_nothing_could_be_measured) {
  tuning_box box;
  EXPECT_EQ(tune(box.flags({"--num-seqs-list=13 4", "--bench-options=--fake broken",
                            "--memory-option=none"}),
                 box.out, box.readers),
            1);
  EXPECT_THAT(base::read_file(result_of(box.printed())),
              AllOf(HasSubstr("max_num_seqs: 13, max_num_batched_tokens: 8 failed: the server "),
                    HasSubstr("max_num_seqs: 4, max_num_batched_tokens: 8 failed: the benchmark "),
                    EndsWith("best_throughput: 0, profile saved in: none\n")));
}

TEST(tune, counts_a_combination_that_fails_beside_others_as_a_result) {
  tuning_box box;
  EXPECT_EQ(tune(box.flags({"--num-seqs-list=13 4", "--skip-profile"}), box.out, box.readers), 0);
  EXPECT_THAT(base::read_file(result_of(box.printed())),
              AllOf(HasSubstr("max_num_seqs: 13, max_num_batched_tokens: 8 failed: the server "),
                    HasSubstr("best_max_num_seqs: 4, ")));
}

TEST(tune, refuses_a_server_that_is_not_there_before_it_makes_a_folder) {
  tuning_box box;
  std::vector<std::string> flags = box.flags();
  flags[1] = "/no/program";
  EXPECT_THAT(support::error_text([&] { return tune(flags, box.out, box.readers); }),
              StartsWith("--serve-cmd: the program /no/program is not there"));
  EXPECT_FALSE(box.has("auto-benchmark"));
}

TEST(tune, refuses_options_of_benchmarks_before_it_makes_a_folder) {
  tuning_box box;
  box.readers.serve = [](std::span<const std::string> words) {
    if (std::ranges::find(words, "--temprature") != words.end())
      throw options::usage_error("unknown flag --temprature", "did you mean --temperature?");
  };
  const std::vector<std::string> flags = box.flags({"--bench-options", "--temprature 0"});
  const std::string text =
      "--bench-options: unknown flag --temprature; did you mean --temperature?";
  EXPECT_EQ(support::error_text([&] { return tune(flags, box.out, box.readers); }), text);
  EXPECT_FALSE(box.has("auto-benchmark"));
  std::vector<std::string> args{box.folder.write("runs.json", "[{}]")};
  args.insert(args.end(), flags.begin(), flags.end());
  EXPECT_EQ(support::error_text([&] { return batch(args, box.out, box.readers); }), text);
  EXPECT_EQ(box.text("runs.json"), "[{}]");
}

TEST(tune, prints_its_help) {
  tuning_box box;
  EXPECT_EQ(tune(std::vector<std::string>{"-h"}, box.out, box.readers), 0);
  EXPECT_THAT(box.printed(), StartsWith("usage: inferbench tune [FLAG]...\n"));
}

TEST(tune_batch, carries_out_each_run_and_keeps_its_results_in_the_file) {
  tuning_box box;
  const std::string file = box.folder.write(
      "runs.json", R"([{"max_latency_allowed_ms": 950, "tp": 2, "status": "old", "results": "old"},
                       {"num_seqs_list": [13]}, {"output_len": 5000}])");
  std::vector<std::string> args{file};
  // The list of the second run must not be replaced by a flag.
  for (const std::string& flag : box.flags({"--skip-profile", "--memory-option=none"}))
    if (!flag.starts_with("--num-seqs") && !flag.starts_with("--max-latency")) args.push_back(flag);
  EXPECT_EQ(batch(args, box.out, box.readers), 1);
  const batch_file found(base::read_file(file), file);
  EXPECT_EQ(found.member(0, "status"), "SUCCESS");
  EXPECT_THAT(found.member(0, "results"), AllOf(StartsWith("hash:unknown\nmax_num_seqs: 128, "),
                                                HasSubstr("best_max_num_seqs: ")));
  EXPECT_TRUE(box.has("auto-benchmark/" + found.member(0, "run_id") + "/result.txt"));
  EXPECT_EQ(found.member(1, "status"), "FAILURE");
  EXPECT_THAT(found.member(1, "results"), HasSubstr("failed: the server "));
  EXPECT_EQ(found.member(2, "status"), "FAILURE");
  EXPECT_EQ(found.member(2, "run_id"), "");
  EXPECT_EQ(found.member(2, "results"), "");
  EXPECT_THAT(found.variables(0).variables, ElementsAre("MAX_LATENCY_ALLOWED_MS=950", "TP=2"));
  EXPECT_THAT(box.printed(), HasSubstr("3 runs: 1 succeeded, 2 did not\n  run 2: FAILURE, "));
}

TEST(tune_batch, refuses_arguments_that_it_cannot_read) {
  tuning_box box;
  const auto refuses = [&](const std::vector<std::string>& args) {
    return support::is_misuse([&] { return batch(args, box.out, box.readers); });
  };
  const std::string file = box.folder.write("runs.json", "[]");
  EXPECT_TRUE(refuses({}));
  EXPECT_TRUE(refuses({"--port=1"}));
  EXPECT_TRUE(refuses({file, "s3://x"}));
  EXPECT_TRUE(refuses({file, "gs://x", "y"}));
  EXPECT_TRUE(refuses({file, "--portt=1"}));
  EXPECT_FALSE(refuses({file, "gs://x/"}));
  EXPECT_THAT(support::error_text([&] {
                return batch(std::vector<std::string>{box.folder.write("o.json", "{}")}, box.out,
                             box.readers);
              }),
              HasSubstr("o.json: the file is no array of runs"));
}

TEST(tune_batch, prints_its_help) {
  tuning_box box;
  EXPECT_EQ(batch(std::vector<std::string>{"x.json", "--help"}, box.out, box.readers), 0);
  EXPECT_THAT(box.printed(), StartsWith("usage: inferbench tune batch FILE.json "));
}

}  // namespace
}  // namespace inferbench::tune
