#include "perf/benchmark_words.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

serving_test serving_test_with(const std::string& server = "", const std::string& client = "") {
  return serving_tests(R"([{"test_name": "serving_a_tp2", "qps_list": ["inf"],
      "max_concurrency_list": [12],
      "server_parameters": {"model": "org/m", "tensor_parallel_size": 2)" +
                           server + R"(},
      "server_environment_variables": {"A": "x y", "API_KEY": "secret"},
      "client_parameters": {"model": "org/m", "ignore-eos": "", "num_prompts": 200)" +
                           client + "}}]",
                       "t.json")
      .front();
}

offline_test latency_test_of_words() {
  return offline_tests(test_kind::latency,
                       R"([{"test_name": "latency_a", "parameters": {"model": "org/m",
      "tensor_parallel_size": 1, "dtype": "float16"}, "environment_variables": {"B": 1}}])",
                       "t.json")
      .front();
}

run_request usual_request() {
  run_request out;
  out.serve_command = {"vllm", "serve"};
  return out;
}

const serving_point point{"inf", 12, false};

TEST(the_server_command, has_environment_model_and_options) {
  const test_command command = server_command(serving_test_with(), usual_request());
  EXPECT_EQ(command.line(), "'A=x y' 'API_KEY=(cut)' vllm serve org/m --tensor-parallel-size 2");
  EXPECT_THAT(command.executable(false),
              ElementsAre("env", "A=x y", "API_KEY=secret", "vllm", "serve", "org/m",
                          "--tensor-parallel-size", "2"));
}

TEST(the_client_command, has_the_place_of_the_result_and_the_point) {
  EXPECT_EQ(client_command(serving_test_with(), point, usual_request()).line(),
            "inferbench serve --save-result --result-dir results --result-filename "
            "serving_a_tp2_qps_inf_concurrency_12.json --request-rate inf --max-concurrency 12 "
            "--metadata tensor_parallel_size=2 --model org/m --ignore-eos --num-prompts 200");
}

TEST(the_client_command, tells_compilation_and_search_as_metadata) {
  EXPECT_THAT(client_command(
                  serving_test_with(R"(, "compilation_config.mode": 3, "optimization_level": 2)"),
                  {"4", 20, true}, usual_request())
                  .line(),
              HasSubstr("--metadata tensor_parallel_size=2 compilation_config.mode=3 "
                        "optimization_level=2 adaptive_search=1 --model"));
}

TEST(the_number_of_prompts, follows_the_concurrency_if_that_is_asked_for) {
  run_request asked = usual_request();
  asked.prompts = prompt_rule{5, 1, 50};
  const std::string line =
      client_command(serving_test_with("", R"(, "num-prompts": 7)"), point, asked).line();
  EXPECT_THAT(line, HasSubstr("--max-concurrency 12 --num-prompts 50 --metadata"));
  EXPECT_EQ(line.find("--num-prompts"), line.rfind("--num-prompts"));
}

TEST(a_remote_server, is_named_behind_the_options_of_the_client) {
  run_request asked = usual_request();
  asked.remote = remote_server{"far", 9000};
  EXPECT_THAT(client_command(serving_test_with(), point, asked).line(),
              testing::EndsWith("--num-prompts 200 --host far --port 9000"));
  EXPECT_THAT(serving_record(serving_test_with(), point, asked, "H100"),
              HasSubstr(R"("server_command": "Using Remote Server far 9000")"));
}

TEST(a_benchmark, is_this_program_or_a_given_command) {
  const test_command own =
      offline_command(test_kind::latency, latency_test_of_words(), usual_request());
  EXPECT_EQ(own.line(),
            "B=1 inferbench latency --output-json results/latency_a.json --model org/m "
            "--tensor-parallel-size 1 --dtype float16");
  EXPECT_THAT(own.executable(true)[2], "/proc/self/exe");
  run_request other = usual_request();
  other.bench_command = {"vllm", "bench"};
  EXPECT_THAT(offline_command(test_kind::startup, latency_test_of_words(), other).line(),
              HasSubstr("B=1 vllm bench startup --output-json"));
}

