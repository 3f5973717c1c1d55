#include "experiment/experiment_folder.hpp"

#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/experiment/experiment_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* other_settings = "The settings of the runs in the files have changed";

TEST(experiment_folder, says_that_settings_in_files_have_changed_and_keeps_the_runs) {
  experiment_box box;
  box.plan.settings_digest = "before";
  EXPECT_THAT(box.carry_out(), Not(HasSubstr(other_settings)));
  const auto results = box.results();
  EXPECT_THAT(box.resume(), Not(HasSubstr(other_settings)));
  box.plan.settings_digest = "after";
  EXPECT_THAT(box.resume(), HasSubstr(other_settings));
  EXPECT_EQ(box.results(), results);
}

TEST(experiment_folder, says_nothing_about_settings_that_the_first_sweep_did_not_state) {
  experiment_box box;
  (void)box.carry_out();
  box.plan.settings_digest = "after";
  EXPECT_THAT(box.resume(), Not(HasSubstr(other_settings)));
}

/// A folder with a combination "A", whose runs were made with x = 1.
class folder_box : public experiment_box {
 public:
  folder_box() { plan.resume = true; }

  void write_run(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(file(name).parent_path());
    write(name, text);
  }
  [[nodiscard]] combination of_x(const std::string& x) const {
    return combination_of(plan, {}, items(R"([{"x": )" + x + "}]").front(), "A");
  }
  [[nodiscard]] experiment_folder open() {
    return {plan, [this](const std::string& line) { told += plain(line) + "\n"; }};
  }

  std::string told;
};

TEST(experiment_folder, compares_results_of_upstream_with_the_parameters_that_they_contain) {
  folder_box box;
  box.write_run("A/run=0.json", R"({"x": 1.0})");
  EXPECT_TRUE(box.open().claim(box.of_x("1")));
  EXPECT_TRUE(box.has("A/run=0.json"));
  EXPECT_TRUE(box.open().claim(box.of_x("2")));
  EXPECT_FALSE(box.has("A/run=0.json"));
  EXPECT_TRUE(box.has(".old/1/A/run=0.json"));
  EXPECT_THAT(box.told, HasSubstr("The parameters of RESULTS/trip/A have changed"));
}

TEST(experiment_folder, keeps_every_set_of_old_files) {
  folder_box box;
  for (const char* x : {"1", "2", "3"}) {
    box.write_run("A/run=0.json", R"({"x": 0})");
    box.write_run("A/below/run=0.json", "of another combination");
    EXPECT_TRUE(box.open().claim(box.of_x(x)));
    EXPECT_TRUE(box.has("A/below/run=0.json"));
  }
  EXPECT_TRUE(box.has(".old/3/A/run=0.json"));
}

TEST(experiment_folder, moves_nothing_in_a_dry_run_and_says_what_has_changed) {
  folder_box box;
  box.write_run("A/run=0.json", R"({"x": 1})");
  box.plan.dry_run = true;
  experiment_folder folder = box.open();
  EXPECT_FALSE(folder.claim(box.of_x("2")));
  EXPECT_FALSE(folder.claim(box.of_x("2")));
  EXPECT_EQ(box.told, "The parameters of RESULTS/trip/A have changed since its runs.\n");
  EXPECT_TRUE(box.has("A/run=0.json"));
  EXPECT_FALSE(box.has(".lock"));
}

TEST(experiment_folder, trusts_its_manifest_more_than_the_results) {
  folder_box box;
  box.write_run("A/run=0.json", R"({"x": 7})");
  box.write(".sweep.json", R"({"layout": 1, "folders": {"A": {"serve": {}, "bench": {"x": 1}}}})");
  EXPECT_TRUE(box.open().claim(box.of_x("1")));
  EXPECT_EQ(box.told, "");
  EXPECT_TRUE(box.open().claim(box.of_x("true")));
  EXPECT_THAT(box.told, HasSubstr("have changed"));
}

TEST(experiment_folder, writes_its_manifest_before_the_first_run) {
  folder_box box;
  std::filesystem::create_directories(box.file(""));
  {
    experiment_folder folder = box.open();
    EXPECT_TRUE(folder.claim(box.of_x("1")));
    EXPECT_FALSE(box.has(".sweep.json"));
    folder.record(box.of_x("1"));
  }
  EXPECT_THAT(box.read(".sweep.json"), HasSubstr("\"x\": 1"));
  box.write_run("A/run=0.json", R"({"no": "parameters"})");
  EXPECT_TRUE(box.open().claim(box.of_x("1")));
  EXPECT_EQ(box.told, "");
}

TEST(experiment_folder, remembers_which_levels_a_search_knew_when_it_began) {
  folder_box box;
  std::filesystem::create_directories(box.file(""));
  EXPECT_THAT(box.open().known_levels("SLA.json", {1, 8192}), ElementsAre(1, 8192));
  EXPECT_THAT(box.open().known_levels("SLA.json", {1, 50, 51}), ElementsAre(1));
  EXPECT_THAT(box.open().known_levels("other.json", {}), IsEmpty());
}

TEST(experiment_folder, removes_what_unfinished_runs_left) {
  folder_box box;
  box.write_run(".part/A/run=0.json", "{");
  (void)box.open();
  EXPECT_FALSE(box.has(".part"));
}

TEST(experiment_folder, is_not_created_over_that_of_somebody_else) {
  folder_box box;
  box.plan.resume = false;
  experiment_folder first = box.open();
  experiment_folder second = box.open();
  first.create();
  first.create();
  EXPECT_THROW(second.create(), base::error);
}

TEST(experiment_folder, is_refused_below_a_file) {
  experiment_box box;
  box.plan.output_dir = box.folder.write("file", "text") + "/x";
  try {
    (void)box.carry_out();
    FAIL();
  } catch (const base::error& e) {
    EXPECT_EQ(box.plain(e.what()), "RESULTS/file is not a folder; choose another output folder");
  }
}

}  // namespace
}  // namespace inferbench::experiment
