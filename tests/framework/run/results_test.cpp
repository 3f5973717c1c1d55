#include "run/results.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <future>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "framework/metrics/record_of.hpp"
#include "records/channel.hpp"
#include "records/journal_reader.hpp"
#include "run/collector.hpp"
#include "run/end_facts.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

using metrics::testing_::origin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A reporter that stores its input. Between hold() and release(), calls with records block.
class fake_reporter {
 public:
  std::string refuses;  // the message that begin() refuses with; empty: begin() accepts
  std::string name, config, summary;
  std::uint32_t flags = 0;
  std::uint64_t started_ns = 0;
  std::int64_t started_unix_ns = 0;
  int begins = 0;
  int ends = 0;
  std::vector<std::uint64_t> sequences;
  std::vector<std::string> figures;

  report::target target() {
    report::target out;
    out.name = "fake";
    out.self = reinterpret_cast<ifb_instance*>(this);
    out.calls.takes_records = out.calls.takes_snapshots = true;
    ifb_reporter& table = out.calls;
    table.struct_size = sizeof table;
    table.begin = [](ifb_instance* self, const ifb_run* run, ifb_error* error) {
      return of(self).begun(*run, error);
    };
    table.records = [](ifb_instance* self, const ifb_record* first, std::size_t count,
                       std::size_t stride,
                       ifb_error*) { return of(self).taken(first, count, stride); };
    table.snapshot = [](ifb_instance* self, const ifb_snapshot* live, ifb_error*) {
      const std::lock_guard lock(of(self).mutex_);
      of(self).snapshot_times_.push_back(live->at_ns);
      of(self).changed_.notify_all();
      return ifb_status{IFB_OK};
    };
    table.end = [](ifb_instance* self, const ifb_summary* last, ifb_error*) {
      return of(self).ended(*last);
    };
    return out;
  }

  void hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  /// The times of the first `number` snapshots, once they have come.
  std::vector<std::uint64_t> snapshot_times(std::size_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return snapshot_times_.size() >= number; });
    return snapshot_times_;
  }

 private:
  static fake_reporter& of(ifb_instance* self) { return *reinterpret_cast<fake_reporter*>(self); }
  static std::string text(const ifb_str& from) { return {from.data, from.size}; }

  ifb_status begun(const ifb_run& run, ifb_error* error) {
    ++begins;
    name = text(run.name);
    config = text(run.config_json);
    flags = run.flags;
    started_ns = run.started_ns;
    started_unix_ns = run.started_unix_ns;
    if (refuses.empty()) return IFB_OK;
    std::strcpy(error->message, refuses.c_str());
    return error->code = IFB_E_IO;
  }
  ifb_status taken(const ifb_record* first, std::size_t count, std::size_t stride) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !held_; });
    for (std::size_t i = 0; i < count; ++i)
      sequences.push_back(
          reinterpret_cast<const ifb_record*>(reinterpret_cast<const char*>(first) + i * stride)
              ->sequence);
    return IFB_OK;
  }
  ifb_status ended(const ifb_summary& s) {
    ++ends;
    summary = text(s.facts_json);
    for (std::size_t i = 0; i < s.metric_count; ++i) {
      const auto& m = *reinterpret_cast<const ifb_metric*>(
          reinterpret_cast<const char*>(s.metrics) + i * s.metric_stride);
      figures.push_back(std::string(m.name) + "=" + std::to_string(m.value));
    }
    return IFB_OK;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  std::vector<std::uint64_t> snapshot_times_;
};

client::record answer(std::uint64_t sequence, std::size_t text_bytes = 0) {
  const double start = 10.0 * static_cast<double>(sequence);
  client::record out = metrics::testing_::success({.sequence = sequence,
                                                   .due = start,
                                                   .start = start,
                                                   .tokens = {start + 5, start + 7, start + 9},
                                                   .end = start + 9,
                                                   .prompt = 10,
                                                   .output = 3});
  out.text.assign(text_bytes, 'x');
  return out;
}

