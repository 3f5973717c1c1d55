// The offline benchmarks from the command line to the files of their results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/offline_box.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class offline_programs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  }
  /// Runs a benchmark with all files of results and compares them and the lines with a golden file.
  void expect_report(std::vector<std::string> args, const std::string& golden) {
    args.insert(args.end(), {"--output-json", box.where.path("out.json")});
    const finished end = box.run(args, "{}", {"SAVE_TO_PYTORCH_BENCHMARK_FORMAT=1"});
    ASSERT_EQ(end.status, 0) << end.err;
    std::string found = end.out;
    for (const char* name : {"out.json", "out.pytorch.json"})
      if (std::filesystem::exists(box.where.path(name)))
        found += "---- " + std::string(name) + "\n" + read(box.where.path(name)) + "\n";
    support::expect_golden(box.steady(found), fixture("cli/" + golden));
  }
  /// The lines of the report, without the line of the command.
  std::string report_of(const std::vector<std::string>& args, const std::string& script = "{}",
                        const std::vector<std::string>& variables = {}) {
    const finished end = box.run(args, script, variables);
    EXPECT_EQ(end.status, 0) << end.err;
    return box.steady(end.out.substr(end.out.find('\n') + 1));
  }

  static std::string tokens(const std::string& prompt, const std::string& output) {
    return "Throughput: {time} requests/s, {time} total tokens/s, {time} output tokens/s\n"
           "Total num prompt tokens:  " +
           prompt + "\nTotal num output tokens:  " + output + "\n";
  }

  const offline_box box;
};

TEST_F(offline_programs, report_a_throughput) {
  expect_report(offline_box::throughput({"--num-warmups", "2"}), "offline_throughput.txt");
}

TEST_F(offline_programs, report_a_latency) {
  expect_report(offline_box::latency(), "offline_latency.txt");
}

TEST_F(offline_programs, report_the_stages_of_multimodal_prompts) {
  expect_report({"mm-processor", "--model", "m", "--tokenizer-mode", "bytes", "--num-prompts", "2",
                 "--random-input-len", "8", "--random-output-len", "4", "--random-mm-bucket-config",
                 "{(16, 16, 1): 1.0}", "--metric-percentiles", "50,99"},
                "offline_mm_processor.txt");
}

TEST_F(offline_programs, write_files_only_if_they_are_asked_for) {
  EXPECT_EQ(box.run(offline_box::latency(), "{}", {"SAVE_TO_PYTORCH_BENCHMARK_FORMAT=1"}).status,
            0);
  const std::string json = box.where.path("out.json");
  EXPECT_EQ(box.run(offline_box::latency({"--output-json", json}), "{}",
                    {"SAVE_TO_PYTORCH_BENCHMARK_FORMAT="})
                .status,
            0);
  EXPECT_TRUE(std::filesystem::exists(json));
  EXPECT_FALSE(std::filesystem::exists(box.where.path("out.pytorch.json")));
}

TEST_F(offline_programs, print_a_result_that_cannot_be_written_and_fail) {
  const finished end = box.run(offline_box::latency({"--output-json", "/dev/full"}));
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.out, HasSubstr("\nAvg latency: "));
  EXPECT_THAT(
      end.err,
      EndsWith("inferbench: cannot write /dev/full: No space left on device; the result is printed "
               "above; name another file with --output-json\n"));
}

TEST_F(offline_programs, count_the_tokens_of_each_engine_as_upstream_does) {
  // The stand-in vllm counts words, of which each of these prompts is one.
  EXPECT_EQ(report_of(offline_box::throughput()), tokens("3", "12"));
  EXPECT_EQ(report_of(offline_box::throughput({"--n", "2"})), tokens("3", "24"));
  EXPECT_EQ(report_of(offline_box::throughput({"--backend", "vllm-chat"})), tokens("3", "12"));
  EXPECT_EQ(report_of(offline_box::throughput({"--backend", "vllm-async"})), tokens("24", "12"));
  EXPECT_EQ(report_of(offline_box::throughput({"--async-engine"})), tokens("24", "12"));
  EXPECT_EQ(report_of(offline_box::throughput({"--backend", "hf", "--hf-max-batch-size", "2"})),
            tokens("24", "12"));
}

