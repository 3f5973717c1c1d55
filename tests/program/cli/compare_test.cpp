// The command `inferbench compare`, with the real program and simulators.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/marked_processes.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace fs = std::filesystem;

/// Folders with results, and files for own runs.
class compare_box {
 public:
  /// Writes a run with these output tokens per second.
  void write_run(const std::string& name, double throughput) const {
    (void)where.write(name, fmt::format(R"({{"backend": "openai", "completed": 20, "failed": 0,
        "request_throughput": 1.0, "output_throughput": {}, "mean_ttft_ms": 10.0,
        "median_ttft_ms": 10.0, "p99_ttft_ms": 20.0, "mean_tpot_ms": 5.0,
        "median_tpot_ms": 5.0}})",
                                        throughput));
  }
  /// Writes four runs around this throughput.
  void write_group(const std::string& name, double throughput) const {
    int number = 0;
    for (const double factor : {0.998, 1.0, 1.001, 1.002})
      write_run(fmt::format("{}/{}.json", name, number++), factor * throughput);
  }
  /// A file of `inferbench run` for this server.
  [[nodiscard]] std::string write_arm(const std::string& name, const simulator& server,
                                      int prompts = 4) const {
    return where.write(name, fmt::format("[server]\nbase-url = \"{}\"\n[backend]\nmodel = \"m\"\n"
                                         "[tokenizer]\nuse = \"bytes\"\n[dataset]\n"
                                         "use = \"random\"\ninput-len = 20\noutput-len = 4\n"
                                         "num-prompts = {}\n",
                                         server.url(), prompts));
  }
  [[nodiscard]] finished compare(const std::vector<std::string>& folders,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"compare"};
    for (const std::string& each : folders)
      words.push_back(where.path(each));
    words.insert(words.end(), more.begin(), more.end());
    return inferbench(words);
  }
  [[nodiscard]] std::size_t results_in(const std::string& name) const {
    std::size_t out = 0;
    std::error_code unknown;
    for (const auto& each : fs::recursive_directory_iterator(where.root / name, unknown))
      if (each.path().extension() == ".json" && !each.path().filename().string().starts_with('.'))
        ++out;
    return out;
  }

  folder where;
};

TEST(compare, has_the_statuses_of_a_gate) {
  const compare_box box;
  box.write_group("base", 100);
  box.write_group("same", 100.1);
  box.write_group("slow", 80);
  box.write_run("noisy/0.json", 60);
  box.write_run("noisy/1.json", 150);
  const std::vector<std::string> gate{"--gate", "--metric", "output_throughput"};
  const finished same = box.compare({"base", "same"}, gate);
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  const finished slow = box.compare({"base", "same", "slow"}, gate);
  EXPECT_EQ(slow.status, 5) << slow.out << slow.err;
  EXPECT_THAT(slow.out, HasSubstr("slower"));
  EXPECT_EQ(box.compare({"base", "noisy"}, gate).status, 6);
  EXPECT_EQ(box.compare({"base", "slow"}, {"--metric", "output_throughput"}).status, 0);
}

