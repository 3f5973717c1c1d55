// The driver with shell scripts as servers and benchmarks. The tests of the program run real ones.
#include "perf/driver.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "experiment/sweep_failures.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

/// A benchmark that notes its arguments and writes a result, whose latency is its concurrency.
constexpr const char* bench_script = R"(
cd "$BOX" || exit 9
echo "$*" >> calls
concurrency=0
while [ $# -gt 0 ]; do
  case "$1" in
    --output-json) file=$2 ;;
    --result-filename) file=results/$2 ;;
    --max-concurrency) concurrency=$2 ;;
  esac
  shift
done
case "$file" in
  *fail*) exit 3 ;;
  *nothing*) exit 0 ;;
  *lossy*) echo '{"completed": 4, "failed": 1}' > "$file"; exit 0 ;;
  *lost*) echo '{"completed": 0, "failed": 5}' > "$file"; exit 1 ;;
esac
echo "{\"p99_ttft_ms\": 1, \"p99_tpot_ms\": $concurrency}" > "$file"
)";

class driver_box {
 public:
  driver_box() {
    fs::create_directory(folder.path("results"));
    request.result_folder = folder.path("results");
    request.serve_command = {"sh", "-c", "exit 4", "server"};
    request.bench_command = {"env", "BOX=" + folder.path(), "sh",
                             folder.write("bench.sh", bench_script)};
    // A remote server needs no start.
    request.remote = remote_server{"far", 9000};
  }

  run_tally run() {
    std::FILE* const to = std::fopen(folder.path("printed").c_str(), "w");
    base::output out(to);
    experiment::sweep_console console(out, false, [](std::string_view) {});
    const driver_setting setting{request, devices, console, stop,
                                 [](const std::vector<std::string>&) { return std::nullopt; }};
    run_tally tally;
    try {
      tally = carry_out(setting, tests);
    } catch (const experiment::stopped_sweep&) {
      stopped = true;
    }
    out.flush();
    std::fclose(to);
    return tally;
  }

  void add_serving(const std::string& name, const std::string& concurrencies) {
    tests.serving.push_back(serving_tests(R"([{"test_name": ")" + name + R"(", "qps_list": ["inf"],
            "max_concurrency_list": )" + concurrencies +
                                              R"(, "server_parameters": {"model": "m"},
            "client_parameters": {"model": "m", "num_prompts": 5}}])",
                                          "t.json")
                                .front());
  }
  void add_latency(const std::string& name) {
    tests.latency.push_back(
        offline_tests(test_kind::latency,
                      R"([{"test_name": ")" + name + R"(", "parameters": {"model": "m"}}])",
                      "t.json")
            .front());
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& each : fs::directory_iterator(folder.path("results")))
      out.push_back(each.path().filename().string());
    return out;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return base::read_file(folder.path(name));
  }

  support::temporary_folder folder;
  run_request request = {};
  device_set devices{1, "H100", ""};
  chosen_tests tests = {};
  std::atomic<bool> stop = false;
  bool stopped = false;
};

TEST(the_driver, makes_every_point_and_records_its_commands) {
  driver_box box;
  box.add_serving("serving_a", "[2, 4]");
  box.add_latency("latency_b");
  const run_tally tally = box.run();
  EXPECT_EQ(tally.made, 3);
  EXPECT_EQ(tally.failed, 0);
  EXPECT_THAT(box.files(), UnorderedElementsAre("serving_a_qps_inf_concurrency_2.json",
                                                "serving_a_qps_inf_concurrency_2.commands",
                                                "serving_a_qps_inf_concurrency_4.json",
                                                "serving_a_qps_inf_concurrency_4.commands",
                                                "latency_b.json", "latency_b.commands"));
  EXPECT_THAT(box.text("results/serving_a_qps_inf_concurrency_4.commands"),
              AllOf(HasSubstr("Using Remote Server far 9000"), HasSubstr("--max-concurrency 4"),
                    HasSubstr(R"("gpu_type": "H100")"), Not(HasSubstr("adaptive"))));
  EXPECT_THAT(box.text("calls"),
              HasSubstr("latency --output-json " + box.folder.path("results/latency_b.json") +
                        " --model m\n"));
}

