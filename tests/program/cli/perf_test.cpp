// The commands `inferbench perf ...`, with real servers and benchmarks.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "program/cli/marked_processes.hpp"
#include "program/cli/process.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A folder in which the command works, with a serving test whose server is a simulator.
class dashboard_box {
 public:
  dashboard_box() {
    where.write("tests/serving.json",
                R"({"defaults": {"qps_list": ["inf"], "server_parameters": {"model": "org/m",
            "tensor_parallel_size": 1, "dtype": "bfloat16", "host": ")" +
                    host() + R"(", "port": 20080}, "client_parameters": {"model": "org/m",
            "backend": "vllm", "tokenizer_mode": "bytes", "temperature": 0, "ignore-eos": "",
            "host": ")" +
                    host() + R"(", "port": 20080, "num_prompts": 6, "dataset_name": "random",
            "random-input-len": 8, "random-output-len": 4}},
          "tests": [{"test_name": "serving_m_tp1", "max_concurrency_list": [1, 3]}]})");
  }

  [[nodiscard]] finished run(const std::vector<std::string>& more = {}) const {
    // The simulator has no options of vLLM: the shell drops them.
    std::vector<std::string> words{"perf",
                                   "run",
                                   "--on-cpu",
                                   "--serving-json",
                                   "serving.json",
                                   "--serve-cmd",
                                   "sh -c 'exec \"$0\" simulate --host " + host() +
                                       " --port 20080 --ttft 1ms --itl 1ms' \"" INFERBENCH_BINARY
                                       "\""};
    words.insert(words.end(), more.begin(), more.end());
    return here(std::move(words));
  }
  /// Runs the program in the folder.
  [[nodiscard]] finished here(std::vector<std::string> words) const {
    return inferbench(std::move(words), in_shell("cd " + where.quoted() + " && exec env " +
                                                 base::shell_word(mark()) + " \"$@\""));
  }
  [[nodiscard]] std::string text(const std::string& name) const { return read(where.path(name)); }
  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(where.path(name)); }
  void await_no_process() const { await_no_process_with(mark()); }

  const folder where;

 private:
  [[nodiscard]] std::string mark() const { return "INFERBENCH_TEST_OF_PERF=" + where.path(); }
  /// An address of the loopback network that no other test uses.
  static std::string host() {
    const auto id = static_cast<unsigned>(::getpid());
    return "127." + std::to_string(128 + (id >> 16U) % 100) + "." +
           std::to_string((id >> 8U) % 256) + "." + std::to_string(id % 256);
  }
};

