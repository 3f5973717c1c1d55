#include "compare/group_comparison.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using comparison::verdict;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class compared : public testing::Test {
 protected:
  /// Adds a group whose runs have these throughputs.
  void add(const std::string& name, const std::vector<double>& throughputs,
           const std::string& more = {}) {
    run_group group{name, {}};
    for (std::size_t i = 0; i < throughputs.size(); ++i) {
      const std::string file = fmt::format("{}/{}.json", name, i);
      const std::string path =
          box.write(file, {.throughput = throughputs[i], .second = ++seconds, .more = more});
      group.runs.push_back(read_run(path, {}, box.log));
      group.runs.back().file = file;
    }
    groups.push_back(std::move(group));
  }
  void declare(const std::string& figure) { rules.declared.push_back(figure_of(figure)); }
  [[nodiscard]] group_comparison compare() const { return compare_groups(groups, rules); }
  [[nodiscard]] verdict only_verdict() const {
    return compare().result.candidates.front().metrics.front().outcome;
  }
  [[nodiscard]] std::string refusal() const {
    return box.refusal([&] { (void)compare(); });
  }

  run_box box;
  int seconds = 0;
  std::vector<run_group> groups;
  comparison_rules rules;
};

using a_comparison_of_groups = compared;

TEST_F(a_comparison_of_groups, tells_slower_same_and_cannot_tell) {
  declare("output_throughput");
  add("base", {100, 101, 99, 100.5});
  add("new", {90, 91, 89, 90.5});
  EXPECT_EQ(only_verdict(), verdict::slower);
  EXPECT_EQ(gate_status(compare()), 5);
  groups.pop_back();
  add("new", {100.2, 100.9, 99.1, 100.3});
  EXPECT_EQ(only_verdict(), verdict::same);
  EXPECT_EQ(gate_status(compare()), 0);
  groups.pop_back();
  add("new", {80, 120, 95, 110});
  EXPECT_EQ(only_verdict(), verdict::cannot_tell);
  EXPECT_EQ(gate_status(compare()), 6);
  rules.same_within = 0.3;
  EXPECT_EQ(only_verdict(), verdict::cannot_tell);
}

TEST_F(a_comparison_of_groups, has_the_usual_figures_unless_others_are_declared) {
  add("base", {100, 101});
  add("new", {100, 101});
  std::vector<std::string> names;
  for (const comparison::compared_metric& each : compare().result.metrics)
    names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("output_throughput", "ttft.p50", "ttft.p99", "tpot.p50"));
}

TEST_F(a_comparison_of_groups, leaves_out_a_usual_figure_that_a_run_lacks_with_a_note) {
  add("base", {100, 101});
  add("new", {100, 101});
  groups[1].runs[1].figures.erase("ttft.p99");
  const group_comparison found = compare();
  EXPECT_EQ(found.result.metrics.size(), 3U);
  EXPECT_THAT(found.notes,
              ElementsAre("not compared, because new/1.json does not have it: ttft.p99"));
}

TEST_F(a_comparison_of_groups, refuses_a_run_without_a_declared_figure) {
  declare("ttft.p90");
  add("base", {100, 101});
  add("new", {100, 101});
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("base/0.json: the run has no ttft.p90; it has completed, "),
                    HasSubstr("ttft.p99"), Not(HasSubstr("max_concurrent"))));
  groups[0].runs[0].figures.clear();
  EXPECT_THAT(refusal(), HasSubstr("it has no figure that can be compared"));
}

TEST_F(a_comparison_of_groups, refuses_runs_without_any_usual_figure) {
  add("base", {100, 101});
  add("new", {100, 101});
  groups[1].runs[0].figures.clear();
  EXPECT_THAT(refusal(), HasSubstr("new/0.json: the run has no output_throughput, ttft.p50"));
}

TEST_F(a_comparison_of_groups, cannot_tell_with_a_run_that_completed_nothing) {
  declare("ttft.p50");
  add("base", {100, 101});
  add("new", {100, 101});
  groups[1].runs[0].completed = 0;
  groups[1].runs[0].figures.erase("ttft.p50");
  const group_comparison found = compare();
  EXPECT_EQ(gate_status(found), 6);
  EXPECT_THAT(text_of(found, groups),
              HasSubstr("Warning: 1 of 2 runs of new completed no request"));
}

