#include "run/replay_journal.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>
#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/output.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/metrics/record_of.hpp"
#include "run/resolved.hpp"
#include "run/results.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

using metrics::testing_::origin;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t start_date = 1'700'000'000'000'000'000;

/// The calls of the reporter below, in their order.
std::vector<std::string>& calls() {
  static std::vector<std::string> all;
  return all;
}

/// A reporter that notes its calls, with the dates of the records.
class noting_reporter {
 public:
  static constexpr const char *id = "noting", *version = "1.0.0", *summary = "Notes its calls.",
                              *license = "Apache-2.0";

  explicit noting_reporter(ifb::host host) {
    calls().push_back(host.find_http() ? "create with http" : "create");
  }
  void begin(const ifb_run& run) {
    to_unix_ = run.started_unix_ns - static_cast<std::int64_t>(run.started_ns);
    calls().push_back((run.flags & IFB_RUN_REPLAYED) != 0 ? "begin replayed" : "begin");
  }
  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch)
      calls().push_back("record at " +
                        std::to_string(static_cast<std::int64_t>(r.start_ns) + to_unix_));
  }
  void snapshot(const ifb_snapshot&) { calls().push_back("snapshot"); }
  void end(const ifb_summary&) { calls().push_back("end"); }

 private:
  std::int64_t to_unix_ = 0;
};

class replays : public ::testing::Test {
 protected:
  replays() {
    calls().clear();
    results kept(about, {}, {}, {}, book.log);
    kept.keep_journal(folder.path("a.journal"), about, clock);
    std::vector<client::record> batch;
    for (const double ms : {1000.0, 2500.0})
      batch.push_back(metrics::testing_::success({.sequence = batch.size(),
                                                  .due = ms,
                                                  .start = ms,
                                                  .tokens = {ms + 5},
                                                  .end = ms + 5,
                                                  .prompt = 10,
                                                  .output = 1}));
    kept.take(std::move(batch));
    (void)kept.end({start_date, 3 * base::ns_per_s, false, 2, {}});
    reporter.library.plugin = &ifb::reporter<noting_reporter>::descriptor;
    reporter.use = "noting";
  }
  bool replay() {
    base::output out(stdout);
    return !replay_journal(folder.path("a.journal"), {reporter}, {}, {}, book.log, out)
                .reporters_failed;
  }

  const support::temporary_folder folder;
  const base::monotonic_clock clock;
  fake::log_book book;
  const records::run_information about{"run-1", origin, start_date, config_json("{}", {}), "{}"};
  options::plugin_choice reporter;
};

TEST_F(replays, tell_the_reporter_that_the_times_are_of_another_clock_and_pass_no_snapshots) {
  EXPECT_TRUE(replay());
  EXPECT_THAT(calls(),
              ElementsAre("create with http", "begin replayed", "record at 1700000001000000000",
                          "record at 1700000002500000000", "end"));
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(replays, may_be_repeated) {
  EXPECT_TRUE(replay());
  const std::vector<std::string> first = calls();
  calls().clear();
  EXPECT_TRUE(replay());
  EXPECT_EQ(calls(), first);
}

}  // namespace
}  // namespace inferbench::run
