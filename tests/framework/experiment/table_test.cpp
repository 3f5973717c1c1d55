#include "experiment/table.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>
#include <inferbench/table_reporter.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "framework/experiment/experiment_box.hpp"
#include "framework/experiment/finished_runs.hpp"
#include "support/golden.hpp"

namespace inferbench::experiment {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// The calls of the reporters below, in their order.
std::string& noted_calls() {
  static std::string all;
  return all;
}

std::string noted_axes(std::span<const ifb_field> axes) {
  std::string out;
  for (const ifb_field& axis : axes)
    out += " " + std::string(ifb::view(axis.name)) + "=" + std::string(ifb::view(axis.value));
  return out;
}

/// A reporter of tables that notes its calls.
class table_notes {
 public:
  static constexpr const char *id = "notes", *version = "1.0.0", *summary = "Notes its calls.",
                              *license = "Apache-2.0";

  explicit table_notes(ifb::host) {}
  void begin(const ifb_table& table) {
    note("begin " + std::string(ifb::view(table.name)) + ", " + std::to_string(table.run_count) +
         " runs, started " + std::to_string(table.started_unix_ns) + ", by " +
         std::string(ifb::view(table.command)));
    for (const ifb_axis& axis : ifb::axes_of(table))
      note("  axis " + std::string(axis.name) + ", unit " +
           (axis.unit == nullptr ? "none" : axis.unit) + ", title " + axis.title);
  }
  void run(const ifb_table_run& one) {
    note("run " + std::to_string(one.index) + " of point " + std::to_string(one.point) + ": " +
         std::string(ifb::view(one.label)) + ";" + noted_axes(ifb::axes_of(one)) + "; from " +
         std::string(ifb::view(one.source)) + ", " + std::string(ifb::view(one.run->name)));
    for (const ifb_metric& m : ifb::metrics_of(*one.summary))
      if (std::string_view(m.name) == "request_throughput")
        note("  request_throughput " + base::shortest(m.value));
  }
  void end(const ifb_table_end& all) {
    note("end, flags " + std::to_string(all.flags) + ", finished " +
         std::to_string(all.finished_unix_ns) + ", " + std::string(ifb::view(all.facts_json)));
    for (const ifb_table_point& point : ifb::points_of(all)) {
      std::string text = "  point of runs";
      for (const std::uint32_t run : ifb::runs_of(point))
        text += " " + std::to_string(run);
      note(text + ";" + noted_axes(ifb::axes_of(point)) + "; " +
           std::string(ifb::view(point.facts_json)));
      for (const ifb_interval& figure : ifb::figures_of(point))
        note("    " + std::string(figure.name) + " " + figure.statistic + " " + figure.unit + " " +
             base::shortest(figure.value) + " [" + base::shortest(figure.low) + ", " +
             base::shortest(figure.high) + "] " + base::shortest(figure.confidence) + " of " +
             std::to_string(figure.observations));
    }
  }

 private:
  static void note(const std::string& line) { noted_calls() += line + "\n"; }
};

/// A reporter of tables that fails at the first run.
class failing_table {
 public:
  static constexpr const char *id = "failing", *version = "1.0.0", *summary = "Fails.",
                              *license = "Apache-2.0";
  explicit failing_table(ifb::host) {}
  void begin(const ifb_table&) {}
  void run(const ifb_table_run&) { throw ifb::failure(IFB_E_IO, "the disk is full"); }
  void end(const ifb_table_end&) {}
};

/// A reporter of tables that refuses to begin.
class refusing_table {
 public:
  static constexpr const char *id = "refusing", *version = "1.0.0", *summary = "Refuses.",
                              *license = "Apache-2.0";
  explicit refusing_table(ifb::host) {}
  void begin(const ifb_table&) { throw ifb::failure(IFB_E_CONFIG, "no such address"); }
  void run(const ifb_table_run&) {}
  void end(const ifb_table_end&) {}
};

/// A reporter of single runs.
class run_notes {
 public:
  static constexpr const char *id = "single", *version = "1.0.0", *summary = "One run.",
                              *license = "Apache-2.0";
  explicit run_notes(ifb::host) {}
  void begin(const ifb_run&) {}
  void end(const ifb_summary&) {}
};

std::string throughput_of(double value) {
  return R"({"duration": 2.0, "completed": 4, "request_throughput": )" + base::shortest(value) +
         R"(, "mean_ttft_ms": 10.0, "inferbench": {"started_unix_ns": 1700000000000000)" +
         std::to_string(static_cast<int>(value)) + "0}}";
}

class sweep_table : public testing::Test {
 protected:
  sweep_table() {
    noted_calls().clear();
    use(&ifb::table_reporter<table_notes>::descriptor);
    what.folder = "results/night";
  }
  void use(const ifb_plugin* plugin) {
    options::plugin_choice choice;
    choice.library.plugin = plugin;
    choice.use = plugin->id;
    reporters.push_back(choice);
  }
  bool report() {
    return report_table(what, "inferbench run a.toml", reporters, {}, log, out.get());
  }