TEST_F(a_comparison_of_groups, of_one_run_each_is_a_description) {
  add("base", {100});
  add("new", {50});
  const group_comparison found = compare();
  EXPECT_TRUE(found.result.candidates.front().descriptive());
  EXPECT_EQ(gate_status(found), 6);
  EXPECT_THAT(text_of(found, groups), HasSubstr("one run only"));
}

TEST_F(a_comparison_of_groups, does_not_pass_a_group_that_fails_more) {
  declare("output_throughput");
  rules.same_within = 0.1;
  add("base", {100, 101, 99, 100.5});
  add("new", {100, 101, 99, 100.5});
  ASSERT_EQ(gate_status(compare()), 0);
  for (measured_run& each : groups[1].runs)
    each.failed = 5;  // of 25
  const group_comparison found = compare();
  EXPECT_EQ(gate_status(found), 6);
  EXPECT_THAT(gate_text(found),
              HasSubstr("exit status 6, because a group fails more requests than base"));
}

TEST_F(a_comparison_of_groups, pairs_the_blocks_that_the_runs_state) {
  declare("output_throughput");
  add("base", {100, 101, 110, 111});
  add("new", {200, 202, 220, 222});
  for (std::size_t arm = 0; arm < 2; ++arm)
    for (std::size_t i = 0; i < 4; ++i)
      groups[arm].runs[i].place = block_place{"c", arm, i / 2, i % 2};
  const comparison::candidate_result paired = compare().result.candidates.front();
  EXPECT_EQ(paired.blocks, 2U);
  EXPECT_NEAR(*paired.metrics.front().ratio, 2, 1e-9);
  for (measured_run& each : groups[0].runs)
    each.place.reset();
  EXPECT_EQ(compare().result.candidates.front().blocks, 0U);
}

TEST_F(a_comparison_of_groups, pairs_blocks_by_the_starts_if_asked) {
  declare("output_throughput");
  add("base", {100, 101});
  add("new", {200, 202});
  for (std::size_t i = 0; i < 2; ++i) {
    groups[0].runs[i].started_unix_ns = i == 0 ? 1 : 4;
    groups[1].runs[i].started_unix_ns = i == 0 ? 2 : 3;
  }
  rules.blocks = 1;
  EXPECT_EQ(compare().result.candidates.front().blocks, 1U);
  groups[1].runs[1].started_unix_ns = 9;
  EXPECT_THAT(refusal(), HasSubstr("block 1 was made in the order ABAB"));
  add("third", {100, 101});
  EXPECT_THAT(refusal(), HasSubstr("--blocks: blocks have two groups, not 3"));
}

TEST_F(a_comparison_of_groups, is_written_as_one_json_object) {
  add("base", {100, 101});
  add("new", {110, 111}, R"(, "version": "2")");
  groups[1].runs[0].failed = 1;
  ifb::json_document parsed;
  ASSERT_FALSE(ifb::parse_json(json_of(compare(), groups, "inferbench compare base new"), parsed));
  EXPECT_EQ(ifb::text_of(ifb::find_path(parsed, "command")), "inferbench compare base new");
  EXPECT_EQ(ifb::text_of(ifb::find_path(parsed, "groups.1.name")), "new");
  EXPECT_EQ(ifb::text_of(ifb::find_path(parsed, "groups.1.runs.0.file")), "new/0.json");
  EXPECT_EQ(ifb::text_of(ifb::find_path(parsed, "settings_that_differ.0.name")), "version");
  EXPECT_EQ(ifb::text_of(ifb::find_path(parsed, "settings_that_differ.0.values.1.0")), "2");
  EXPECT_EQ(ifb::integer_of(ifb::find_path(parsed, "gate_status")), 6);
  EXPECT_THAT(std::string(ifb::text_of(ifb::find_path(parsed, "doubts.0"))),
              HasSubstr("requests failed"));
  EXPECT_NE(ifb::find_path(parsed, "comparison.candidates.0"), nullptr);
}

TEST_F(a_comparison_of_groups, lists_the_settings_that_differ) {
  add("base", {100, 101}, R"(, "version": "1")");
  add("new", {100, 101}, R"(, "version": "2")");
  EXPECT_THAT(text_of(compare(), groups),
              HasSubstr("Settings that differ:\n  version: base \"1\"; new \"2\"\n"));
}

}  // namespace
}  // namespace inferbench::compare
