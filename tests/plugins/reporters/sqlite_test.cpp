// Tests the reporter `sqlite`: the rows of its tables. parts/run_writer_test.cpp
// tests several writers of one database.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "judged_run.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class sqlite_file : public testing::Test {
 protected:
  std::vector<setting> named(std::vector<setting> more = {}) const {
    more.push_back({"file", file()});
    return more;
  }
  std::string file() const { return files_.path("bench.db"); }

  /// Runs SQL; returns the rows, with "|" between their columns and NULL as "-".
  std::vector<std::string> ask(const std::string& sql) const {
    std::vector<std::string> rows;
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    const auto add = [](void* to, int columns, char** values, char**) {
      std::string row;
      for (int i = 0; i < columns; ++i)
        row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "-" : values[i]);
      static_cast<std::vector<std::string>*>(to)->push_back(row);
      return 0;
    };
    char* reason = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), add, &rows, &reason), SQLITE_OK)
        << sql << ": " << (reason == nullptr ? "" : reason);
    sqlite3_free(reason);
    sqlite3_close(db);
    return rows;
  }
  void expect_sound() const {
    EXPECT_THAT(ask("PRAGMA integrity_check"), ElementsAre("ok"));
    EXPECT_THAT(ask("PRAGMA foreign_key_check"), testing::IsEmpty());
  }

  support::temporary_folder files_;
};

TEST_F(sqlite_file, a_run_has_its_figures_goals_facts_and_requests) {
  const outcome o = report_with("sqlite", named({{"gaps", true}, {"texts", true}}), judged_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("sqlite", file())));
  expect_sound();
  EXPECT_THAT(ask("SELECT name, started, state, model, task, request_rate, verdict FROM runs"),
              ElementsAre("run-1|2026-11-20T06:10:00.000000Z|finished|a|b`c<i>@team|generation|"
                          "10.5|SUSPECT"));
  EXPECT_THAT(ask("SELECT value, count, minimum, maximum FROM metrics WHERE name = 'ttft'"),
              ElementsAre("151.8125|4|7.5|300.0"));
  EXPECT_THAT(ask("SELECT value, count FROM metrics WHERE name = 'ttft_answer'"),
              ElementsAre("-|0"));
  EXPECT_THAT(ask("SELECT percentile, bound FROM quantiles WHERE name = 'ttft'"),
              ElementsAre("50.0|299.5", "99.0|-", "99.9|-"));
  EXPECT_THAT(ask("SELECT goal, value, passed, certain FROM goals"),
              ElementsAre("ttft.p99<200ms|296.9925|0|1",
                          "output_throughput>=5|7.42857142857143|1|0", "rtfx>=1|-|0|0"));
  EXPECT_THAT(ask("SELECT json_extract(value, '$.sent') FROM facts WHERE name = 'accounting'"),
              ElementsAre("16"));
  EXPECT_THAT(ask("SELECT count(*), sum(status = 'ok'), avg(ttft_ms), avg(e2el_ms) FROM requests"),
              ElementsAre("16|4|151.8125|246.8125"));
  EXPECT_THAT(ask("SELECT number, gap_ms FROM gaps WHERE sequence = 0"),
              ElementsAre("1|10.0", "2|20.0", "3|40.0"));
  EXPECT_THAT(ask("SELECT text FROM requests WHERE sequence = 0"), ElementsAre("four tokens"));
  EXPECT_THAT(ask("PRAGMA journal_mode"), ElementsAre("wal"));
}

TEST_F(sqlite_file, runs_add_up_and_the_same_run_replaces_its_rows) {
  input second = pooling_run();
  second.name = "run-2";
  ASSERT_TRUE(report_with("sqlite", named({{"gaps", true}}), plain_run()).ok);
  ASSERT_TRUE(report_with("sqlite", named(), second).ok);
  ASSERT_TRUE(report_with("sqlite", named(), plain_run()).ok);
  expect_sound();
  EXPECT_THAT(ask("SELECT id, name FROM runs ORDER BY id"), ElementsAre("1|run-1", "2|run-2"));
  EXPECT_THAT(ask("SELECT run_id, count(*) FROM requests GROUP BY run_id"),
              ElementsAre("1|3", "2|3"));
  EXPECT_THAT(ask("SELECT count(*) FROM gaps"), ElementsAre("0"));
}