  kept_output out;
  std::vector<std::string> lines;
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { lines.emplace_back(line); }};
  std::vector<options::plugin_choice> reporters;
  outcome what;
};

TEST_F(sweep_table, gives_reporters_all_runs_and_points_as_recorded) {
  const std::string small = R"({"max_num_seqs": 8})";
  const std::string one = R"({"load.max-concurrency": 1})";
  const std::string four = R"({"load.max-concurrency": 4})";
  what.runs = {finished(small, one, 0, throughput_of(10), "A"),
               finished(small, one, 1, throughput_of(12), "A"),
               finished(small, one, 2, throughput_of(11), "A"),
               finished(small, four, 0, throughput_of(30), "B")};
  EXPECT_TRUE(report());
  support::expect_golden(noted_calls(), std::string(INFERBENCH_FIXTURES) + "/experiment/table.txt");
  EXPECT_THAT(lines, IsEmpty());
}

/// The result of a start-up benchmark with these times of cold starts; warm ones take half.
std::string starts_of(double first, double second) {
  const auto times = [](double a, double b) {
    return "_times\": [" + base::shortest(a) + ", " + base::shortest(b) + "]";
  };
  return "{\"cold_startup" + times(first, second) + ", \"warm_startup" +
         times(first / 2, second / 2) + ", \"warm_startup_percentiles\": {\"99\": 1.0}}";
}

TEST_F(sweep_table, gives_reporters_the_times_of_starts_by_the_parameters_of_the_server) {
  const std::string small = R"({"_benchmark_name": "small", "max_num_seqs": 8})";
  const std::string large = R"({"_benchmark_name": "large", "max_num_seqs": 64})";
  what.runs = {finished(small, "{}", 0, starts_of(2, 3), "SERVE--small"),
               finished(small, "{}", 1, starts_of(3, 4), "SERVE--small"),
               finished(large, "{}", 0, starts_of(5, 6), "SERVE--large")};
  EXPECT_TRUE(report());
  support::expect_golden(noted_calls(),
                         std::string(INFERBENCH_FIXTURES) + "/experiment/table_startup.txt");
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(sweep_table, has_each_file_once) {
  what.runs = {finished("{}", "{}", 0, throughput_of(10), "A"),
               finished("{}", "{}", 0, throughput_of(10), "./A"),
               finished("{}", "{}", 1, throughput_of(10), "A")};
  EXPECT_TRUE(report());
  EXPECT_THAT(noted_calls(), StartsWith("begin night, 2 runs"));
}

TEST_F(sweep_table, says_that_the_sweep_is_not_complete) {
  what.runs = {finished("{}", "{}", 0, throughput_of(10))};
  what.all_made = false;
  EXPECT_TRUE(report());
  EXPECT_THAT(noted_calls(), HasSubstr("end, flags 0, "));
  EXPECT_THAT(noted_calls(), HasSubstr("\"complete\": false"));
  noted_calls().clear();
  what.interrupted = true;
  EXPECT_TRUE(report());
  EXPECT_THAT(noted_calls(), HasSubstr("end, flags 1, "));
}

TEST_F(sweep_table, has_the_name_of_the_folder) {
  what.runs = {finished("{}", "{}", 0, throughput_of(10))};
  for (const auto& [folder, name] : {std::pair{"results/night/", "begin night,"},
                                     {"night", "begin night,"},
                                     {"results/..", "begin sweep,"},
                                     {"", "begin sweep,"}}) {
    what.folder = folder;
    noted_calls().clear();
    EXPECT_TRUE(report());
    EXPECT_THAT(noted_calls(), StartsWith(name)) << folder;
  }
}

TEST_F(sweep_table, without_runs_creates_no_reporter_and_says_so) {
  EXPECT_TRUE(report());
  EXPECT_EQ(noted_calls(), "");
  EXPECT_THAT(lines, ElementsAre(HasSubstr("no run has a result")));
}

TEST_F(sweep_table, without_reporters_does_nothing) {
  reporters.clear();
  EXPECT_TRUE(report());
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(sweep_table, goes_on_without_a_reporter_that_fails) {
  use(&ifb::table_reporter<failing_table>::descriptor);
  what.runs = {finished("{}", "{}", 0, throughput_of(10)),
               finished("{}", "{}", 1, throughput_of(10))};
  EXPECT_FALSE(report());
  EXPECT_THAT(noted_calls(), HasSubstr("\nend, flags 0"));
  EXPECT_THAT(lines, Contains(HasSubstr("the disk is full")).Times(1));
}

TEST_F(sweep_table, ends_if_a_reporter_refuses_or_shows_one_run) {
  what.runs = {finished("{}", "{}", 0, throughput_of(10))};
  reporters.clear();
  use(&ifb::table_reporter<refusing_table>::descriptor);
  EXPECT_THROW((void)report(), base::error);
  reporters.clear();
  use(&ifb::reporter<run_notes>::descriptor);
  EXPECT_THROW((void)report(), base::error);
}

}  // namespace
}  // namespace inferbench::experiment
