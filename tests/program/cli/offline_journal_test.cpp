// The requests of offline benchmarks in journals and reporters, and their settings in files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/offline_box.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class offline_journals : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  }
  finished good(const finished& end) {
    EXPECT_EQ(end.status, 0) << end.err;
    return end;
  }

  const offline_box box;
};

TEST_F(offline_journals, have_every_request) {
  const std::string journal = box.where.path("run.journal");
  good(box.run(offline_box::latency({"--journal", journal})));
  const finished report = good(inferbench({"report", journal}));
  // Two iterations of two prompts: the warm-up is not in it.
  EXPECT_THAT(report.out, AllOf(HasSubstr("Successful requests:                     4 "),
                                HasSubstr("Total input tokens:                      32 "),
                                HasSubstr("Total generated tokens:                  16 "),
                                HasSubstr("Mean E2EL (ms):")));
}

TEST_F(offline_journals, have_no_figures_of_times_that_the_engine_does_not_know) {
  const std::string journal = box.where.path("run.journal");
  // The stand-in counts without statistics: no time of a single request is known.
  good(box.run(
      offline_box::throughput({"--journal", journal, "--disable-log-stats", "--backend", "vllm"})));
  const finished report = good(inferbench({"report", journal}));
  EXPECT_THAT(report.out, AllOf(HasSubstr("Mean E2EL (ms):"), Not(HasSubstr("Mean TTFT (ms):")),
                                Not(HasSubstr("Mean ITL (ms):"))));
}

TEST_F(offline_journals, have_no_secrets) {
  const std::string journal = box.where.path("run.journal");
  const finished end = good(box.run(offline_box::throughput(
      {"--journal", journal, "--python-engine-environment", "HF_TOKEN=s3cret"})));
  EXPECT_THAT(end.out + end.err, Not(HasSubstr("s3cret")));
  EXPECT_THAT(read(journal), AllOf(HasSubstr("HF_TOKEN=(cut)"), Not(HasSubstr("s3cret"))));
}

TEST_F(offline_journals, give_the_same_report_at_once_and_later) {
  const std::string journal = box.where.path("run.journal");
  const std::string at_once = box.where.path("at-once.csv");
  const std::string later = box.where.path("later.csv");
  good(box.run(offline_box::latency({"--journal", journal, "--reporter", "csv=" + at_once})));
  good(inferbench({"report", journal, "--reporter", "csv=" + later}));
  EXPECT_FALSE(read(at_once).empty());
  EXPECT_EQ(read(at_once), read(later));
}

TEST_F(offline_journals, make_a_page) {
  const std::string page = box.where.path("page.html");
  const finished end = good(box.run(offline_box::throughput({"--reporter", "html=" + page})));
  EXPECT_THAT(end.out, HasSubstr("Saved report: " + page + "\n"));
  EXPECT_THAT(read(page), StartsWith("<!"));
  // The journal of a report without --journal is not kept.
  for (const auto& each : std::filesystem::directory_iterator(box.where.root))
    EXPECT_EQ(each.path(), page);
}

TEST_F(offline_journals, are_not_written_by_default) {
  good(inferbench(offline_box::with_python(offline_box::throughput()),
                  {"env", "-C", box.where.path(), "PYTHONPATH=" + fixture("python"),
                   "PYTHONDONTWRITEBYTECODE=1"}));
  EXPECT_TRUE(std::filesystem::is_empty(box.where.root));
}

class offline_files : public offline_journals {
 protected:
  const std::string file = box.where.write("bench.toml", R"(
[latency]
num-iters = 2
num-iters-warmup = 0
batch-size = 2
journal = ")" + box.where.path("run.journal") + R"("
[latency.engine]
model = "m"
python = "/usr/bin/python3"
)");
};

TEST_F(offline_files, set_the_flags_and_options_of_a_benchmark) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"latency", file}, {"run", file}, {"bench", "latency", file}}) {
    const finished end = good(inferbench(args, box.through()));
    EXPECT_THAT(end.out, StartsWith("Command: inferbench latency "));
    EXPECT_THAT(end.out, HasSubstr("\nAvg latency: "));
    EXPECT_THAT(good(inferbench({"report", box.where.path("run.journal")})).out,
                HasSubstr("Successful requests:                     4 "));
  }
}

TEST_F(offline_files, yield_to_flags) {
  good(inferbench({"latency", file, "--num-iters", "3"}, box.through()));
  EXPECT_THAT(good(inferbench({"report", box.where.path("run.journal")})).out,
              HasSubstr("Successful requests:                     6 "));
}

TEST_F(offline_files, name_the_place_of_an_error) {
  const std::string wrong = box.where.write("wrong.toml", "[latency]\nnum-iter = 2\n");
  for (const char* command : {"latency", "run"}) {
    const finished end = inferbench({command, wrong}, box.through());
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.err,
              "inferbench: " + wrong + ":2:12: no such key: num-iter; did you mean --num-iters?\n");
  }
  EXPECT_EQ(inferbench({"throughput", file}, box.through()).status, 1);
}

}  // namespace
}  // namespace inferbench::testing
