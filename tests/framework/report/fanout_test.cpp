#include "report/fanout.hpp"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace inferbench::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A reporter that records its calls. A call named in `fails` returns an error; a call named in
/// `blocks` waits for open().
class fake {
 public:
  std::string fails;
  ifb_status status = IFB_E_IO;  // of the call that fails
  int option = -1;               // that the call that fails refuses
  std::string blocks;

  target as_target(const std::string& name) {
    target t{};
    t.name = name;
    t.self = reinterpret_cast<ifb_instance*>(this);
    ifb_reporter& table = t.calls;
    table.struct_size = sizeof table;
    table.begin = [](ifb_instance* self, const ifb_run*, ifb_error* error) {
      return of(self).called("begin", "begin", error);
    };
    table.records = [](ifb_instance* self, const ifb_record* first, size_t count, size_t stride,
                       ifb_error* error) {
      std::string text = "records";
      for (size_t i = 0; i < count; ++i) {
        const auto* at = reinterpret_cast<const char*>(first) + i * stride;
        text += " " + std::to_string(reinterpret_cast<const ifb_record*>(at)->sequence);
      }
      return of(self).called("records", text, error);
    };
    table.snapshot = [](ifb_instance* self, const ifb_snapshot* figures, ifb_error* error) {
      EXPECT_EQ(figures->struct_size, sizeof *figures);
      EXPECT_EQ(figures->metric_stride, sizeof(ifb_metric));
      std::string text = "snapshot at " + std::to_string(figures->at_ns);
      for (const ifb_metric& m : ifb::metrics_of(*figures))
        text += std::string(" ") + m.name + "=" + std::to_string(static_cast<int>(m.value));
      return of(self).called("snapshot", text, error);
    };
    table.end = [](ifb_instance* self, const ifb_summary*, ifb_error* error) {
      return of(self).called("end", "end", error);
    };
    t.calls.takes_records = t.calls.takes_snapshots = true;
    return t;
  }

  /// Releases the blocked call and all later calls.
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_for_call(const std::string& text) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return std::ranges::find(calls_, text) != calls_.end(); });
  }
  std::vector<std::string> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  static fake& of(ifb_instance* self) { return *reinterpret_cast<fake*>(self); }

  ifb_status called(const std::string& call, const std::string& text, ifb_error* error) {
    std::unique_lock lock(mutex_);
    calls_.push_back(text);
    changed_.notify_all();
    if (call == blocks) changed_.wait(lock, [&] { return open_; });
    if (call != fails) return IFB_OK;
    std::strcpy(error->message, "disk full");
    error->option = option;
    return error->code = status;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> calls_;
  bool open_ = false;
};

std::shared_ptr<const batch> batch_of(std::vector<std::uint64_t> sequences,
                                      std::size_t text_size = 0) {
  std::vector<client::record> records;
  for (const std::uint64_t sequence : sequences) {
    client::record& r = records.emplace_back();
    r.sequence = sequence;
    r.text = std::string(text_size, 'x');
  }
  return std::make_shared<const batch>(std::move(records));
}

std::shared_ptr<const metrics::report> snapshot_of(int number) {
  auto out = std::make_shared<metrics::report>();
  out->add(metrics::metric::completed, number);
  return out;
}

class fanout_of_fakes : public testing::Test {
 protected:
  std::mutex mutex;
  std::vector<std::string> lines;
  std::function<void()> on_line = [] {};
  base::log log{base::log_level::info, [this](base::log_level, std::string_view line) {
                  const std::lock_guard lock(mutex);
                  lines.emplace_back(line);
                  on_line();
                }};
  fake a;
  fake b;
  ifb_run run{};
  ifb_summary summary{};

  std::vector<target> both() { return {a.as_target("a"), b.as_target("b")}; }
};

