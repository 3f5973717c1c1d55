#include "compare/run_groups.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class grouped : public testing::Test {
 protected:
  /// "NAME: FILE FILE" for each group.
  [[nodiscard]] std::vector<std::string> groups_of(const std::vector<std::string>& names) {
    std::vector<std::string> arguments;
    for (const std::string& name : names)
      arguments.push_back(box.folder.path(name));
    return groups_of_arguments(arguments);
  }
  [[nodiscard]] std::vector<std::string> groups_of_arguments(
      const std::vector<std::string>& arguments) {
    const found_groups found = read_groups(arguments, {}, box.log);
    notes = found.notes;
    std::vector<std::string> out;
    for (const run_group& group : found.groups) {
      std::string line = group.name + ":";
      for (const measured_run& run : group.runs)
        line += " " + box.relative(run.file.string());
      out.push_back(line);
    }
    return out;
  }
  [[nodiscard]] std::string refusal_of(const std::vector<std::string>& names) {
    return box.refusal([&] { (void)groups_of(names); });
  }
  run_box box;
  std::vector<std::string> notes;
};

using groups_of_runs = grouped;

TEST_F(groups_of_runs, are_the_folders) {
  box.write("base/b.json", {.second = 1});
  box.write("base/a.json", {.second = 2});
  box.write("new/a.json");
  EXPECT_THAT(groups_of({"base/", "new"}),
              ElementsAre("base: base/b.json base/a.json", "new: new/a.json"));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(groups_of_runs, are_the_folders_below_a_folder_without_hidden_ones) {
  box.write("night/x/a.json");
  box.write("night/y/z/a.json");
  box.write("night/.part/a.json");
  EXPECT_THAT(groups_of({"night"}), ElementsAre("x: night/x/a.json", "z: night/y/z/a.json"));
}

TEST_F(groups_of_runs, are_files_of_their_own_in_one_folder) {
  box.write("a.json");
  box.write("b.json");
  EXPECT_THAT(groups_of({"b.json", "a.json"}), ElementsAre("b.json: b.json", "a.json: a.json"));
}

TEST_F(groups_of_runs, are_the_folders_of_files_from_several_folders) {
  box.write("base/a.json", {.second = 1});
  box.write("base/b.json", {.second = 2});
  box.write("new/a.json");
  EXPECT_THAT(groups_of({"base/a.json", "base/b.json", "new/a.json"}),
              ElementsAre("base: base/a.json base/b.json", "new: new/a.json"));
}

TEST_F(groups_of_runs, are_lists_of_files) {
  const std::string a = box.write("a.json", {.second = 1});
  const std::string b = box.write("b.json", {.second = 2});
  const std::string c = box.write("c,d.json");
  EXPECT_THAT(groups_of_arguments({a + ", " + b, c}),
              ElementsAre("a.json and 1 more: a.json b.json", "c,d.json: c,d.json"));
}

TEST_F(groups_of_runs, have_the_shortest_names_that_tell_them_apart) {
  box.write("monday/base/a.json");
  box.write("tuesday/base/a.json");
  box.write("tuesday/new/a.json");
  EXPECT_THAT(groups_of({"monday", "tuesday"}),
              ElementsAre("monday/base: monday/base/a.json", "tuesday/base: tuesday/base/a.json",
                          "tuesday/new: tuesday/new/a.json"));
}

TEST_F(groups_of_runs, leave_out_files_that_are_no_runs_with_a_note) {
  box.write("base/a.json");
  box.folder.write("base/summary.json", "[]");
  box.folder.write("base/notes.txt", "{}");
  box.write("new/a.json");
  EXPECT_THAT(groups_of({"base", "new"}), ElementsAre("base: base/a.json", "new: new/a.json"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0],
              HasSubstr("base: left out summary.json, because it is no run (the file does "
                        "not contain a JSON object)"));
}

TEST_F(groups_of_runs, need_two_groups) {
  box.write("base/a.json");
  EXPECT_THAT(refusal_of({"base"}), HasSubstr("there is one group of runs, base"));
}

TEST_F(groups_of_runs, refuse_a_run_that_is_compared_with_itself) {
  box.write("base/a.json");
  EXPECT_THAT(
      refusal_of({"base", "base/../base"}),
      HasSubstr("a.json: the run is named twice: base and base/../base; compare each run once"));
  std::filesystem::create_symlink(box.folder.path("base"), box.folder.path("new"));
  EXPECT_THAT(refusal_of({"base", "new"}), HasSubstr("the run is named twice: base and new"));
}

TEST_F(groups_of_runs, have_each_run_once) {
  const auto write = [&](const std::string& name, int started) {
    box.write(name, {.more = R"(, "inferbench": {"run": "r", "config": {}, "started_unix_ns": )" +
                             std::to_string(started) + "}"});
  };
  write("base/a.json", 5);
  write("base/copy.json", 5);
  write("new/a.json", 6);
  EXPECT_THAT(groups_of({"base", "new"}), ElementsAre("base: base/a.json", "new: new/a.json"));
  EXPECT_THAT(notes, ElementsAre("base: left out 1 copy of a run that another file here has"));
  write("new/copy.json", 5);
  EXPECT_THAT(refusal_of({"base", "new"}),
              HasSubstr("new/copy.json: the run is also in the group base, as base/a.json"));
}

TEST_F(groups_of_runs, refuse_an_argument_without_runs) {
  box.write("base/a.json");
  std::filesystem::create_directory(box.folder.path("empty"));
  EXPECT_THAT(refusal_of({"base", "empty"}), HasSubstr("empty: the folder has no results"));
  box.folder.write("others/a.json", "{}");
  EXPECT_THAT(refusal_of({"base", "others"}), HasSubstr("others: the folder has no results"));
  box.folder.write("noted/a.json", "{}");
  box.write("noted/b.json");
  EXPECT_THAT(refusal_of({"base", "others", "noted"}),
              HasSubstr("others: the folder has no results; others: left out a.json"));
  EXPECT_THAT(refusal_of({"base", "nothing"}), HasSubstr("there is no such file or folder"));
  EXPECT_THAT(refusal_of({"base", "others/a.json"}),
              HasSubstr("the file is not the result of a benchmark"));
}

TEST_F(groups_of_runs, refuse_runs_of_several_benchmarks) {
  box.write("base/a.json");
  box.folder.write("new/a.json", R"({"requests_per_second": 5.0})");
  EXPECT_THAT(refusal_of({"base", "new"}),
              HasSubstr("the run belongs to the benchmark throughput, and base/a.json to serve"));
}

TEST_F(groups_of_runs, end_at_links_between_folders) {
  box.write("base/a.json");
  std::filesystem::create_directory_symlink(box.folder.path("base"), box.folder.path("base/again"));
  box.write("new/a.json");
  EXPECT_THAT(groups_of({"base", "new"}), ElementsAre("base: base/a.json", "new: new/a.json"));
}

}  // namespace
}  // namespace inferbench::compare