TEST(perf, shows_its_commands) {
  const finished help = inferbench({"perf", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, StartsWith("usage: inferbench perf COMMAND"));
  for (const char* const name : {"run", "convert", "compare"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + name + " "));
    const finished own = inferbench({"perf", name, "--help"});
    EXPECT_EQ(own.status, 0) << name;
    EXPECT_THAT(own.out, HasSubstr("sage: inferbench perf " + std::string(name)));
  }
  const finished bare = inferbench({"perf"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_EQ(bare.err, help.out);
  const finished wrong = inferbench({"perf", "covert"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "inferbench: unknown command perf covert; did you mean convert?\n");
}

TEST(perf_run, makes_the_points_and_the_page_of_a_test) {
  const dashboard_box box;
  const finished end = box.run();
  ASSERT_EQ(end.status, 0) << end.out << end.err;
  EXPECT_THAT(end.out, HasSubstr("2 benchmarks made, 0 failed, 0 tests skipped\n"));
  const auto rows =
      base::parse_json(box.text("results/benchmark_results.json"), "benchmark_results.json");
  ASSERT_TRUE(rows.IsArray());
  ASSERT_EQ(rows.Size(), 2U);
  const std::vector<int> concurrencies{1, 3};
  for (rapidjson::SizeType i = 0; i < 2; ++i) {
    const std::string name =
        "serving_m_tp1_qps_inf_concurrency_" + std::to_string(concurrencies[i]);
    EXPECT_EQ(base::text_of(base::find(&rows[i], "Test name")), name);
    EXPECT_EQ(rows[i]["# of max concurrency."].GetInt(), concurrencies[i]);
    EXPECT_EQ(rows[i]["# of req."].GetInt(), 6);
    EXPECT_EQ(rows[i]["TP Size"].GetInt(), 1);
    EXPECT_EQ(rows[i]["Input Len"].GetInt(), 8);
    EXPECT_EQ(base::text_of(base::find(&rows[i], "dtype")), "bfloat16");
    EXPECT_THAT(std::string(base::text_of(base::find(&rows[i], "GPU"))), HasSubstr("1x"));
    EXPECT_GT(rows[i]["P99"].GetDouble(), 0.5);
    EXPECT_THAT(box.text("results/" + name + ".commands"),
                AllOf(HasSubstr("org/m --tensor-parallel-size 1"),
                      HasSubstr("\"client_command\": \"inferbench serve --save-result"),
                      HasSubstr("--metadata tensor_parallel_size=1 ")));
  }
  EXPECT_THAT(box.text("results/benchmark_results.md"),
              HasSubstr("| serving_m_tp1_qps_inf_concurrency_3 | org/m"));
  EXPECT_THAT(box.text("results/vllm_env.txt"), StartsWith("inferbench version: "));
  EXPECT_TRUE(box.has("perf_comparison.html"));
  box.await_no_process();
}

TEST(perf_run, refines_the_concurrency_and_converts_again) {
  const dashboard_box box;
  const finished end =
      box.run({"--adaptive-concurrency", "--sla-ttft-ms", "1e9", "--sla-tpot-ms", "1e9",
               "--adaptive-max-concurrency", "6", "--prompts-per-concurrency", "2"});
  ASSERT_EQ(end.status, 0) << end.out << end.err;
  EXPECT_THAT(box.text("results/serving_m_tp1_qps_inf_sla_summary.json"),
              AllOf(HasSubstr("\"static_last_pass\": 3"), HasSubstr("\"final_last_pass\": 6"),
                    HasSubstr("\"final_first_fail\": null")));
  EXPECT_TRUE(box.has("results/serving_m_tp1_qps_inf_concurrency_5.json"));
  const std::string page = box.text("results/benchmark_results.md");
  const finished again = box.here({"perf", "convert"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out,
            "Saved: results/benchmark_results.md\nSaved: results/benchmark_results.json\n");
  EXPECT_EQ(box.text("results/benchmark_results.md"), page);
}

TEST(perf_run, has_the_status_1_if_a_benchmark_fails) {
  const dashboard_box box;
  const finished end = box.run({"--bench-cmd", "false"});
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.out, AllOf(HasSubstr("the benchmark ended with exit status 1"),
                             HasSubstr("0 benchmarks made, 2 failed")));
  EXPECT_EQ(box.text("results/benchmark_results.json"), "[]");
  box.await_no_process();
}

TEST(perf_run, says_at_the_end_that_requests_failed) {
  const dashboard_box box;
  // The arguments are serve --save-result --result-dir FOLDER --result-filename FILE --request-rate
  // RATE --max-concurrency N.
  box.where.write("bench.sh", R"(echo "{\"max_concurrency\": ${10}, \"completed\": 4, )"
                              R"(\"failed\": 2, \"output_throughput\": 5.5, )"
                              R"(\"p99_ttft_ms\": 1.5, \"p99_tpot_ms\": 1.5}" > "$4/$6")");
  const finished end = box.run({"--bench-cmd", "sh bench.sh"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out,
              AllOf(HasSubstr("concurrency_3: 2 of 6 requests failed: the row has the figures of "
                              "the others\n"),
                    HasSubstr("\n2 points have failed requests: their rows have the figures of the "
                              "other requests\n")));
}

TEST(perf_run, refuses_a_folder_of_results_that_names_a_kind) {
  const dashboard_box box;
  const finished end = box.run({"-r", "serving"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("--result-dir: \"serving\" contains \"serving\""));
  EXPECT_FALSE(box.has("serving"));
}

TEST(perf_run, shows_all_commands_in_a_dry_run) {
  const finished end =
      inferbench({"perf", "run", "--on-cpu", "--dry-run", "--tests-dir", fixture("perf/tests"),
                  "--serving-json", "serving.json", "--latency-json", "latency.json"});
  EXPECT_EQ(end.status, 0) << end.err;
  // The number of NUMA nodes is the machine's.
  const auto at = end.out.find("this machine has ");
  ASSERT_NE(at, std::string::npos);
  std::string text = end.out;
  text.replace(at, text.find('\n', at) - at, "this machine has N");
  support::expect_golden(text, fixture("perf/dry_run.txt"));
  EXPECT_FALSE(fs::exists("results"));
}

TEST(perf_run, refuses_bad_definitions_before_anything_is_made) {
  const dashboard_box box;
  const std::vector<std::pair<const char*, const char*>> bad = {
      {R"([{"test_name": "latency_x"}])", "does not begin with serving_"},
      {R"([{"test_name": "serving_x", "qps_list": [], "max_concurrency_list": [1],
            "server_parameters": {"model": "m"}}])",
       "qps_list is not a list with at least one value"},
      {"[{", "serving.json:1:"}};
  for (const auto& [text, message] : bad) {
    box.where.write("tests/serving.json", text);
    const finished end = box.run();
    EXPECT_NE(end.status, 0);
    EXPECT_THAT(end.err, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
    EXPECT_FALSE(box.has("results"));
  }
}

TEST(perf_convert, says_that_there_is_no_result) {
  const dashboard_box box;
  fs::create_directory(box.where.path("results"));
  const finished end = box.here({"perf", "convert"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out,
              StartsWith("There is no result of a serving, latency or throughput test in results\n"
                         "Saved: "));
  EXPECT_EQ(box.text("results/benchmark_results.json"), "[]");
}

TEST(perf_convert, says_that_the_folder_is_missing) {
  const dashboard_box box;
  const finished end = box.here({"perf", "convert", "-r", "nowhere"});
  EXPECT_NE(end.status, 0);
  EXPECT_EQ(end.err,
            "inferbench: nowhere does not exist; name the folder of the results by --result\n");
}

}  // namespace
}  // namespace inferbench::testing