TEST(the_driver, goes_on_after_a_failure) {
  driver_box box;
  box.add_latency("latency_fail");
  box.add_latency("latency_nothing");
  box.add_latency("latency_good");
  const run_tally tally = box.run();
  EXPECT_EQ(tally.made, 1);
  EXPECT_EQ(tally.failed, 2);
  EXPECT_THAT(box.text("printed"),
              AllOf(HasSubstr("Failed test case latency_fail: the benchmark ended with exit "
                              "status 3"),
                    HasSubstr("Failed test case latency_nothing: the benchmark has not written")));
}

TEST(the_driver, does_not_take_an_old_result_for_a_new_one) {
  driver_box box;
  box.folder.write("results/latency_fail.json", "{}");
  box.add_latency("latency_fail");
  EXPECT_EQ(box.run().failed, 1);
  EXPECT_FALSE(fs::exists(box.folder.path("results/latency_fail.json")));
}

TEST(the_driver, removes_the_old_files_of_a_test_before_its_server_starts) {
  driver_box box;
  box.request.remote.reset();
  box.add_serving("serving_a", "[2, 4]");
  box.tests.serving.front().server.set("port", options::node::of(std::int64_t{1}));
  for (const char* const old :
       {"serving_a_qps_inf_concurrency_2.json", "serving_a_qps_inf_concurrency_2.commands",
        "serving_a_qps_inf_concurrency_4.json", "serving_a_qps_inf_sla_summary.json",
        "serving_a_qps_inf_concurrency_3.json", "serving_b_qps_inf_concurrency_2.json"})
    box.folder.write(std::string("results/") + old, "{}");
  EXPECT_EQ(box.run().failed, 1);
  // The result of a probe stays for the next search, and the result of another test stays, too.
  EXPECT_THAT(box.files(), UnorderedElementsAre("serving_a_qps_inf_concurrency_3.json",
                                                "serving_b_qps_inf_concurrency_2.json"));
}

TEST(the_driver, ends_if_an_old_file_cannot_be_removed) {
  driver_box box;
  box.add_serving("serving_a", "[2]");
  box.folder.write("results/serving_a_qps_inf_concurrency_2.json/file", "");
  EXPECT_THAT(support::error_text([&] { return box.run(); }),
              AllOf(HasSubstr("cannot remove the old result"), HasSubstr("--result-dir")));
  EXPECT_FALSE(fs::exists(box.folder.path("calls")));
}

TEST(the_driver, names_each_point_with_failed_requests) {
  driver_box box;
  box.add_serving("serving_lossy", "[2, 4]");
  box.add_serving("serving_lost", "[8]");
  box.add_serving("serving_good", "[2]");
  const run_tally tally = box.run();
  EXPECT_EQ(tally.made, 3);
  EXPECT_EQ(tally.failed, 1);
  EXPECT_EQ(tally.with_failed_requests, 3);
  EXPECT_THAT(
      box.text("printed"),
      AllOf(HasSubstr("Incomplete test case serving_lossy_qps_inf_concurrency_2: 1 of 5 requests "
                      "failed: the row has the figures of the others\n"),
            HasSubstr("Incomplete test case serving_lossy_qps_inf_concurrency_4: 1 of 5 requests"),
            HasSubstr("Incomplete test case serving_lost_qps_inf_concurrency_8: all 5 requests "
                      "failed"),
            Not(HasSubstr("Incomplete test case serving_good"))));
}

TEST(the_driver, skips_a_test_without_enough_devices) {
  driver_box box;
  box.add_latency("latency_a");
  box.request.remote.reset();
  box.tests.latency.front().parameters.set("tensor_parallel_size",
                                           options::node::of(std::int64_t{4}));
  const run_tally tally = box.run();
  EXPECT_EQ(tally.skipped, 1);
  EXPECT_EQ(tally.made, 0);
  EXPECT_THAT(box.text("printed"),
              HasSubstr("Skipped test case latency_a: it needs 4 devices, and this machine has 1"));
}

