#include "report/table.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/table_reporter.hpp>

#include "base/error.hpp"
#include "report/batch.hpp"

namespace inferbench::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A reporter of tables that records its calls. The call named in `fails` returns an error.
class fake_table_reporter {
 public:
  std::string fails;
  std::shared_future<void> end_waits_for;  // end() returns after it; may be invalid

  table_target as_target(const std::string& name) {
    table_target out;
    out.name = name;
    out.self = reinterpret_cast<ifb_instance*>(this);
    ifb_table_reporter& table = out.calls;
    table.struct_size = sizeof table;
    table.begin = [](ifb_instance* self, const ifb_table* about, ifb_error* error) {
      return of(self).called("begin", "begin " + std::to_string(about->run_count), error);
    };
    table.records = [](ifb_instance* self, const ifb_table_run* one, const ifb_record* first,
                       size_t count, size_t stride, ifb_error* error) {
      EXPECT_EQ(one->summary, nullptr);
      EXPECT_EQ(ifb::view(one->run->config_json), "{\"a\": 1}");
      std::string text = "records of " + std::to_string(one->index);
      for (const ifb_record& r : ifb::strided<ifb_record>(first, count, stride))
        text += " " + std::to_string(r.sequence);
      return of(self).called("records", text, error);
    };
    table.run = [](ifb_instance* self, const ifb_table_run* one, ifb_error* error) {
      EXPECT_NE(one->summary, nullptr);
      std::string text = "run " + std::to_string(one->index) + " " +
                         std::string(ifb::view(one->label)) + " " +
                         std::string(ifb::view(one->run->name));
      for (const ifb_field& axis : ifb::axes_of(*one))
        text += " " + std::string(ifb::view(axis.name)) + "=" + std::string(ifb::view(axis.value));
      return of(self).called("run", text, error);
    };
    table.end = [](ifb_instance* self, const ifb_table_end* all, ifb_error* error) {
      if (of(self).end_waits_for.valid()) of(self).end_waits_for.wait();
      return of(self).called("end", "end " + std::to_string(all->point_count), error);
    };
    out.calls.takes_records = true;
    return out;
  }

  std::vector<std::string> calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  static fake_table_reporter& of(ifb_instance* self) {
    return *reinterpret_cast<fake_table_reporter*>(self);
  }
  ifb_status called(const char* name, const std::string& text, ifb_error* error) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(text);
    if (fails != name) return IFB_OK;
    error->code = IFB_E_IO;
    error->option = 3;
    std::strcpy(error->message, "the disk is full");
    return IFB_E_IO;
  }

  std::mutex mutex_;
  std::vector<std::string> calls_;
};

class tables : public testing::Test {
 protected:
  std::vector<table_target> both() { return {one.as_target("one"), two.as_target("two")}; }

  static ifb_table about() {
    ifb_table out{};
    out.struct_size = sizeof out;
    out.run_count = 2;
    return out;
  }
  /// Reports a run with two records. Returns whether no reporter failed in it.
  bool play(table_fanout& table, std::uint32_t index) {
    const std::string name = "run-" + std::to_string(index);
    fanout lanes(table.run_targets({.index = index,
                                    .point = index,
                                    .source = "a.journal",
                                    .label = "r" + std::to_string(index),
                                    .axes = {{"cap", "8"}}}),
                 log);
    lanes.wait_when_full(true);
    {
      // The views of the run are valid during begin only.
      const auto config = std::make_unique<std::string>("{\"a\": 1}");
      ifb_run run{};
      run.struct_size = sizeof run;
      run.name = plugin::str(name);
      run.config_json = plugin::str(*config);
      lanes.begin(run);
      std::ranges::fill(*config, 'x');
    }
    std::vector<client::record> records(2);
    records[1].sequence = 5;
    lanes.records(std::make_shared<const batch>(std::move(records)));
    ifb_summary summary{};
    summary.struct_size = sizeof summary;
    summary.facts_json = plugin::str("{}");
    return lanes.finish(summary);
  }
  static bool finish(table_fanout& table) {
    ifb_table_end end{};
    end.struct_size = sizeof end;
    return table.finish(end);
  }

