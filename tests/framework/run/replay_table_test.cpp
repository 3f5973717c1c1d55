#include "run/replay_table.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/metrics/record_of.hpp"
#include "run/resolved.hpp"
#include "run/results.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

using metrics::testing_::origin;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The calls of the reporter below, in their order.
std::vector<std::string>& table_calls() {
  static std::vector<std::string> all;
  return all;
}

/// A reporter of tables that notes its calls.
class noting_table_reporter {
 public:
  static constexpr const char *id = "noting", *version = "1.0.0", *summary = "Notes its calls.",
                              *license = "Apache-2.0";

  explicit noting_table_reporter(ifb::host) {}
  void begin(const ifb_table& table) {
    std::string text = "begin " + std::string(ifb::view(table.name)) + " of " +
                       std::to_string(table.run_count) + ":";
    for (const ifb_axis& axis : ifb::axes_of(table))
      text += " " + std::string(axis.name);
    table_calls().push_back(text);
  }
  void records(const ifb_table_run& of, ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch)
      table_calls().push_back("record of " + std::string(ifb::view(of.label)) + " at " +
                              std::to_string(r.start_ns - of.run->started_ns));
  }
  void run(const ifb_table_run& one) {
    std::string text = "run " + std::string(ifb::view(one.label)) + " point " +
                       std::to_string(one.point) + " flags " + std::to_string(one.run->flags);
    for (const ifb_metric& m : ifb::metrics_of(*one.summary))
      if (std::string_view(m.name) == "completed")
        text += " completed " + std::to_string(static_cast<int>(m.value));
    for (const ifb_field& axis : ifb::axes_of(one))
      text += " " + std::string(ifb::view(axis.name)) + "=" + std::string(ifb::view(axis.value));
    if (ifb::view(one.summary->facts_json).find("journal_damage") != std::string_view::npos)
      text += " damaged";
    if ((one.summary->flags & IFB_SUMMARY_INTERRUPTED) != 0) text += " interrupted";
    table_calls().push_back(text);
  }
  void end(const ifb_table_end& all) {
    std::string text = "end";
    for (const ifb_table_point& point : ifb::points_of(all))
      for (const std::uint32_t run : ifb::runs_of(point))
        text += " " + std::to_string(run);
    table_calls().push_back(text + " " + std::string(ifb::view(all.facts_json)));
  }
};

/// A reporter of single runs.
class single_reporter {
 public:
  static constexpr const char *id = "single", *version = "1.0.0", *summary = "One run.",
                              *license = "Apache-2.0";
  explicit single_reporter(ifb::host) {}
  void begin(const ifb_run&) {}
  void end(const ifb_summary&) {}
};

class table_replays : public ::testing::Test {
 protected:
  table_replays() {
    table_calls().clear();
    reporter.library.plugin = &ifb::table_reporter<noting_table_reporter>::descriptor;
    reporter.use = "noting";
  }
  /// Writes the journal of a run with two requests.
  std::string journal(const std::string& name, std::int64_t concurrency) {
    ifb::run_description description;
    description.max_concurrency = concurrency;
    const records::run_information about{"run-" + name, origin, 1'700'000'000'000'000'000,
                                         config_json("{}", description), "{}"};
    results kept(about, {}, {}, {}, book.log);
    const std::string file = folder.path(name + ".journal");
    kept.keep_journal(file, about, clock);
    std::vector<client::record> batch;
    for (const double ms : {1.0, 2.0})
      batch.push_back(metrics::testing_::success({.sequence = batch.size(),
                                                  .due = ms,
                                                  .start = ms,
                                                  .tokens = {ms + 5},
                                                  .end = ms + 5,
                                                  .prompt = 10,
                                                  .output = 1}));
    kept.take(std::move(batch));
    (void)kept.end({1'700'000'000'000'000'000, 3 * base::ns_per_s, false, 2, {}});
    return file;
  }
  bool replay(const std::vector<std::filesystem::path>& journals) {
    base::output out(stdout);
    return !replay_table(journals, {reporter}, {}, {}, book.log, out).reporters_failed;
  }

  const support::temporary_folder folder;
  const base::monotonic_clock clock;
  fake::log_book book;
  options::plugin_choice reporter;
};

TEST_F(table_replays, report_each_run_once_in_the_order_of_the_journals) {
  const std::string a = journal("a", 8);
  const std::string b = journal("b", 16);
  EXPECT_TRUE(replay({b, a, b}));
  EXPECT_THAT(
      table_calls(),
      ElementsAre("begin run-b-and-2-more of 3: max_concurrency", "record of b at 1000000",
                  "record of b at 2000000", "run b point 0 flags 1 completed 2 max_concurrency=16",
                  "record of a at 1000000", "record of a at 2000000",
                  "run a point 1 flags 1 completed 2 max_concurrency=8",
                  "record of b (2) at 1000000", "record of b (2) at 2000000",
                  "run b (2) point 2 flags 1 completed 2 max_concurrency=16",
                  R"(end 0 1 2 {"runs": 3, "damaged_journals": 0, "unfinished_runs": 0})"));
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(table_replays, report_what_is_readable_of_a_damaged_journal_and_count_the_loss) {
  const std::string a = journal("a", 8);
  const std::string b = journal("b", 8);
  std::filesystem::resize_file(b, std::filesystem::file_size(b) - 3);
  EXPECT_TRUE(replay({a, b}));
  EXPECT_THAT(table_calls(), Contains("run b point 1 flags 1 completed 2 damaged interrupted"));
  EXPECT_THAT(table_calls().back(),
              HasSubstr(R"({"runs": 2, "damaged_journals": 1, "unfinished_runs": 1})"));
  EXPECT_THAT(book.lines(), Contains(HasSubstr("b.journal: the run did not come to its end")));
}

TEST_F(table_replays, open_all_journals_before_a_reporter_begins) {
  const std::string a = journal("a", 8);
  const std::string b = folder.write("b.journal", "no journal at all");
  EXPECT_THROW((void)replay({a, b}), base::error);
  EXPECT_THAT(table_calls(), IsEmpty());
}

TEST_F(table_replays, refuse_a_reporter_of_single_runs) {
  const std::string a = journal("a", 8);
  reporter.library.plugin = &ifb::reporter<single_reporter>::descriptor;
  try {
    (void)replay({a, a});
    FAIL() << "the reporter was not refused";
  } catch (const base::error& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("reporter single offers inferbench.reporter/1"));
    EXPECT_THAT(refusal.what(), HasSubstr("inferbench.table-reporter/1"));
  }
}

}  // namespace
}  // namespace inferbench::run
