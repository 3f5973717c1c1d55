// --reporter on the command line: whole runs against the simulator.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> load(const simulator& server, std::vector<std::string> more) {
  std::vector<std::string> out{"serve", "--base-url",         server.url(), "--model",
                               "m",     "--tokenizer-mode",   "bytes",      "--num-prompts",
                               "3",     "--random-input-len", "9",          "--random-output-len",
                               "3",     "--disable-tqdm"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::string last_line_of(const std::string& text) {
  const auto start = text.rfind('\n', text.size() - 2);
  return text.substr(start == std::string::npos ? 0 : start + 1);
}

std::int64_t completed_in(const std::string& text) {
  const auto json = base::parse_json(text, "result");
  return json["completed"].GetInt64();
}

TEST(reporters, are_added_by_name_and_write_below_the_folder_of_results) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(
      load(server, {"--result-dir", where.path(), "--result-filename", "r.json", "--reporter",
                    "json", "--reporter", "timeline", "--reporter", "dataset-stats=lengths.png",
                    "--reporter", "pytorch=new/dashboard.json"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Serving Benchmark Result"));
  EXPECT_EQ(completed_in(read(where.path("r.json"))), 3);
  for (const char* file : {"r.timeline.html", "lengths.png", "new/dashboard.json"})
    EXPECT_GT(read(where.path(file)).size(), 10U) << file;
  EXPECT_THAT(run.out, HasSubstr("Saved pytorch: " + where.path("new/dashboard.json") + "\n"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(where.path()), {}), 4);
}

TEST(reporters, write_to_standard_output_below_everything_else) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run =
      inferbench(load(server, {"--save-result", "--result-dir", where.path(), "--reporter",
                               "pytorch=-", "--reporter", "json=-", "--save-detailed"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(completed_in(last_line_of(run.out)), 3);
  EXPECT_THAT(run.out, HasSubstr("Serving Benchmark Result"));
  EXPECT_THAT(run.out, HasSubstr("Saved result: " + where.only(".json") + "\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("Saved pytorch")));
  EXPECT_THAT(run.out, HasSubstr("[{"));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST(reporters, of_several_runs_have_a_file_for_each) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run =
      inferbench(load(server, {"--num-runs", "2", "--result-dir", where.path(), "--reporter",
                               "json=a.json", "--reporter", "timeline={result}.html"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(completed_in(read(where.path("a-run1.json"))), 3);
  EXPECT_EQ(completed_in(read(where.path("a-run2.json"))), 3);
  std::size_t pages = 0;
  for (const auto& file : std::filesystem::directory_iterator(where.path()))
    pages += file.path().filename().string().starts_with("inferbench-") &&
                     file.path().extension() == ".html"
                 ? 1
                 : 0;
  EXPECT_EQ(pages, 2U);
}

TEST(reporters, with_one_file_are_refused_before_anything_is_sent) {
  const finished end = inferbench(
      {"serve", "--model", "m", "--reporter", "json=a.json", "--reporter", "pytorch=a.json"});
  EXPECT_EQ(end.status, 1);
  EXPECT_THAT(end.err, HasSubstr("reporters json and pytorch would both write "));
  EXPECT_EQ(end.out, "");
}

TEST(reporters, are_added_to_the_reporters_of_a_file_with_their_own_flags) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished printed = inferbench(load(server, {"--print-config"}));
  const finished run =
      inferbench({"run", where.write("job.toml", printed.out), "--reporter",
                  "json=" + where.path("r.json"), "--reporter", "console", "--console-ours=false"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(completed_in(read(where.path("r.json"))), 3);
  EXPECT_THAT(run.out, HasSubstr("Serving Benchmark Result"));
  EXPECT_THAT(run.out, Not(HasSubstr("VALID")));
}

TEST(reporters, see_the_run_of_a_calibration_where_they_are_named) {
  const folder where;
  const finished run =
      inferbench({"calibrate", "--model", "m", "--tokenizer-mode", "bytes", "--num-prompts", "3",
                  "--ttft", "1ms", "--itl", "1ms", "--random-input-len", "9", "--random-output-len",
                  "3", "--result-dir", where.path(), "--reporter", "json=seen.json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(completed_in(read(where.path("seen.json"))), 3);
  EXPECT_THAT(run.out, HasSubstr("Saved result: " + where.path("seen.json") + "\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("Saved journal")));
  EXPECT_THAT(run.out, HasSubstr(" Calibration "));
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

TEST(reporters, of_a_journal_write_to_the_given_file) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string journal = where.path("j.journal");
  ASSERT_EQ(inferbench(load(server, {"--journal", journal})).status, 0);
  const finished end = inferbench({"report", journal, "--reporter", "json=-", "--reporter",
                                   "timeline=t.html", "--result-dir", where.path()});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_EQ(completed_in(last_line_of(end.out)), 3);
  EXPECT_GT(read(where.path("t.html")).size(), 10U);
  EXPECT_THAT(end.out, Not(HasSubstr("Saved result")));
}

}  // namespace
}  // namespace inferbench::testing