TEST_F(fanout_of_fakes, every_reporter_gets_everything_in_order) {
  fanout f(both(), log);
  f.begin(run);
  f.records(batch_of({2, 0}));
  f.records(batch_of({1}));
  EXPECT_TRUE(f.finish(summary));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 2 0", "records 1", "end"));
  EXPECT_EQ(a.calls(), b.calls());
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(fanout_of_fakes, one_that_fails_is_dropped_with_a_warning_and_the_others_go_on) {
  a.fails = "records";
  fanout f(both(), log);
  f.begin(run);
  for (const std::uint64_t i : {0U, 1U, 2U})
    f.records(batch_of({i}));
  EXPECT_FALSE(f.finish(summary));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 0"));
  EXPECT_THAT(b.calls(), ElementsAre("begin", "records 0", "records 1", "records 2", "end"));
  EXPECT_THAT(lines, ElementsAre("reporter a is dropped: disk full"));
  EXPECT_THAT(f.failed(), ElementsAre("a"));
}

TEST_F(fanout_of_fakes, begin_throws_the_reason_of_one_that_refuses_and_logs_nothing) {
  b.fails = "begin";
  {
    fanout f(both(), log);
    try {
      f.begin(run);
      FAIL();
    } catch (const base::error& e) {
      EXPECT_STREQ(e.what(), "reporter b: disk full; correct its options, or leave it out");
    }
    EXPECT_THAT(f.failed(), ElementsAre("b"));
  }
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_THAT(a.calls(), ElementsAre("begin"));
  EXPECT_THAT(b.calls(), ElementsAre("begin"));
}

TEST_F(fanout_of_fakes, begin_throws_the_place_of_the_option_that_one_refuses) {
  b.fails = "begin";
  b.option = 2;
  std::vector<target> targets = both();
  targets[1].explain = [](const plugin::refused& why) -> plugin::refused {
    return {base::error(why.message(), why.remedy(),
                        {"--option-" + std::to_string(why.option()), 0, 0}),
            why};
  };
  fanout f(std::move(targets), log);
  try {
    f.begin(run);
    FAIL();
  } catch (const plugin::refused& e) {
    EXPECT_STREQ(e.what(),
                 "--option-2: reporter b: disk full; correct its options, or leave it out");
    EXPECT_EQ(e.code(), IFB_E_IO);
  }
}

TEST_F(fanout_of_fakes, a_failing_end_counts_as_a_failure) {
  a.fails = "end";
  fanout f(both(), log);
  f.begin(run);
  EXPECT_FALSE(f.finish(summary));
  EXPECT_THAT(lines, ElementsAre("reporter a failed at the end: disk full"));
}

TEST_F(fanout_of_fakes, a_slow_one_holds_up_neither_the_others_nor_the_caller) {
  a.blocks = "records";
  fanout f(both(), log);
  f.begin(run);
  for (const std::uint64_t i : {0U, 1U, 2U})
    f.records(batch_of({i}));
  b.wait_for_call("records 2");  // while a is still in its first call
  EXPECT_THAT(a.calls(), testing::AnyOf(ElementsAre("begin"), ElementsAre("begin", "records 0")));
  a.open();
  EXPECT_TRUE(f.finish(summary));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 0", "records 1", "records 2", "end"));
}

TEST_F(fanout_of_fakes, a_reporter_with_too_long_a_queue_is_dropped_during_traffic) {
  a.blocks = "records";
  fanout f(both(), log, {.queue_bytes = 100'000, .patience = std::chrono::seconds(10)});
  f.begin(run);
  f.records(batch_of({0}, 60'000));
  a.wait_for_call("records 0");
  b.wait_for_call("records 0");
  EXPECT_THAT(f.failed(), IsEmpty());
  // A batch in progress counts as queued, too, so two such batches exceed the limit.
  f.records(batch_of({1}, 60'000));
  EXPECT_THAT(f.failed(), testing::Contains("a"));
  a.open();
  EXPECT_FALSE(f.finish(summary));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 0"));
  ASSERT_THAT(lines, testing::Not(IsEmpty()));
  EXPECT_THAT(lines[0], HasSubstr("is dropped: it fell behind"));
}

TEST_F(fanout_of_fakes, without_traffic_the_caller_waits_for_room_instead) {
  a.blocks = "records";
  fanout f(both(), log, {.queue_bytes = 100'000, .patience = std::chrono::seconds(10)});
  f.wait_when_full(true);
  f.begin(run);
  f.records(batch_of({0}, 60'000));
  a.wait_for_call("records 0");
  // A second batch exceeds the limit. Without waiting, records() would drop the reporter during the
  // pause.
  std::thread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    a.open();
  });
  for (std::uint64_t i = 1; i < 50; ++i)
    f.records(batch_of({i}, 60'000));
  later.join();
  EXPECT_TRUE(f.finish(summary));
  EXPECT_EQ(a.calls().size(), 52U);
  EXPECT_EQ(b.calls().size(), 52U);
}

TEST_F(fanout_of_fakes, a_batch_larger_than_the_limit_still_gets_through) {
  fanout f({a.as_target("a")}, log, {.queue_bytes = 1'000, .patience = std::chrono::seconds(10)});
  f.begin(run);
  f.records(batch_of({0}, 60'000));
  EXPECT_TRUE(f.finish(summary));
}

TEST_F(fanout_of_fakes, only_the_newest_snapshot_is_delivered) {
  a.blocks = "records";
  fanout f({a.as_target("a")}, log);
  f.begin(run);
  f.records(batch_of({0}));
  a.wait_for_call("records 0");
  f.records(batch_of({1}));
  for (const unsigned i : {1U, 2U, 3U})
    f.snapshot(snapshot_of(static_cast<int>(i)), i * base::ns_per_s);
  a.open();
  a.wait_for_call("snapshot at 3000000000 completed=3");
  EXPECT_TRUE(f.finish(summary));
  // The snapshot overtakes queued records, so that a busy reporter gets snapshots, too.
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 0", "snapshot at 3000000000 completed=3",
                                     "records 1", "end"));
}

TEST_F(fanout_of_fakes, a_live_reporter_wants_four_snapshots_a_second_and_others_one) {
  target live = a.as_target("a");
  live.calls.flags = IFB_REPORTER_LIVE;
  fanout f({live, b.as_target("b")}, log);
  run.started_ns = 10 * base::ns_per_s;
  f.begin(run);
  const auto wants = [&](std::uint64_t ms) {
    return f.wants_snapshot(run.started_ns + ms * base::ns_per_ms);
  };
  EXPECT_FALSE(wants(249));
  std::vector<std::uint64_t> passed;
  // The collector comes every 100 ms at the most. A late snapshot does not move the next.
  for (std::uint64_t ms = 0; ms <= 1000; ms += 100) {
    if (!wants(ms)) continue;
    passed.push_back(ms);
    f.snapshot(snapshot_of(static_cast<int>(ms)), run.started_ns + ms * base::ns_per_ms);
    a.wait_for_call("snapshot at " + std::to_string(run.started_ns + ms * base::ns_per_ms) +
                    " completed=" + std::to_string(ms));
  }
  EXPECT_THAT(passed, ElementsAre(300, 500, 800, 1000));
  b.wait_for_call("snapshot at 11000000000 completed=1000");
  EXPECT_TRUE(f.finish(summary));
  EXPECT_THAT(b.calls(), ElementsAre("begin", "snapshot at 11000000000 completed=1000", "end"));
}

TEST_F(fanout_of_fakes, a_snapshot_has_the_facts_of_its_report) {
  target t = a.as_target("a");
  ifb_reporter& table = t.calls;
  table.snapshot = [](ifb_instance*, const ifb_snapshot* figures, ifb_error*) {
    EXPECT_EQ(ifb::view(figures->facts_json), R"({"log":[]})");
    return ifb_status{IFB_OK};
  };
  fanout f({t}, log);
  f.begin(run);
  auto figures = std::make_shared<metrics::report>();
  figures->set_facts(R"({"log":[]})");
  f.snapshot(figures, base::ns_per_s);
  f.records(batch_of({0}));
  a.wait_for_call("records 0");  // behind the snapshot
  EXPECT_TRUE(f.finish(summary));
}

TEST_F(fanout_of_fakes, live_reporters_end_before_the_others) {
  target live = b.as_target("b");
  live.calls.flags = IFB_REPORTER_LIVE;
  fanout f({a.as_target("a"), live}, log);
  f.begin(run);
  bool asked = false;
  EXPECT_TRUE(f.finish(summary, [&] {
    asked = true;
    EXPECT_THAT(b.calls(), ElementsAre("begin", "end"));
    EXPECT_THAT(a.calls(), ElementsAre("begin"));
  }));
  EXPECT_TRUE(asked);
  EXPECT_THAT(a.calls(), ElementsAre("begin", "end"));
}

TEST_F(fanout_of_fakes, calls_that_a_reporter_does_not_offer_are_left_out) {
  target t = a.as_target("a");
  t.calls.takes_records = t.calls.takes_snapshots = false;
  fanout f({t}, log);
  f.begin(run);
  f.records(batch_of({0}));
  f.snapshot(snapshot_of(1), 1000);
  EXPECT_TRUE(f.finish(summary));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "end"));
}

TEST_F(fanout_of_fakes, waiting_until_all_are_idle_waits_no_longer_than_that) {
  a.blocks = "records";
  fanout f(both(), log);
  f.begin(run);
  f.records(batch_of({0}));
  f.wait_idle(std::chrono::milliseconds(1));
  EXPECT_THAT(a.calls(), testing::AnyOf(ElementsAre("begin"), ElementsAre("begin", "records 0")));
  a.open();
  f.wait_idle(std::chrono::hours(1));
  EXPECT_THAT(a.calls(), ElementsAre("begin", "records 0"));
  EXPECT_THAT(b.calls(), ElementsAre("begin", "records 0"));
  EXPECT_TRUE(f.finish(summary));
}

TEST_F(fanout_of_fakes, records_are_timed_each) {
  plugin::cost_sheet costs;
  target t = a.as_target("a");
  t.calls.costs = &costs;
  fanout f({t}, log);
  f.begin(run);
  f.records(batch_of({0, 1}));
  f.records(batch_of({2}));
  EXPECT_TRUE(f.finish(summary));
  const auto found = costs.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].which, plugin::call::records);
  EXPECT_EQ(found[0].timed, 2U);
}

TEST_F(fanout_of_fakes, stamps_are_wanted_as_long_as_one_that_reads_them_is_there) {
  std::vector<target> two = both();
  two[1].stamps = false;
  a.fails = "records";
  fanout f(std::move(two), log);
  f.begin(run);
  EXPECT_TRUE(f.wants_stamps());
  f.records(batch_of({0}));
  EXPECT_FALSE(f.finish(summary));
  EXPECT_FALSE(f.wants_stamps());
}

TEST_F(fanout_of_fakes, without_finish_no_reporter_gets_a_summary) {
  {
    fanout f(both(), log);
    f.begin(run);
    f.records(batch_of({0}));
  }
  EXPECT_THAT(a.calls(), testing::Not(testing::Contains("end")));
}

TEST_F(fanout_of_fakes, begin_names_the_reporters_that_it_waits_for) {
  a.blocks = "begin";
  on_line = [this] { a.open(); };  // the log line ends the wait
  fanout f({a.as_target("a")}, log, {.queue_bytes = 1'000, .patience = {}});
  f.begin(run);
  EXPECT_TRUE(f.finish(summary));
  ASSERT_THAT(lines, testing::Not(IsEmpty()));
  EXPECT_EQ(lines[0], "still waiting for reporter a, which is busy in its call begin");
}

TEST_F(fanout_of_fakes, a_status_that_a_call_does_not_have_is_a_failure) {
  a.fails = "records";
  a.status = IFB_SKIP;
  fanout f({a.as_target("a")}, log);
  f.begin(run);
  f.records(batch_of({0}));
  EXPECT_FALSE(f.finish(summary));
  ASSERT_THAT(lines, testing::SizeIs(1));
  EXPECT_THAT(lines[0], testing::StartsWith("reporter a is dropped: "));
}

TEST_F(fanout_of_fakes, finish_names_the_reporters_that_it_waits_for) {
  a.blocks = "end";
  on_line = [this] {
    if (lines.back().ends_with(" end")) a.open();  // the log line ends the wait
  };
  fanout f({a.as_target("a")}, log, {.queue_bytes = 1'000, .patience = {}});
  f.begin(run);
  EXPECT_TRUE(f.finish(summary));
  EXPECT_EQ(lines.back(), "still waiting for reporter a, which is busy in its call end");
}

TEST_F(fanout_of_fakes, works_without_reporters) {
  fanout f({}, log);
  f.begin(run);
  f.records(batch_of({0}));
  f.snapshot(snapshot_of(1), 1000);
  EXPECT_TRUE(f.finish(summary));
}

// A plugin that offers the interface `offered` alone.
template <const char* const& offered>
ifb_plugin plugin_with() {
  ifb_plugin out{};
  out.struct_size = sizeof out;
  out.kind = IFB_REPORTER;
  out.id = "r";
  out.query = [](const ifb_plugin*, const char* id) -> const void* {
    static const int table = 0;
    return std::strcmp(id, offered) == 0 ? &table : nullptr;
  };
  return out;
}
constexpr const char* of_one_run = IFB_REPORTER_OPS;
constexpr const char* of_several_runs = IFB_TABLE_REPORTER_OPS;
constexpr const char* of_nothing = "";

TEST(require_single_run, a_reporter_of_several_runs_alone_is_refused_before_it_is_created) {
  const ifb_plugin table = plugin_with<of_several_runs>();
  plugin::loaded library;
  library.plugin = &table;
  EXPECT_THAT([&] { require_single_run(library); },
              testing::ThrowsMessage<base::error>(testing::StrEq(
                  "reporter r shows several runs side by side, and not a single run; inferbench "
                  "report A.journal B.journal --reporter r")));
}

TEST(require_single_run, other_plugins_are_accepted) {
  for (const ifb_plugin& each : {plugin_with<of_one_run>(), plugin_with<of_nothing>()}) {
    plugin::loaded library;
    library.plugin = &each;
    EXPECT_NO_THROW(require_single_run(library));
  }
}

}  // namespace
}  // namespace inferbench::report
