#include "compare/run_copies.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

#include "compare/measured_run.hpp"
#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

measured_run result_of_run(std::string file, std::string name, std::int64_t started) {
  measured_run out;
  out.file = std::move(file);
  out.name = std::move(name);
  out.started_unix_ns = started;
  out.result = std::make_shared<const ifb::json_document>();
  return out;
}

measured_run journal_of_run(std::string file, std::string name, std::int64_t started) {
  measured_run out = result_of_run(std::move(file), std::move(name), started);
  out.result = nullptr;
  return out;
}

std::vector<std::string> files_of(const run_group& group) {
  std::vector<std::string> out;
  for (const measured_run& each : group.runs)
    out.push_back(each.file.string());
  return out;
}

TEST(copies_of_runs, count_once_in_a_group) {
  std::vector<run_group> groups{{"base",
                                 {result_of_run("a.json", "r", 5), result_of_run("b.json", "r", 5),
                                  result_of_run("c.json", "r", 6), result_of_run("d.json", "s", 5),
                                  result_of_run("e.json", "r", 5)}},
                                {"new", {result_of_run("f.json", "t", 5)}}};
  std::vector<std::string> notes;
  leave_out_copies(groups, notes);
  EXPECT_THAT(files_of(groups[0]), ElementsAre("a.json", "c.json", "d.json"));
  EXPECT_THAT(files_of(groups[1]), ElementsAre("f.json"));
  EXPECT_THAT(notes, ElementsAre("base: left out 2 copies of runs that another file here has"));
}

TEST(copies_of_runs, are_the_journals_beside_results) {
  std::vector<run_group> groups{
      {"base",
       {journal_of_run("r.journal", "r", 5), result_of_run("r.json", "r", 5),
        journal_of_run("s.journal", "s", 6), journal_of_run("s2.journal", "s", 6)}}};
  std::vector<std::string> notes;
  leave_out_copies(groups, notes);
  EXPECT_THAT(files_of(groups[0]), ElementsAre("r.json", "s.journal"));
  EXPECT_THAT(notes, ElementsAre("base: left out 1 journal, because the run has a result file here",
                                 "base: left out 1 copy of a run that another file here has"));
}

TEST(copies_of_runs, are_refused_in_two_groups) {
  const run_box box;
  for (const bool is_journal : {false, true}) {
    std::vector<run_group> groups{
        {"base", {result_of_run("base/a.json", "r", 5)}},
        {"new", {is_journal ? journal_of_run("new/b", "r", 5) : result_of_run("new/b", "r", 5)}}};
    std::vector<std::string> notes;
    EXPECT_EQ(box.refusal([&] { leave_out_copies(groups, notes); }),
              "new/b: the run is also in the group base, as base/a.json; compare each run once");
  }
}

TEST(copies_of_runs, are_not_known_without_the_name_and_the_start) {
  std::vector<run_group> groups{
      {"base", {result_of_run("a.json", "", 5), result_of_run("b.json", "", 5)}},
      {"new", {result_of_run("c.json", "r", 0), result_of_run("d.json", "r", 0)}}};
  std::vector<std::string> notes;
  leave_out_copies(groups, notes);
  EXPECT_THAT(files_of(groups[0]), ElementsAre("a.json", "b.json"));
  EXPECT_THAT(files_of(groups[1]), ElementsAre("c.json", "d.json"));
  EXPECT_THAT(notes, IsEmpty());
}

}  // namespace
}  // namespace inferbench::compare