std::vector<client::record> answers(std::uint64_t from, std::uint64_t to,
                                    std::size_t text_bytes = 0) {
  std::vector<client::record> out;
  for (std::uint64_t i = from; i < to; ++i)
    out.push_back(answer(i, text_bytes));
  return out;
}

class results_of_a_run : public testing::Test {
 protected:
  const support::temporary_folder folder;
  const base::monotonic_clock clock;
  std::vector<std::string> lines;
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { lines.emplace_back(line); }};
  fake_reporter reporter;
  const records::run_information about{"run-1", origin, 1'700'000'000'000'000'000, R"({"a":1})",
                                       "{}"};

  results begin() { return results(about, {}, {reporter.target()}, {}, log); }
};

TEST_F(results_of_a_run, pass_a_description_of_the_run_to_the_reporter) {
  const results kept = begin();
  EXPECT_EQ(reporter.name, "run-1");
  EXPECT_EQ(reporter.config, R"({"a":1})");
  EXPECT_EQ(reporter.started_ns, origin);
  EXPECT_EQ(reporter.started_unix_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(reporter.flags, 0U);
}

TEST_F(results_of_a_run, begin_and_end_once_for_a_reporter) {
  results kept = begin();
  kept.take(answers(0, 1));
  kept.take(answers(1, 2));
  EXPECT_FALSE(kept.end({}).reporters_failed);
  EXPECT_EQ(reporter.begins, 1);
  EXPECT_EQ(reporter.ends, 1);
}

TEST_F(results_of_a_run, tell_a_reporter_that_the_records_come_from_a_journal) {
  const results kept(about, {}, {reporter.target()}, {}, log, IFB_RUN_REPLAYED);
  EXPECT_EQ(reporter.flags, IFB_RUN_REPLAYED);
}

TEST_F(results_of_a_run, are_refused_by_a_reporter_that_cannot_write) {
  reporter.refuses = "no such folder";
  try {
    const results kept = begin();
    FAIL();
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), HasSubstr("no such folder"));
  }
}

TEST_F(results_of_a_run, come_from_the_channel_of_the_workers_in_their_order) {
  results kept = begin();
  records::channel channel(2);
  {
    collector behind(channel, kept, clock);
    for (client::record& one : answers(0, 3))
      channel.push(0, std::move(one));
    channel.close(0);
    channel.close(1);
    behind.join();
  }
  EXPECT_EQ(kept.last_end_ns(), answer(2).end_ns);
  const results::final_result done = kept.end({});
  EXPECT_FALSE(done.reporters_failed);
  EXPECT_THAT(reporter.sequences, ElementsAre(0, 1, 2));
}

TEST_F(results_of_a_run, give_live_figures_once_a_second) {
  results kept = begin();
  kept.take(answers(0, 1));
  kept.tick(origin + base::ns_per_s - 1);  // too early for a snapshot
  kept.tick(origin + base::ns_per_s);
  EXPECT_THAT(reporter.snapshot_times(1), ElementsAre(origin + base::ns_per_s));
  kept.tick(origin + base::ns_per_s + 1);  // no second snapshot
  kept.tick(origin + 2 * base::ns_per_s);
  EXPECT_THAT(reporter.snapshot_times(2),
              ElementsAre(origin + base::ns_per_s, origin + 2 * base::ns_per_s));
  EXPECT_FALSE(kept.end({}).reporters_failed);
}