TEST(a_record, has_the_commands_and_the_devices) {
  EXPECT_EQ(
      offline_record(test_kind::throughput, latency_test_of_words(), usual_request(), "H100\nH100"),
      "{\n  \"throughput_command\": \"B=1 inferbench throughput --output-json "
      "results/latency_a.json --model org/m --tensor-parallel-size 1 --dtype float16\",\n"
      "  \"gpu_type\": \"H100\\nH100\"\n}\n");
  EXPECT_THAT(serving_record(serving_test_with(), point, usual_request(), "cpu"),
              Not(HasSubstr("adaptive")));
  EXPECT_THAT(serving_record(serving_test_with(), {"4", 20, true}, usual_request(), "cpu"),
              HasSubstr("\"gpu_type\": \"cpu\",\n  \"adaptive_search\": true\n}\n"));
}

TEST(a_test, is_skipped_with_too_few_devices) {
  EXPECT_EQ(why_skipped(serving_test_with(), usual_request(), {2, "H100", ""}), std::nullopt);
  EXPECT_EQ(why_skipped(serving_test_with(), usual_request(), {1, "H100", ""}),
            "it needs 2 devices, and this machine has 1");
  EXPECT_EQ(why_skipped(latency_test_of_words(), usual_request(), {1, "H100", ""}), std::nullopt);
  EXPECT_EQ(why_skipped(serving_test_with(), usual_request(), {0, "unknown", ""}), std::nullopt);
}

TEST(a_test, needs_a_numa_node_for_each_part_on_the_cpus) {
  run_request on_cpu = usual_request();
  on_cpu.on_cpu = true;
  const serving_test pipelined = serving_test_with(R"(, "pipeline_parallel_size": 3)");
  EXPECT_EQ(why_skipped(pipelined, on_cpu, {5, "cpu", "-cpu"}),
            "it needs 6 NUMA nodes, and this machine has 5");
  EXPECT_EQ(why_skipped(pipelined, on_cpu, {6, "cpu", "-cpu"}), std::nullopt);
  // On accelerators the pipeline is not counted, as in upstream.
  EXPECT_EQ(why_skipped(pipelined, usual_request(), {2, "H100", ""}), std::nullopt);
  on_cpu.remote = remote_server{"far", 1};
  EXPECT_EQ(why_skipped(pipelined, on_cpu, {1, "cpu", "-cpu"}), std::nullopt);
}

TEST(a_test, is_skipped_if_server_and_client_have_different_models) {
  serving_test test = serving_test_with();
  test.client.set("model", options::node::of(std::string("org/other")));
  EXPECT_EQ(why_skipped(test, usual_request(), {8, "H100", ""}),
            "the server has the model org/m, and the client has the model org/other");
  test.client = options::node::table();
  EXPECT_EQ(why_skipped(test, usual_request(), {8, "H100", ""}), "the client has no model");
}

TEST(a_filter, chooses_by_model_and_dtype) {
  run_request asked = usual_request();
  EXPECT_TRUE(chosen(serving_test_with(), asked));
  asked.model_filter = "org/m";
  EXPECT_TRUE(chosen(serving_test_with(), asked) && chosen(latency_test_of_words(), asked));
  asked.dtype_filter = "float16";
  EXPECT_FALSE(chosen(serving_test_with(), asked));
  EXPECT_TRUE(chosen(latency_test_of_words(), asked));
  asked.model_filter = "org/other";
  EXPECT_FALSE(chosen(latency_test_of_words(), asked));
  asked = usual_request();
  asked.selector = std::regex("^serving", std::regex::extended);
  EXPECT_TRUE(chosen(serving_test_with(), asked));
  EXPECT_FALSE(chosen(latency_test_of_words(), asked));
}

}  // namespace
}  // namespace inferbench::perf
