#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>
#include <inferbench/table_reporter.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::made;
using sdk_test::stale_error;
using sdk_test::text_value;

/// Logs its calls; fails in the call that its option selects.
class comparer {
 public:
  static constexpr const char *id = "comparer", *version = "1.0.0", *summary = "Compares.",
                              *license = "MIT";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;
  struct options {
    std::string trouble;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"trouble", &options::trouble, "Where to fail."}};
    }
  };
  comparer(ifb::host host, const options& given) : host_(host), options_(given) {}

  void begin(const ifb_table& table) {
    std::string text = "begin " + std::string{ifb::view(table.name)};
    for (const ifb_axis& axis : ifb::axes_of(table))
      text += " " + std::string{axis.name};
    log("begin", text);
  }
  void records(const ifb_table_run& of, ifb::strided<ifb_record> batch) {
    std::string text = "records of " + std::string{ifb::view(of.label)};
    for (const ifb_record& record : batch)
      text += " " + std::to_string(record.sequence);
    log("records", text);
  }
  void run(const ifb_table_run& one) {
    std::string text = "run " + std::to_string(one.index);
    for (const ifb_field& axis : ifb::axes_of(one))
      text += " " + std::string{ifb::view(axis.name)} + "=" + std::string{ifb::view(axis.value)};
    for (const ifb_interval& each : ifb::intervals_of(one))
      text += " " + std::string{each.statistic};
    log("run", text);
  }
  void end(const ifb_table_end& all) {
    std::string text = "end";
    for (const ifb_table_point& point : ifb::points_of(all)) {
      for (const std::uint32_t run : ifb::runs_of(point))
        text += " " + std::to_string(run);
      text += " " + std::to_string(ifb::figures_of(point).size()) + "/" +
              std::to_string(ifb::axes_of(point).size());
    }
    log("end", text);
  }

 private:
  void log(std::string_view where, const std::string& text) {
    if (options_.trouble == where) throw ifb::failure{IFB_E_IO, "disk full"};
    host_.info(text);
  }
  ifb::host host_;
  options options_;
};

template <typename known>
struct longer {
  known first;
  std::uint64_t added;
};

std::array<ifb_status, 4> all_table_calls(const made& self, ifb_error& error) {
  const auto& calls = self.table<ifb_table_reporter>(IFB_TABLE_REPORTER_OPS);
  std::array<longer<ifb_axis>, 2> axes{};
  axes[0].first.name = "rate";
  axes[1].first.name = "cap";
  ifb_table table{};
  table.name = ifb::str("t");
  table.axes = &axes[0].first;
  table.axis_count = 2;
  table.axis_stride = sizeof axes[0];

  const std::array<ifb_field, 1> values{ifb_field{ifb::str("rate"), ifb::str("8")}};
  std::array<longer<ifb_interval>, 2> intervals{};
  intervals[0].first.statistic = "mean";
  intervals[1].first.statistic = "p99";
  ifb_run run{};
  ifb_table_run of{};
  of.index = 1;
  of.run = &run;
  of.label = ifb::str("b");
  of.axes = values.data();
  of.axis_count = values.size();
  of.intervals = &intervals[0].first;
  of.interval_count = 2;
  of.interval_stride = sizeof intervals[0];
  std::array<longer<ifb_record>, 2> records{};
  records[1].first.sequence = 7;

  const std::array<std::uint32_t, 2> runs{0, 2};
  std::array<longer<ifb_table_point>, 2> points{};
  points[0].first.runs = runs.data();
  points[0].first.run_count = runs.size();
  points[0].first.axes = values.data();
  points[0].first.axis_count = 1;
  ifb_table_end end{};
  end.points = &points[0].first;
  end.point_count = 2;
  end.point_stride = sizeof points[0];
  return {calls.begin(self.get(), &table, &error),
          calls.records(self.get(), &of, &records[0].first, 2, sizeof records[0], &error),
          calls.run(self.get(), &of, &error), calls.end(self.get(), &end, &error)};
}