TEST_F(results_of_a_run, give_a_live_reporter_the_state_of_the_run_and_the_lines_of_the_log) {
  report::target live = reporter.target();
  live.calls.flags = IFB_REPORTER_LIVE;
  ifb_reporter& table = live.calls;
  static std::promise<void> shown;
  shown = {};
  table.snapshot = [](ifb_instance*, const ifb_snapshot* figures, ifb_error*) {
    const std::string facts(figures->facts_json.data, figures->facts_json.size);
    EXPECT_THAT(facts, HasSubstr(R"("planned": 7)"));
    EXPECT_THAT(facts, HasSubstr(R"("busiest_worker": 0.5)"));
    EXPECT_THAT(facts, HasSubstr(R"("log": ["warning: slow"])"));
    bool running = false;
    for (const ifb_metric& m : ifb::metrics_of(*figures))
      if (std::string_view(m.name) == "ttft") running = (m.flags & IFB_METRIC_SUMMARY) != 0;
    EXPECT_TRUE(running);
    shown.set_value();
    return ifb_status{IFB_OK};
  };
  live_board board;
  board.put({{.total = 7, .done = 2, .in_flight = 1}, 0.5});
  bool ended = false;
  completion how;
  how.progress = &board;
  how.live_ended = [&] { ended = true; };
  log.hold();
  results kept(about, {}, {live}, std::move(how), log);
  log.warning("slow");
  kept.take(answers(0, 2));
  kept.tick(origin + base::ns_per_s / 4);
  shown.get_future().wait();  // end() drops a snapshot that still waits
  EXPECT_FALSE(kept.end({}).reporters_failed);
  EXPECT_TRUE(ended);
}

// The last frame of the journal has the facts of context(). It has no scores, series and workload
// classes, because `inferbench report` computes them again from the other frames.
TEST_F(results_of_a_run, end_a_journal_that_holds_every_fact) {
  const auto file = folder.root / "a.journal";
  results kept = begin();
  kept.keep_journal(file, about, clock);
  kept.take(answers(0, 2));
  kept.context().set_fact("plugin_cost", R"({"calls":1})");
  ASSERT_FALSE(kept.end({1'700'000'001'000'000'000, 19'000'000, true, 5, {}}).reporters_failed);

  records::journal_reader reader(file);
  client::record record;
  std::size_t count = 0;
  while (reader.next(record))
    ++count;
  EXPECT_EQ(count, 2U);
  ASSERT_TRUE(reader.end().has_value());
  EXPECT_TRUE(reader.end()->interrupted);
  EXPECT_EQ(reader.end()->planned, 5U);
  EXPECT_THAT(reader.end()->facts_json, HasSubstr(R"("plugin_cost": {"calls":1})"));
}

TEST_F(results_of_a_run, are_the_same_when_they_are_made_again_from_the_journal) {
  const auto file = folder.root / "a.journal";
  {
    results kept = begin();
    kept.keep_journal(file, about, clock);
    kept.take(answers(0, 50));
    kept.context().planned = 50;
    kept.context().duration_s = 0.5;
    kept.context().set_fact("client", R"({"verdict": "valid"})");
    ASSERT_FALSE(kept.end({0, 500'000'000, false, 50, {}}).reporters_failed);
  }
  fake_reporter again;
  records::journal_reader reader(file);
  results from_journal(reader.run(), {}, {again.target()}, {}, log);
  std::vector<client::record> batch(1);
  while (reader.next(batch.front())) {
    from_journal.take(std::move(batch));
    batch = std::vector<client::record>(1);
  }
  ASSERT_TRUE(reader.end().has_value());
  from_journal.context().planned = static_cast<std::int64_t>(reader.end()->planned);
  from_journal.context().duration_s = 0.5;
  read_end_facts(reader.end()->facts_json, from_journal.context());
  ASSERT_FALSE(from_journal.end(*reader.end()).reporters_failed);

  EXPECT_EQ(again.sequences, reporter.sequences);
  EXPECT_EQ(again.figures, reporter.figures);
  EXPECT_THAT(again.figures, testing::Contains("completed=50.000000"));
  EXPECT_EQ(again.summary, reporter.summary);
  EXPECT_THAT(again.summary, HasSubstr(R"("client": {"verdict": "valid"})"));
}

