// Tests what csv, markdown and sqlite make of the figures of points and of intervals.
#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reporters/csv/table.hpp"
#include "reporters/markdown/comparison.hpp"
#include "reporters/sqlite/schema.hpp"
#include "reporters/sqlite/table_writer.hpp"
#include "support/temporary_folder.hpp"

namespace {

using testing::HasSubstr;

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// A table of three runs at two points. The text of an axis and the first figure are hostile.
class frontier {
 public:
  frontier() {
    axis_.struct_size = sizeof axis_;
    axis_.name = "mode|x";
    table.struct_size = sizeof table;
    table.name = ifb::str("frontier");
    table.axes = &axis_;
    table.axis_count = 1;
    table.axis_stride = sizeof axis_;
    for (ifb_interval* each : {&of_point_, &of_run_, &of_scalar_}) {
      each->struct_size = sizeof *each;
      each->name = "ttft";
      each->statistic = "p99";
      each->unit = "ms";
      each->value = 12.5;
      each->low = 10;
      each->high = each == &of_run_ ? no_limit : 15;
      each->confidence = 0.95;
      each->observations = each == &of_run_ ? 40 : 2;
    }
    of_scalar_.name = "request_throughput";
    of_scalar_.statistic = "value";
    of_scalar_.unit = "req/s";
    of_scalar_.low = 1.5;
    of_scalar_.high = no_limit;
    of_run_list_ = {of_run_, of_scalar_};
    metric_.struct_size = sizeof metric_;
    metric_.name = metric_.title = metric_.label = "request_throughput";
    metric_.unit = "req/s";
    metric_.help = "";
    metric_.value = 2;
    summary_.struct_size = sizeof summary_;
    summary_.metrics = &metric_;
    summary_.metric_count = 1;
    summary_.metric_stride = sizeof metric_;
    for (std::uint32_t i = 0; i < 3; ++i) {
      names_[i] = "run-" + std::to_string(i);
      described_[i].struct_size = sizeof(ifb_run);
      described_[i].name = ifb::str(names_[i]);
      described_[i].started_unix_ns = 1'000'000'000 + i;
      ifb_table_run& run = runs[i];
      run.struct_size = sizeof run;
      run.index = i;
      run.point = i / 2;
      run.run = &described_[i];
      run.summary = &summary_;
      run.label = ifb::str(names_[i]);
      run.axes = &values_[run.point];
      run.axis_count = 1;
      run.intervals = of_run_list_.data();
      run.interval_count = 2;
      run.interval_stride = sizeof of_run_;
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
      points_[i].struct_size = sizeof(ifb_table_point);
      points_[i].axes = &values_[i];
      points_[i].axis_count = 1;
      points_[i].runs = &indices_[2 * std::size_t{i}];
      points_[i].run_count = i == 0 ? 2 : 1;
      points_[i].figures = &of_point_;
      points_[i].figure_count = 1;
      points_[i].figure_stride = sizeof of_point_;
    }
    end.struct_size = sizeof end;
    end.points = points_.data();
    end.point_count = 2;
    end.point_stride = sizeof(ifb_table_point);
  }
  frontier(const frontier&) = delete;
  frontier& operator=(const frontier&) = delete;

  ifb_table table{};
  std::array<ifb_table_run, 3> runs{};
  ifb_table_end end{};