TEST(table_reporter, gets_runs_at_the_distances_that_the_host_names) {
  fake_host host;
  const made self(ifb::table_reporter<comparer>::descriptor, host);
  ifb_error error = stale_error();
  EXPECT_EQ(all_table_calls(self, error), (std::array<ifb_status, 4>{}));
  std::vector<std::string> lines;
  for (const auto& [level, text] : host.logged)
    lines.push_back(text);
  EXPECT_EQ(lines, (std::vector<std::string>{"begin t rate cap", "records of b 0 7",
                                             "run 1 rate=8 mean p99", "end 0 2 0/1 0/0"}));
  EXPECT_EQ(ifb::table_reporter<comparer>::descriptor.kind, static_cast<ifb_kind>(IFB_REPORTER));
  EXPECT_EQ(ifb::table_reporter<comparer>::operations.flags,
            std::uint32_t{IFB_REPORTER_STAMPS_IF_DETAILED});
}

TEST(table_reporter, an_exception_in_any_call_becomes_its_status) {
  const std::array<std::string, 4> names{"begin", "records", "run", "end"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    fake_host host;
    const made self(ifb::table_reporter<comparer>::descriptor, host,
                    {text_value(IFB_STRING, names[i])});
    ifb_error error = stale_error();
    std::array<ifb_status, 4> expected{};
    expected[i] = IFB_E_IO;
    EXPECT_EQ(all_table_calls(self, error), expected) << names[i];
    EXPECT_STREQ(error.message, "disk full");
  }
}

TEST(table_reporter, offers_only_the_table_interface) {
  const ifb_plugin& plugin = ifb::table_reporter<comparer>::descriptor;
  EXPECT_STREQ(plugin.interfaces[0], IFB_TABLE_REPORTER_OPS);
  EXPECT_EQ(plugin.interfaces[1], nullptr);
  EXPECT_EQ(plugin.query(&plugin, IFB_REPORTER_OPS), nullptr);
}

/// Reports single runs and tables, and reads no records of tables.
class twofold {
 public:
  static constexpr const char *id = "twofold", *version = "1.0.0", *summary = "Both.",
                              *license = "MIT";
  explicit twofold(ifb::host host) : host_(host) {}
  void begin(const ifb_run&) { host_.info("one run"); }
  void records(ifb::strided<ifb_record>) {}
  void end(const ifb_summary&) {}
  void begin(const ifb_table&) { host_.info("a table"); }
  void run(const ifb_table_run&) {}
  void end(const ifb_table_end&) {}

 private:
  ifb::host host_;
};

TEST(table_reporter, one_class_offers_both_interfaces_with_overloads) {
  fake_host host;
  const ifb_plugin& plugin = ifb::reporter<twofold>::descriptor;
  EXPECT_STREQ(plugin.interfaces[0], IFB_REPORTER_OPS);
  EXPECT_STREQ(plugin.interfaces[1], IFB_TABLE_REPORTER_OPS);
  EXPECT_EQ(plugin.interfaces[2], nullptr);
  EXPECT_EQ(plugin.query(&plugin, "inferbench.unknown/1"), nullptr);
  const made self(plugin, host);
  ifb_error error = stale_error();
  const auto& single = self.table<ifb_reporter>(IFB_REPORTER_OPS);
  const auto& several = self.table<ifb_table_reporter>(IFB_TABLE_REPORTER_OPS);
  EXPECT_NE(single.records, nullptr);
  EXPECT_EQ(several.records, nullptr);
  const ifb_run run{};
  const ifb_table table{};
  EXPECT_EQ(single.begin(self.get(), &run, &error), IFB_OK);
  EXPECT_EQ(several.begin(self.get(), &table, &error), IFB_OK);
  ASSERT_EQ(host.logged.size(), 2U);
  EXPECT_EQ(host.logged[0].second, "one run");
  EXPECT_EQ(host.logged[1].second, "a table");
}

}  // namespace
