// --reporter on the command line: whole runs against the simulator.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/services/answering_server.hpp"
#include "framework/transport/loopback.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

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

TEST(reporters, of_each_of_several_runs_begin_and_end_once) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run =
      inferbench(load(server, {"--num-runs", "2", "--result-dir", where.path(), "--reporter",
                               std::string(CALLS_REPORTER) + "=calls.txt"}));
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* file : {"calls-run1.txt", "calls-run2.txt"})
    EXPECT_THAT(read(where.path(file)), MatchesRegex("begin\n(record of [0-9]{19}\n){3}end\n"))
        << file;
}

TEST(reporters, that_are_not_used_have_no_flags) {
  const finished run = inferbench({"serve", "--model", "m", "--timeline-file", "x.html"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("--timeline-file: reporter timeline is not in use; add --reporter "
                                 "timeline\n"));
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(inferbench({"report", "a.journal", "--timeline-file", "x.html"}).err,
              HasSubstr("unknown flag --timeline-file; add --reporter timeline\n"));
}

TEST(reporters, send_to_other_servers_without_the_headers_for_the_server_under_test) {
  const folder where;
  const services::testing::answering_server store(
      [](const services::testing::asked&) { return services::testing::answered{200, "{}"}; });
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string journal = where.path("j.journal");
  const std::vector<std::string> flags{"--result-dir", where.path(),
                                       "--reporter",   std::string(CALLS_REPORTER) + "=calls.txt",
                                       "--calls-post", store.url() + "/write?db=x"};
  std::vector<std::string> words =
      load(server, {"--journal", journal, "--header", "X-Tenant=t", "Authorization=secret"});
  words.insert(words.end(), flags.begin(), flags.end());
  const finished run = inferbench(words);
  ASSERT_EQ(run.status, 0) << run.err;
  words = {"report", journal};
  words.insert(words.end(), flags.begin(), flags.end());
  const finished again = inferbench(words);
  ASSERT_EQ(again.status, 0) << again.err;

  const auto seen = store.seen();
  ASSERT_EQ(seen.size(), 2U);
  for (const services::testing::asked& one : seen) {
    EXPECT_EQ(one.line, "POST /write?db=x");
    EXPECT_THAT(one.head, HasSubstr("X-Calls: 1\r\n"));
    EXPECT_THAT(one.head, Not(HasSubstr("secret")));
    EXPECT_THAT(one.head, Not(HasSubstr("X-Tenant")));
  }
  // A report from a journal has the times at which the requests of the run started.
  EXPECT_THAT(seen[0].body, StartsWith("begin\nrecord of "));
  EXPECT_EQ(seen[1].body, replaced(seen[0].body, "begin\n", "begin of a journal\n"));
}

TEST(reporters, that_cannot_send_name_the_url_and_fail_the_run) {
  const folder where;
  const transport::test::loopback closed(false);
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished run = inferbench(load(server, {"--result-dir", where.path(), "--reporter",
                                                std::string(CALLS_REPORTER) + "=calls.txt",
                                                "--calls-post", closed.url() + "/write"}));
  EXPECT_NE(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("reporter calls failed at the end: no connection to " +
                                 closed.url() + "/write: cannot connect to "));
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

TEST(reporters, of_a_journal_have_the_name_of_the_result_unless_a_file_is_given) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string journal = where.path("j.journal");
  const finished run = inferbench(load(
      server, {"--journal", journal, "--reporter", CALLS_REPORTER, "--result-dir", where.path()}));
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string name = std::filesystem::path(where.only(".txt")).filename().string();

  const folder again;
  std::vector<std::string> words{"report",     journal,      "--result-dir",
                                 again.path(), "--reporter", CALLS_REPORTER};
  const finished end = inferbench(words);
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, Not(HasSubstr("has no effect")));
  EXPECT_THAT(read(again.path(name)), StartsWith("begin of a journal\n"));
  words.insert(words.end(), {"--result-filename", "r.json"});
  ASSERT_EQ(inferbench(words).status, 0);
  EXPECT_THAT(read(again.path("r.txt")), StartsWith("begin of a journal\n"));
}

}  // namespace
}  // namespace inferbench::testing