TEST(the_driver, reports_a_server_that_does_not_start_and_goes_on) {
  driver_box box;
  box.request.remote.reset();
  box.add_serving("serving_a", "[2]");
  box.tests.serving.front().server.set("port", options::node::of(std::int64_t{1}));
  box.add_latency("latency_b");
  const run_tally tally = box.run();
  EXPECT_EQ(tally.failed, 1);
  EXPECT_EQ(tally.made, 1);
  EXPECT_THAT(box.text("printed"), HasSubstr("Failed test case serving_a: the server sh ended with "
                                             "exit status 4 before it was ready"));
}

TEST(the_driver, looks_for_the_largest_concurrency_after_the_points) {
  driver_box box;
  box.request.refinement = refinement_rule{{3000, 19}, 8, 1024};
  box.add_serving("serving_a", "[24, 16]");
  EXPECT_EQ(box.run().made, 5);
  EXPECT_EQ(box.text("results/serving_a_qps_inf_sla_summary.json"),
            "{\n  \"test_name\": \"serving_a\",\n  \"qps\": \"inf\",\n  \"sla_ttft_ms\": 3000.0,\n"
            "  \"sla_tpot_ms\": 19.0,\n  \"static_last_pass\": 16,\n  \"static_first_fail\": 24,\n"
            "  \"final_last_pass\": 19,\n  \"final_first_fail\": 20\n}\n");
  EXPECT_THAT(box.text("results/serving_a_qps_inf_concurrency_18.commands"),
              AllOf(HasSubstr("adaptive_search=1"), HasSubstr(R"("adaptive_search": true)")));
  EXPECT_THAT(box.text("printed"),
              HasSubstr("At qps inf the largest concurrency that passed is 19, and the smallest "
                        "above it that failed is 20; each verdict rests on 1 run"));
}

TEST(the_driver, reuses_the_result_of_a_probe_but_not_of_a_point) {
  driver_box box;
  box.request.refinement = refinement_rule{{3000, 19}, 8, 1024};
  box.add_serving("serving_a", "[16, 24]");
  box.folder.write("results/serving_a_qps_inf_concurrency_20.json",
                   R"({"p99_ttft_ms": 1, "p99_tpot_ms": 1})");
  box.folder.write("results/serving_a_qps_inf_concurrency_16.json", "{}");
  // The points 16 and 24, and the probes 22 and 21.
  EXPECT_EQ(box.run().made, 4);
  EXPECT_THAT(box.text("printed"),
              HasSubstr("Reused the result of serving_a_qps_inf_concurrency_20"));
  EXPECT_THAT(box.text("results/serving_a_qps_inf_sla_summary.json"),
              HasSubstr("\"final_last_pass\": 20"));
}

TEST(a_dry_run_of_the_driver, shows_the_commands_and_runs_nothing) {
  driver_box box;
  box.request.dry_run = true;
  box.request.remote.reset();
  box.request.bench_command.clear();
  box.request.refinement = refinement_rule{};
  box.add_serving("serving_a", "[2]");
  box.add_latency("latency_b");
  box.folder.write("results/serving_a_qps_inf_concurrency_2.json", "{}");
  EXPECT_EQ(box.run().made, 0);
  EXPECT_THAT(box.files(), ElementsAre("serving_a_qps_inf_concurrency_2.json"));
  EXPECT_THAT(box.text("printed"),
              AllOf(HasSubstr("Server command: sh -c 'exit 4' server m\n"),
                    HasSubstr("Client command: inferbench serve --save-result"),
                    HasSubstr("Command: inferbench latency --output-json")));
}

TEST(an_interrupt, ends_the_driver) {
  driver_box box;
  box.add_latency("latency_a");
  box.stop = true;
  box.run();
  EXPECT_TRUE(box.stopped);
  EXPECT_FALSE(fs::exists(box.folder.path("calls")));
}

}  // namespace
}  // namespace inferbench::perf