 private:
  ifb_axis axis_{};
  ifb_interval of_point_{}, of_run_{}, of_scalar_{};
  std::array<ifb_interval, 2> of_run_list_{};
  ifb_metric metric_{};
  ifb_summary summary_{};
  std::array<std::string, 3> names_;
  std::array<ifb_run, 3> described_{};
  std::array<ifb_field, 2> values_{ifb::field("mode|x", "\"=a|b\""), ifb::field("mode|x", "8")};
  std::array<std::uint32_t, 3> indices_{0, 1, 2};
  std::array<ifb_table_point, 2> points_{};
};

TEST(csv_of_several_runs, intervals_and_points_have_columns) {
  const frontier all;
  reporters::csv_table table(all.table);
  for (const ifb_table_run& run : all.runs)
    table.add(run);
  table.add(all.end);
  EXPECT_EQ(table.text(),
            "mode|x,kind,point,run,runs,label,source,name,state,started,request_throughput,"
            "ttft_p99_low,ttft_p99_high,ttft_p99_confidence,ttft_p99_observations,"
            "request_throughput_low,request_throughput_high,request_throughput_confidence,"
            "request_throughput_observations,ttft_p99\n"
            "'=a|b,run,0,0,1,run-0,,run-0,finished,1970-01-01T00:00:01.000000Z,2,10,inf,0.95,40,"
            "1.5,inf,0.95,2,\n"
            "'=a|b,run,0,1,1,run-1,,run-1,finished,1970-01-01T00:00:01.000000Z,2,10,inf,0.95,40,"
            "1.5,inf,0.95,2,\n"
            "8,run,1,2,1,run-2,,run-2,finished,1970-01-01T00:00:01.000000Z,2,10,inf,0.95,40,"
            "1.5,inf,0.95,2,\n"
            "'=a|b,point,0,,2,,,,,,,10,15,0.95,2,,,,,12.5\n"
            "8,point,1,,1,,,,,,,10,15,0.95,2,,,,,12.5\n");
}

TEST(markdown_of_several_runs, a_point_states_its_interval_and_the_number_behind_it) {
  const frontier all;
  reporters::markdown_comparison comparison(all.table, "");
  for (const ifb_table_run& run : all.runs)
    comparison.add(run);
  const std::string text = comparison.text(all.end);
  EXPECT_THAT(text, HasSubstr("| mode&#124;x | Runs | TTFT P99 (ms) |\n"));
  EXPECT_THAT(text, HasSubstr("\n| &#61;a&#124;b | 2 | 12.50 ± 2.50 |\n"));
  EXPECT_THAT(text, HasSubstr("\n| mode&#124;x==a&#124;b | ttft_p99 (ms) | 12.50 | "
                              "[10.00, 15.00] | 2 |\n"));
  EXPECT_THAT(text, HasSubstr("2.00 (x 1.00) (>= 1.50) |"));
  EXPECT_THAT(text, HasSubstr("The configurations do not differ."));
}

TEST(markdown_of_several_runs, points_with_one_run_each_are_not_repeated) {
  const frontier all;
  reporters::markdown_comparison comparison(all.table, "");
  for (const ifb_table_run& run : all.runs)
    comparison.add(run);
  std::array<ifb_table_point, 2> points{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = all.end.points[i];
    points[i].run_count = 1;
  }
  ifb_table_end end = all.end;
  end.points = points.data();
  end.point_stride = sizeof(ifb_table_point);
  EXPECT_THAT(comparison.text(end), testing::Not(HasSubstr("### Combinations")));
}

TEST(markdown_of_several_runs, a_real_time_factor_of_zero_is_left_out) {
  const frontier all;
  reporters::markdown_comparison comparison(all.table, "");
  for (const ifb_table_run& run : all.runs)
    comparison.add(run);
  ifb_interval silent = *all.end.points[0].figures;
  silent.name = "rtfx";
  silent.statistic = "value";
  silent.unit = "1";
  silent.value = 0;
  ifb_table_point point = all.end.points[0];
  point.figures = &silent;
  ifb_table_end end = all.end;
  end.points = &point;
  end.point_count = 1;
  EXPECT_THAT(comparison.text(end), testing::Not(HasSubstr("rtfx")));
  silent.value = 0.5;
  EXPECT_THAT(comparison.text(end), HasSubstr("rtfx | 0.50"));
}

TEST(markdown_of_several_runs, a_percentile_has_an_upper_bound_or_is_not_certified) {
  const frontier all;
  ifb_metric latency{};
  latency.struct_size = sizeof latency;
  latency.name = "ttft";
  latency.title = latency.label = "TTFT";
  latency.unit = "ms";
  latency.help = "";
  latency.flags = std::uint32_t{IFB_METRIC_SUMMARY} | IFB_METRIC_UPSTREAM;
  latency.count = 40;
  ifb_quantile p99{};
  p99.q = 0.99;
  p99.value = 12.5;
  latency.quantiles = &p99;
  latency.quantile_count = 1;
  ifb_summary summary = *all.runs[0].summary;
  summary.metrics = &latency;
  summary.facts_json = ifb::str(R"({"accounting": {"planned": 400, "not_recorded": 201},
                                    "journal_damage": {"places": 1}})");
  ifb_interval bound = all.runs[0].intervals[0];
  bound.low = -no_limit;
  const auto text_with = [&](double high) {
    bound.high = high;
    reporters::markdown_comparison comparison(all.table, "");
    ifb_table_run run = all.runs[0];
    run.summary = &summary;
    run.intervals = &bound;
    run.interval_count = 1;
    comparison.add(run);
    return comparison.text(all.end);
  };
  EXPECT_THAT(text_with(31.26), HasSubstr("| 12.50 (<= 31.26), n = 40 |"));
  EXPECT_THAT(text_with(no_limit), HasSubstr("| 12.50 (not certified), n = 40 |"));
  EXPECT_THAT(text_with(31.26), HasSubstr("bound of the true value at 95 % confidence"));
  EXPECT_THAT(text_with(31.26),
              HasSubstr("| run-0 (journal damaged: 199 of 400 requests known) |"));
}

TEST(markdown_of_several_runs, a_table_without_runs_says_so) {
  const frontier all;
  const reporters::markdown_comparison comparison(all.table, "nothing");
  EXPECT_THAT(comparison.text(all.end), HasSubstr("There are no runs."));
}

TEST(sqlite_of_several_runs, points_axes_and_intervals_are_rows) {
  const frontier all;
  const inferbench::support::temporary_folder files;
  const reporters::database db(files.path("t.db"));
  reporters::prepare_schema(db, files.path("t.db"));
  reporters::table_writer writer(db, all.table, {});
  EXPECT_EQ(db.number("SELECT count(*) FROM tables WHERE state = 'unfinished'"), 1);
  for (const ifb_table_run& run : all.runs)
    writer.add(run);
  writer.finish(all.end);
  EXPECT_EQ(db.number("SELECT count(*) FROM tables WHERE state = 'finished'"), 1);
  EXPECT_EQ(db.number("SELECT count(*) FROM runs"), 3);
  EXPECT_EQ(db.number("SELECT value FROM point_axes WHERE point = 1"), 8);
  reporters::sql_statement text(db, "SELECT value FROM point_axes WHERE point = 0");
  ASSERT_TRUE(text.next());
  EXPECT_EQ(text.text(0), "=a|b");
  EXPECT_EQ(db.number("SELECT count(*) FROM intervals WHERE run >= 0 AND observations = 40"), 3);
  EXPECT_EQ(db.number("SELECT count(*) FROM intervals WHERE run = -1 AND high = 15"), 2);
}

}  // namespace
