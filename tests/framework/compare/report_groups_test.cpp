#include "compare/report_groups.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>
#include <inferbench/table_reporter.hpp>

#include "base/error.hpp"
#include "framework/experiment/experiment_box.hpp"
#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::HasSubstr;

/// The calls of the reporter below, in their order.
std::string& table_calls() {
  static std::string all;
  return all;
}

/// A reporter of tables that notes its calls.
class group_notes {
 public:
  static constexpr const char *id = "notes", *version = "1.0.0", *summary = "Notes its calls.",
                              *license = "Apache-2.0";

  explicit group_notes(ifb::host) {}
  void begin(const ifb_table& table) {
    table_calls() += "begin " + std::string(ifb::view(table.name)) + " of " +
                     std::to_string(table.run_count) + ", " + std::string(ifb::view(table.command));
    for (const ifb_axis& axis : ifb::axes_of(table))
      table_calls() += ", axis " + std::string(axis.name);
    table_calls() += "\n";
  }
  void run(const ifb_table_run& one) {
    table_calls() += "run " + std::to_string(one.index) + " of point " + std::to_string(one.point) +
                     ": " + std::string(ifb::view(one.label));
    for (const ifb_field& axis : ifb::axes_of(one))
      table_calls() += ", " + std::string(ifb::view(axis.value));
    table_calls() += "\n";
  }
  void end(const ifb_table_end& all) {
    table_calls() +=
        "end " + std::to_string(all.flags) + " " + std::string(ifb::view(all.facts_json)) + "\n";
    for (const ifb_table_point& point : ifb::points_of(all)) {
      table_calls() += "point " + std::string(ifb::view(point.facts_json)) + " of runs";
      for (const std::uint32_t run : ifb::runs_of(point))
        table_calls() += " " + std::to_string(run);
      for (const ifb_interval& figure : ifb::figures_of(point))
        if (std::string_view(figure.name) == "output_throughput")
          table_calls() += ", " + std::to_string(static_cast<int>(figure.value)) + " of " +
                           std::to_string(figure.observations);
      table_calls() += "\n";
    }
  }
};

/// A reporter of tables that refuses to begin.
class group_refusal {
 public:
  static constexpr const char *id = "refusing", *version = "1.0.0", *summary = "Refuses.",
                              *license = "Apache-2.0";
  explicit group_refusal(ifb::host) {}
  void begin(const ifb_table&) { throw ifb::failure(IFB_E_CONFIG, "no such address"); }
  void run(const ifb_table_run&) {}
  void end(const ifb_table_end&) {}
};

class reported_groups : public testing::Test {
 protected:
  reported_groups() {
    table_calls().clear();
    const std::vector<std::string> arguments{box.folder.path("base"), box.folder.path("new")};
    box.write("base/a.json", {.throughput = 100, .second = 1});
    box.write("base/b.json", {.throughput = 102, .second = 2});
    box.write("new/a.json", {.throughput = 110, .second = 3});
    groups = read_groups(arguments, {}, box.log).groups;
    groups[0].name = "base";
    groups[1].name = "new";
  }
  void use(const ifb_plugin* plugin) {
    options::plugin_choice choice;
    choice.library.plugin = plugin;
    choice.use = plugin->id;
    to.reporters.push_back(choice);
  }
  bool report() {
    return report_groups({groups, "inferbench compare base new", R"({"verdict": 1})", false}, to,
                         box.log, out.get());
  }
  run_box box;
  std::vector<run_group> groups;
  config::table_reporters to;
  experiment::kept_output out;
};

TEST_F(reported_groups, are_points_and_the_comparison_is_a_fact) {
  use(&ifb::table_reporter<group_notes>::descriptor);
  EXPECT_TRUE(report());
  EXPECT_EQ(table_calls(),
            "begin comparison of 3, inferbench compare base new, axis group\n"
            "run 0 of point 0: base 1, \"base\"\n"
            "run 1 of point 0: base 2, \"base\"\n"
            "run 2 of point 1: new, \"new\"\n"
            "end 0 {\"runs\": 3, \"points\": 2, \"complete\": true, "
            "\"comparison\": {\"verdict\": 1}}\n"
            "point {\"label\": \"base\"} of runs 0 1, 101 of 2\n"
            "point {\"label\": \"new\"} of runs 2, 110 of 1\n");
}

TEST_F(reported_groups, need_no_reporter) {
  EXPECT_TRUE(report());
  EXPECT_EQ(table_calls(), "");
}

TEST_F(reported_groups, end_with_a_reporter_that_refuses) {
  use(&ifb::table_reporter<group_refusal>::descriptor);
  EXPECT_THROW((void)report(), base::error);
}

}  // namespace
}  // namespace inferbench::compare