TEST_F(offline_programs, queue_requests_before_they_are_scheduled) {
  EXPECT_EQ(report_of(offline_box::throughput({"--prequeue-requests"})), tokens("3", "12"));
}

TEST_F(offline_programs, give_adapters_to_the_requests) {
  EXPECT_EQ(report_of(offline_box::throughput(
                {"--enable-lora", "--lora-path", box.where.path("adapter"), "--max-loras", "2"})),
            tokens("3", "12"));
}

TEST_F(offline_programs, profile_with_the_profiler_of_the_engine) {
  const std::vector<std::string> torch{"--profile", "--profiler-config.profiler", "torch",
                                       "--profiler-config.torch_profiler_dir", "/tmp/traces"};
  EXPECT_EQ(report_of(offline_box::throughput(torch)), tokens("3", "12"));
  EXPECT_EQ(report_of(offline_box::latency(torch)),
            "Warming up...\nProfiling with torch (results will be saved to '/tmp/traces')...\n");
}

TEST_F(offline_programs, search_with_beams) {
  EXPECT_THAT(report_of(offline_box::latency({"--use-beam-search", "--n", "2"})),
              StartsWith("Warming up...\nAvg latency: {time} seconds\n"));
}

TEST_F(offline_programs, share_the_prompts_of_several_processes) {
  const auto shared = [&](const char* rank) {
    const finished end = inferbench(
        offline_box::throughput({"--backend", "reference-engine", "--data-parallel-size", "2",
                                 "--distributed-executor-backend", "external_launcher"}),
        box.through("{}", {std::string("RANK=") + rank, "WORLD_SIZE=2"}));
    EXPECT_EQ(end.status, 0) << end.err;
    return box.steady(end.out.substr(end.out.find('\n') + 1));
  };
  EXPECT_EQ(shared("0"), tokens("16", "8"));
  EXPECT_EQ(shared("1"), tokens("8", "4"));
}

TEST_F(offline_programs, give_options_of_a_data_set_to_its_plugin) {
  const std::vector<std::string> args{"throughput",
                                      "--backend",
                                      "reference-engine",
                                      "--num-prompts",
                                      "2",
                                      "--tokenizer-mode",
                                      "bytes",
                                      "--dataset-name",
                                      "txt-slices",
                                      "--txt-slices-input",
                                      box.where.write("text", "the words of a text"),
                                      "--txt-slices-input-len",
                                      "5",
                                      "--txt-slices-output-len",
                                      "4",
                                      "--num-warmups",
                                      "1"};
  const finished end = inferbench(args, box.through());
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("prompt tokens:  10\nTotal num output tokens:  8\n"));
}

TEST_F(offline_programs, take_the_adapter_of_the_protocol_page) {
  const std::string page = read(std::string(INFERBENCH_SOURCE) + "/docs/engine-protocol.md");
  const std::string mark = "```python\n";
  const std::size_t begin = page.find(mark) + mark.size();
  const std::string adapter =
      box.where.write("echo.py", page.substr(begin, page.find("```", begin) - begin));
  EXPECT_THAT(report_of({"latency", "--backend", "python-engine", "--engine-adapter", adapter,
                         "--num-iters", "1", "--num-iters-warmup", "0"}),
              StartsWith("Warming up...\nAvg latency: {time} seconds\n"));
}

TEST_F(offline_programs, print_the_command_without_secrets) {
  const finished end = box.run(offline_box::latency({"--hf-token", "s3cret"}));
  EXPECT_THAT(end.out, HasSubstr("--hf-token '(cut)'"));
  EXPECT_THAT(end.out + end.err, Not(HasSubstr("s3cret")));
}

TEST_F(offline_programs, explain_their_flags) {
  for (const char* name : {"throughput", "latency", "mm-processor"}) {
    const finished end = inferbench({name, "--help"});
    EXPECT_EQ(end.status, 0);
    EXPECT_THAT(end.out, HasSubstr("--output-json"));
    EXPECT_THAT(end.err, IsEmpty());
  }
}

}  // namespace
}  // namespace inferbench::testing