TEST_F(sqlite_file, hostile_texts_are_whole_texts) {
  ASSERT_TRUE(report_with("sqlite", named({{"texts", true}}), hostile_run()).ok);
  expect_sound();
  EXPECT_THAT(ask("SELECT id, error FROM requests WHERE sequence = 5"),
              ElementsAre("@SUM(1,\"2\")\xEF\xBF\xBD|=cmd|' /C calc'!A0 \xEF\xBF\xBD\xEF\xBF\xBD "
                          "<b>]]>  ,\"end\""));
  EXPECT_THAT(
      ask("SELECT json_extract(attributes, '$.reasoning') FROM requests WHERE sequence = 0"),
      ElementsAre("because"));
}

TEST_F(sqlite_file, requests_can_be_left_out) {
  ASSERT_TRUE(report_with("sqlite", named({{"requests", false}}), plain_run()).ok);
  EXPECT_THAT(ask("SELECT count(*) FROM requests"), ElementsAre("0"));
  EXPECT_THAT(ask("SELECT value FROM metrics WHERE name = 'completed'"), ElementsAre("3.0"));
}

TEST_F(sqlite_file, a_run_without_requests_and_a_run_that_was_stopped_have_their_state) {
  input in = plain_run();
  in.records.clear();
  ASSERT_TRUE(report_with("sqlite", named(), in).ok);
  EXPECT_THAT(ask("SELECT state FROM runs"), ElementsAre("finished"));
  in.interrupted = true;
  ASSERT_TRUE(report_with("sqlite", named(), in).ok);
  EXPECT_THAT(ask("SELECT state FROM runs"), ElementsAre("interrupted"));
}

TEST_F(sqlite_file, a_database_that_is_not_ours_or_newer_is_refused_and_not_changed) {
  (void)ask("CREATE TABLE theirs (a)");
  const outcome theirs = report_with("sqlite", named(), plain_run());
  EXPECT_FALSE(theirs.ok);
  EXPECT_THAT(theirs.lines, ElementsAre(HasSubstr("is the database of another program")));
  EXPECT_THAT(ask("SELECT count(*) FROM sqlite_schema"), ElementsAre("1"));

  fs::remove(file());
  ASSERT_TRUE(report_with("sqlite", named(), plain_run()).ok);
  (void)ask("PRAGMA user_version = 99");
  const outcome newer = report_with("sqlite", named(), plain_run());
  EXPECT_FALSE(newer.ok);
  EXPECT_THAT(newer.lines, ElementsAre(HasSubstr("has tables of version 99")));

  fs::remove(file());
  files_.write("bench.db", std::string(4096, 'x'));
  const outcome text = report_with("sqlite", named(), plain_run());
  EXPECT_FALSE(text.ok);
  EXPECT_THAT(text.lines, ElementsAre(HasSubstr("file is not a database")));
}

TEST_F(sqlite_file, a_place_that_cannot_be_written_is_an_error_before_the_run) {
  const auto run_with = [](const std::string& place) {
    return [place] { (void)report_with("sqlite", {{"file", place}}, plain_run()); };
  };
  EXPECT_THAT(run_with(files_.path("missing/r.db")),
              testing::ThrowsMessage<base::error>(
                  HasSubstr("there is no folder " + files_.path("missing"))));
  EXPECT_THAT(run_with("/dev/full"), testing::ThrowsMessage<base::error>(HasSubstr(
                                         "/dev/full is a device or a pipe, and a database needs "
                                         "a file")));
}

TEST_F(sqlite_file, several_runs_are_a_table_with_axes_and_points) {
  input second = strained_run();
  second.name = "run-2";
  const std::vector<table_input> runs = {{plain_run(), "base", "a.journal", "2"},
                                         {second, "new", "b.journal", "4"}};
  for (int i = 0; i < 2; ++i) {  // the second report replaces the first
    const outcome o = report_table_with("sqlite", named(), runs);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  }
  expect_sound();
  EXPECT_THAT(ask("SELECT name, command, state FROM tables"),
              ElementsAre("table-1|inferbench report a.journal b.journal|finished"));
  EXPECT_THAT(ask("SELECT name, unit FROM axes"), ElementsAre("max_concurrency|request"));
  EXPECT_THAT(ask("SELECT t.number, r.name, t.label, t.source FROM table_runs t "
                  "JOIN runs r ON r.id = t.run_id"),
              ElementsAre("0|run-1|base|a.journal", "1|run-2|new|b.journal"));
  EXPECT_THAT(ask("SELECT count(*) FROM requests"), ElementsAre("19"));
  EXPECT_THAT(ask("SELECT point, runs FROM points"), ElementsAre("0|1", "1|1"));
}

}  // namespace
}  // namespace inferbench::reporters_test