  std::mutex mutex;
  std::vector<std::string> lines;
  base::log log{base::log_level::info, [this](base::log_level, std::string_view line) {
                  const std::lock_guard lock(mutex);
                  lines.emplace_back(line);
                }};
  fake_table_reporter one, two;
};

TEST_F(tables, calls_begin_then_records_and_run_of_each_run_then_end) {
  table_fanout table(both(), log);
  table.begin(about());
  EXPECT_TRUE(play(table, 0));
  EXPECT_TRUE(play(table, 1));
  EXPECT_TRUE(finish(table));
  EXPECT_THAT(one.calls(), ElementsAre("begin 2", "records of 0 0 5", "run 0 r0 run-0 cap=8",
                                       "records of 1 0 5", "run 1 r1 run-1 cap=8", "end 0"));
  EXPECT_EQ(two.calls(), one.calls());
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(tables, a_reporter_that_fails_in_a_run_is_dropped_and_the_other_goes_on) {
  for (const char* call : {"records", "run"}) {
    lines.clear();
    fake_table_reporter bad;
    fake_table_reporter good;
    bad.fails = call;
    table_fanout table({bad.as_target("bad"), good.as_target("good")}, log);
    table.begin(about());
    EXPECT_FALSE(play(table, 0));
    EXPECT_THAT(table.failed(), ElementsAre("bad"));
    EXPECT_TRUE(play(table, 1));
    EXPECT_FALSE(finish(table));
    EXPECT_THAT(lines, ElementsAre("reporter bad is dropped: the disk is full"));
    EXPECT_EQ(bad.calls().back().substr(0, std::strlen(call)), call);
    EXPECT_EQ(good.calls().size(), 6U);
  }
}

TEST_F(tables, a_reporter_that_fails_in_its_end_is_named) {
  two.fails = "end";
  table_fanout table(both(), log);
  table.begin(about());
  EXPECT_FALSE(finish(table));
  EXPECT_THAT(table.failed(), ElementsAre("two"));
  EXPECT_THAT(lines, ElementsAre("reporter two is dropped: the disk is full"));
  EXPECT_THAT(one.calls(), ElementsAre("begin 2", "end 0"));
}

TEST_F(tables, a_refusal_of_begin_is_an_error_with_the_option) {
  one.fails = "begin";
  std::vector<table_target> targets = both();
  targets[0].explain = [](const plugin::refused& why) {
    return plugin::refused(base::error(std::string(why.what()) + " (said twice)"), why);
  };
  table_fanout table(std::move(targets), log);
  try {
    table.begin(about());
    FAIL() << "begin did not throw";
  } catch (const plugin::refused& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("reporter one: the disk is full"));
    EXPECT_THAT(refusal.what(), HasSubstr("(said twice)"));
    EXPECT_EQ(refusal.option(), 3);
    EXPECT_EQ(refusal.code(), IFB_E_IO);
  }
}

TEST_F(tables, a_reporter_that_does_not_return_is_named) {
  std::promise<void> release;
  two.end_waits_for = release.get_future().share();
  table_fanout table(both(), log, std::chrono::milliseconds(1));
  table.begin(about());
  std::future<bool> finished = std::async(std::launch::async, [&table] { return finish(table); });
  for (bool said = false; !said;) {
    const std::lock_guard lock(mutex);
    said = std::ranges::any_of(lines, [](const std::string& line) {
      return line == "still waiting for reporter two, which is busy in its call end";
    });
  }
  release.set_value();
  EXPECT_TRUE(finished.get());
}

TEST_F(tables, a_reporter_that_takes_no_records_gets_none) {
  std::vector<table_target> targets{one.as_target("one")};
  targets[0].calls.takes_records = false;
  table_fanout table(std::move(targets), log);
  table.begin(about());
  EXPECT_TRUE(play(table, 0));
  EXPECT_TRUE(finish(table));
  EXPECT_THAT(one.calls(), ElementsAre("begin 2", "run 0 r0 run-0 cap=8", "end 0"));
}

}  // namespace
}  // namespace inferbench::report