TEST(compare, describes_single_runs) {
  const compare_box box;
  box.write_run("a.json", 100);
  box.write_run("b.json", 50);
  const finished end = box.compare({"a.json", "b.json"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, AllOf(HasSubstr("one run only"), Not(HasSubstr("slower than"))));
  EXPECT_EQ(box.compare({"a.json", "b.json"}, {"--gate"}).status, 6);
}

TEST(compare, refuses_what_it_cannot_compare) {
  const compare_box box;
  box.write_group("base", 100);
  box.write_group("new", 100);
  const auto message = [&](const std::vector<std::string>& folders,
                           const std::vector<std::string>& more = {}) {
    const finished end = box.compare(folders, more);
    EXPECT_EQ(end.status, 2) << end.out;
    EXPECT_EQ(end.out, "");
    EXPECT_THAT(end.err, AllOf(StartsWith("inferbench: "), EndsWith("\n")));
    EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
    return end.err;
  };
  EXPECT_THAT(message({}), HasSubstr("nothing to compare is named"));
  EXPECT_THAT(message({"base"}), HasSubstr("nothing to compare it with"));
  EXPECT_THAT(message({"base", "base"}), HasSubstr("is named twice"));
  EXPECT_THAT(message({"base", "none"}), HasSubstr("there is no such file or folder"));
  EXPECT_THAT(message({"base", "new"}, {"--metric", "e2el.p99"}),
              HasSubstr("0.json: the run has no e2el.p99; it has "));
  EXPECT_THAT(message({"base", "new"}, {"--metric", "speed"}), HasSubstr("is not a figure"));
  EXPECT_THAT(message({"base", "new"}, {"--reporter", "cvs"}), HasSubstr("cvs"));
  EXPECT_THAT(message({"base", "new"}, {"--json", box.where.path("no/such/file")}),
              HasSubstr("no/such"));
}

TEST(compare, gives_the_runs_and_the_comparison_to_files) {
  const compare_box box;
  box.write_group("base", 100);
  box.write_group("new", 110);
  const std::string json = box.where.path("out.json");
  const std::string table = box.where.path("runs.csv");
  const finished end = box.compare({"base", "new"}, {"--json", json, "--reporter", "csv=" + table,
                                                     "--metric", "output_throughput"});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(read(json), AllOf(StartsWith("{\"command\": \"inferbench compare "),
                                HasSubstr("\"gate_status\": 0"), EndsWith("}\n")));
  EXPECT_GE(std::ranges::count(read(table), '\n'), 9);
}

TEST(compare, reads_results_and_journals_of_this_program) {
  const simulator server;
  const compare_box box;
  for (const char* name : {"base", "new"}) {
    const finished run = inferbench(
        {"serve", "--base-url", server.url(), "--model", "m", "--tokenizer-mode", "bytes",
         "--dataset-name", "random", "--random-input-len", "20", "--random-output-len", "4",
         "--num-prompts", "3", "--save-result", "--result-dir", box.where.path(name)});
    ASSERT_EQ(run.status, 0) << run.err;
  }
  const finished results = box.compare({"base", "new"});
  EXPECT_EQ(results.status, 0) << results.err;
  EXPECT_THAT(results.out, HasSubstr("base: left out 1 journal, because the run has a result file "
                                     "here"));
  std::vector<std::string> files_of_one_run;
  for (const auto& each : fs::directory_iterator(box.where.root / "base"))
    files_of_one_run.push_back("base/" + each.path().filename().string());
  ASSERT_EQ(files_of_one_run.size(), 2U);
  const finished same = box.compare(files_of_one_run);
  EXPECT_EQ(same.status, 2) << same.out;
  EXPECT_THAT(same.err, HasSubstr("the run is also in the group"));
  for (const char* name : {"base", "new"})
    for (const auto& each : fs::directory_iterator(box.where.root / name))
      if (each.path().extension() == ".json") fs::remove(each.path());
  const finished journals = box.compare({"base", "new"}, {"--metric", "ttft.p90"});
  EXPECT_EQ(journals.status, 0) << journals.err;
  EXPECT_THAT(journals.out, AllOf(HasSubstr("P90 TTFT"), HasSubstr("one run only")));
}

TEST(compare, makes_its_own_runs_in_blocks_and_finds_a_planted_difference) {
  // The difference is so large that a slow machine does not hide it.
  const simulator fast({"--ttft", "30ms"});
  const simulator slow({"--ttft", "300ms"});
  const compare_box box;
  const std::string a = box.write_arm("a.toml", fast);
  const std::string b = box.write_arm("b.toml", slow);
  const std::string results = box.where.path("results");
  const std::vector<std::string> words{"compare", "--run",        a,      b,          "--blocks",
                                       "3",       "--settle",     "0s",   "--metric", "ttft.p50",
                                       "--gate",  "--result-dir", results};
  const finished end = inferbench(words);
  EXPECT_EQ(end.status, 5) << end.out << end.err;
  EXPECT_THAT(end.out, AllOf(HasSubstr("block 1 of 3, a.toml: "),
                             HasSubstr("block 3 of 3, b.toml: "), HasSubstr("3 blocks")));
  EXPECT_LT(end.out.find("80 %"), end.out.find("block 1 of 3")) << end.out;
  EXPECT_EQ(box.results_in("results"), 12U);
  EXPECT_FALSE(fs::exists(box.where.root / "results" / ".part"));

  const finished refused = inferbench(words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("is there already; --resume continues"));

  EXPECT_EQ(refused.out, "");

  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  const finished resumed = inferbench(again);
  EXPECT_EQ(resumed.status, 5) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("(made before)"));

  const finished read_again = box.compare({"results"}, {"--metric", "ttft.p50", "--gate"});
  EXPECT_EQ(read_again.status, 5) << read_again.err;
  EXPECT_THAT(read_again.out, HasSubstr("3 blocks"));
}