// The journal has the observations, from which the series are made again.
TEST_F(results_of_a_run, give_reporters_the_series_of_a_server_and_the_journal_its_observations) {
  const std::filesystem::path file = folder.root / "observed.journal";
  records::observation what;
  what.url = "http://h/metrics";
  what.at_ns = origin + base::ns_per_s;
  what.series = {{0, "running", "m", "requests", false, "sum", {}}};
  what.values = {{0, false, false, 7}};
  results kept = begin();
  kept.keep_journal(file, about, clock);
  kept.take(what);
  ASSERT_THAT(kept.series().latest(), SizeIs(1));
  EXPECT_EQ(kept.series().latest()[0].value, 7);
  (void)kept.end({});
  EXPECT_THAT(reporter.summary, HasSubstr(R"("series": {"interval_s": 0.0, "sources": [{"url")"));
  EXPECT_THAT(reporter.summary, HasSubstr(R"("at_s": [1.000])"));

  records::journal_reader reader(file);
  std::vector<records::observation> found;
  reader.on_observation([&](const records::observation& one) { found.push_back(one); });
  client::record none;
  EXPECT_FALSE(reader.next(none));
  EXPECT_THAT(found, ElementsAre(what));
  ASSERT_TRUE(reader.end());
  EXPECT_THAT(reader.end()->facts_json, Not(HasSubstr("sources")));
}

TEST_F(results_of_a_run, have_no_series_without_observations) {
  results kept = begin();
  (void)kept.end({});
  EXPECT_THAT(reporter.summary, Not(HasSubstr("\"series\"")));
}

TEST_F(results_of_a_run, say_why_a_goal_on_scores_has_no_value) {
  metrics::context judged;
  judged.scorer = "exact-match";
  judged.thresholds = {"correct_rate>=95%"};
  const auto reason_after = [&](std::vector<client::record> batch) {
    fake_reporter told;
    results kept(about, judged, {told.target()}, {}, log);
    kept.take(std::move(batch));
    return kept.end({}).figures.goals()[0].reason;
  };
  EXPECT_EQ(reason_after({}), "no answer was scored, because no request succeeded");
  EXPECT_THAT(reason_after(answers(0, 2)), HasSubstr("exact-match gave none of the 2 answers"));
  std::vector<client::record> right = answers(0, 1);
  right[0].attributes.emplace_back("score", "1");
  EXPECT_THAT(reason_after(std::move(right)), Not(HasSubstr("scored")));
}

// 300 MiB of records exceed the limit of the reporter's queue, 256 MiB. During traffic, a reporter
// with a full queue is dropped.
TEST_F(results_of_a_run, wait_for_a_slow_reporter_if_the_records_come_from_a_journal) {
  constexpr std::size_t mib = std::size_t{1} << 20U;
  results kept(about, {}, {reporter.target()}, {}, log, IFB_RUN_REPLAYED);
  reporter.hold();
  std::atomic<std::uint64_t> taken = 0;
  // The pause is long enough for take() to reach the full queue, where it waits for the release. If
  // it does not wait, the reporter is dropped during the pause.
  std::thread later([&] {
    while (taken < 240)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    reporter.release();
  });
  for (std::uint64_t i = 0; i < 300; ++i) {
    kept.take(answers(i, i + 1, mib));
    taken = i + 1;
  }
  later.join();
  EXPECT_FALSE(kept.end({}).reporters_failed);
  EXPECT_THAT(reporter.sequences, SizeIs(300));
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(results_of_a_run, drop_a_reporter_that_holds_up_the_traffic) {
  constexpr std::size_t mib = std::size_t{1} << 20U;
  results kept = begin();
  reporter.hold();
  for (std::uint64_t i = 0; i < 300; ++i)
    kept.take(answers(i, i + 1, mib));
  reporter.release();
  EXPECT_TRUE(kept.end({}).reporters_failed);
  EXPECT_THAT(lines, SizeIs(1));
}

}  // namespace
}  // namespace inferbench::run