TEST(compare, says_at_once_that_a_comparison_cannot_be_continued) {
  const simulator server;
  const compare_box box;
  const finished end = inferbench({"compare", "--run", box.write_arm("a.toml", server),
                                   box.write_arm("b.toml", server), "--resume", "--result-dir",
                                   box.where.path("none")});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.out, "");
  EXPECT_THAT(end.err, HasSubstr("none has no comparison to resume"));
}

TEST(compare, computes_the_declared_percentiles_in_its_own_runs) {
  const simulator server;
  const compare_box box;
  const finished end =
      inferbench({"compare", "--run", box.write_arm("a.toml", server),
                  box.write_arm("b.toml", server), "--blocks", "1", "--settle", "0s", "--metric",
                  "ttft.p95,e2el.p90", "--result-dir", box.where.path("results")});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, AllOf(HasSubstr("P95 TTFT"), HasSubstr("P90 E2EL")));
}

TEST(compare, sends_prompts_of_its_own_in_each_run) {
  const simulator server;
  const compare_box box;
  const std::string a = box.write_arm("a.toml", server);
  const finished end =
      inferbench({"compare", "--run", a, box.write_arm("b.toml", server), "--blocks", "1",
                  "--settle", "0s", "--result-dir", box.where.path("results")});
  ASSERT_EQ(end.status, 0) << end.err;
  std::vector<std::string> salts;
  for (const auto& each : fs::recursive_directory_iterator(box.where.root / "results")) {
    if (each.path().filename().string().starts_with("block=") == false) continue;
    const std::string text = read(each.path().string());
    const auto at = text.find("\"salt\": ");
    ASSERT_NE(at, std::string::npos) << text;
    salts.push_back(text.substr(at, 24));
  }
  ASSERT_EQ(salts.size(), 4U);
  std::ranges::sort(salts);
  EXPECT_EQ(std::ranges::adjacent_find(salts), salts.end());
}

TEST(compare, keeps_its_results_when_the_user_interrupts) {
  const simulator server({"--itl", "1ms"});
  const simulator endless({"--ttft", "1000s"});
  const compare_box box;
  const std::string results = box.where.path("results");
  const std::string mark = "INFERBENCH_TEST_OF_COMPARE=" + box.where.path();
  process compared(
      {"compare", "--run", box.write_arm("a.toml", server), box.write_arm("b.toml", endless),
       "--blocks", "2", "--settle", "0s", "--result-dir", results},
      0, {"env", mark});
  while (compared.running() && box.results_in("results/1-a") < 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  compared.signal(SIGINT);
  const finished end = compared.wait();
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err, HasSubstr("--resume --result-dir"));
  EXPECT_EQ(box.results_in("results"), 1U);
  EXPECT_TRUE(processes_with(mark).empty());
}

TEST(compare, checks_both_files_before_the_first_run) {
  const simulator server;
  const compare_box box;
  const std::string a = box.write_arm("a.toml", server);
  const std::string bad = box.where.write("bad.toml", "[load]\nmax-concurency = 2\n");
  const finished end =
      inferbench({"compare", "--run", a, bad, "--result-dir", box.where.path("results")});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("max-concurency"));
  EXPECT_FALSE(fs::exists(box.where.path("results")));
}

}  // namespace
}  // namespace inferbench::testing
