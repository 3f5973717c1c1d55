// Whole workers over an engine: requests that other threads end, and threads for an engine that
// blocks.
#include <barrier>
#include <condition_variable>
#include <future>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/client/fake_engine.hpp"

namespace inferbench::client {
namespace {

using testing::fake_engine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::text_sample;

/// `count` samples that are all due at the same time.
class listed final : public source {
 public:
  explicit listed(std::size_t count) : left_(count) {}

  dataset::taken try_take(job& out) override {
    if (next_ == left_) return dataset::taken::end;
    out.sample = &sample_;
    out.sequence = next_++;
    out.due_ns = 0;
    return dataset::taken::sample;
  }

 private:
  const ifb_sample sample_ = text_sample();
  std::size_t left_;
  std::size_t next_ = 0;
};

/// Ends calls on a thread of its own, in their order of arrival.
class other_thread {
 public:
  other_thread() : thread_([this] { work(); }) {}
  ~other_thread() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void take(fake_engine::call& one) {
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(&one);
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !calls_.empty(); });
      if (calls_.empty()) return;
      const fake_engine::call& one = *calls_.front();
      calls_.pop_front();
      lock.unlock();
      one.token("a");
      one.token("b");
      one.done();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<fake_engine::call*> calls_;
  bool over_ = false;
  std::thread thread_;
};

/// The threads that are inside a call at the same time.
class crowd {
 public:
  /// Each thread waits inside until `wanted` threads are there.
  explicit crowd(std::ptrdiff_t wanted) : all_(wanted) {}

  void enter() {
    note(1);
    all_.arrive_and_wait();
    note(-1);
  }
  std::ptrdiff_t most() const { return most_; }
  std::size_t threads() const { return who_.size(); }

 private:
  void note(std::ptrdiff_t change) {
    const std::lock_guard lock(mutex_);
    who_.insert(std::this_thread::get_id());
    inside_ += change;
    most_ = std::max(most_, inside_);
  }

  std::barrier<> all_;
  std::mutex mutex_;
  std::ptrdiff_t inside_ = 0;
  std::ptrdiff_t most_ = 0;
  std::set<std::thread::id> who_;
};

class engine_worker_test : public ::testing::Test {
 protected:
  void make(std::size_t count, worker_settings settings = {}) {
    jobs.emplace(count);
    settings.warn = [this](const std::string& line) { lines.push_back(line); };
    shared = engine.shared();
    subject.emplace(clock, shared, settings, *jobs,
                    [&](record&& r) { records.emplace(r.sequence, std::move(r)); });
  }

  void begin() {
    over = std::async(std::launch::async, [&] { subject->run(); });
  }
  /// Waits for the end of the run; fails the test after 20 s.
  void wait() {
    if (over.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return;
    ADD_FAILURE() << "the worker did not end within 20 s";
    subject->stop();
  }
  void run() {
    begin();
    wait();
  }

  void expect_all_good(std::size_t count) {
    EXPECT_EQ(records.size(), count);
    for (const auto& [n, r] : records) {
      EXPECT_TRUE(r.ok()) << n << ": " << r.error;
      EXPECT_LE(r.start_ns, r.sent_ns) << n;
      EXPECT_LE(r.sent_ns, r.first_byte_ns) << n;
      EXPECT_LE(r.tokens.back(), r.end_ns) << n;
    }
    EXPECT_EQ(subject->counters().started, count);
    EXPECT_EQ(subject->counters().finished, count);
    EXPECT_EQ(subject->counters().failed, 0U);
    EXPECT_EQ(engine.count(), count);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(engine.submitted(i).released, 1) << i;
    EXPECT_THAT(lines, IsEmpty());
  }

  const base::monotonic_clock clock;
  fake_engine engine;
  backend shared;
  std::optional<listed> jobs;
  std::optional<worker> subject;
  std::future<void> over;
  std::map<std::uint64_t, record> records;
  std::vector<std::string> lines;
};

TEST_F(engine_worker_test, requests_that_another_thread_ends_have_their_records) {
  other_thread beside;
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    beside.take(c);
    return IFB_OK;
  };
  make(300, {.max_in_flight = 7});
  run();
  expect_all_good(300);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.text, "ab") << n;
}

TEST_F(engine_worker_test, requests_that_end_inside_submit_have_their_records) {
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    c.token("a");
    c.done();
    return IFB_OK;
  };
  make(300);
  subject->open();  // there is nothing to open
  run();
  expect_all_good(300);
  EXPECT_THAT(subject->health().servers, IsEmpty());
}

TEST_F(engine_worker_test, no_more_are_in_flight_than_there_are_permits) {
  make(50, {.max_in_flight = 3});
  begin();
  for (std::size_t n = 0; n < 50; ++n) {
    // The test itself ends each call, so a fourth call in flight would arrive before this end.
    const auto& one = engine.submitted(n);
    EXPECT_LE(engine.count() - n, 3U);
    one.token("x");
    one.done();
  }
  wait();
  expect_all_good(50);
}

TEST_F(engine_worker_test, one_that_blocks_has_as_many_threads_as_requests_in_flight) {
  engine.blocking = true;
  crowd inside(4);  // with fewer threads the test would hang
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    inside.enter();
    c.token("x");
    c.done();
    return IFB_OK;
  };
  make(80, {.max_in_flight = 4});
  run();
  expect_all_good(80);
  EXPECT_EQ(inside.most(), 4);
  EXPECT_EQ(inside.threads(), 4U);
}

TEST_F(engine_worker_test, one_that_blocks_has_threads_only_for_requests_that_need_them) {
  engine.blocking = true;
  crowd inside(1);
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    inside.enter();
    c.token("x");
    c.done();
    return IFB_OK;
  };
  make(50, {.max_in_flight = 1});
  run();
  expect_all_good(50);
  EXPECT_EQ(inside.threads(), 1U);
}

TEST_F(engine_worker_test, one_that_blocks_and_returns_without_an_end_has_failed) {
  engine.blocking = true;
  engine.submits = [](fake_engine::call& c, ifb_error*) {
    c.token("x");
    return IFB_OK;
  };
  make(5, {.max_in_flight = 2});
  run();
  ASSERT_EQ(records.size(), 5U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.error, "submit returned, and the engine had called neither on_done nor on_error");
    EXPECT_GE(r.end_ns, r.tokens.back());
  }
  EXPECT_EQ(subject->counters().failed, 5U);
}

TEST_F(engine_worker_test, one_that_blocks_and_reports_its_end_early_is_released_after_submit) {
  engine.blocking = true;
  std::promise<void> go_on;
  auto may = go_on.get_future().share();
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    c.token("x");
    c.done();
    may.wait();
    EXPECT_EQ(c.released, 0);
    return IFB_OK;
  };
  make(1);
  begin();
  engine.submitted(0);
  go_on.set_value();
  wait();
  expect_all_good(1);
}

TEST_F(engine_worker_test, stop_cancels_requests_in_flight_and_waits_for_their_end) {
  engine.cancels = [](fake_engine::call& c) { c.error(IFB_E_CANCELLED, "as you wish"); };
  make(10, {.max_in_flight = 4});
  begin();
  engine.submitted(3);
  subject->stop();
  wait();
  EXPECT_EQ(engine.count(), 4U);
  ASSERT_EQ(records.size(), 4U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_CANCELLED);
    EXPECT_EQ(r.error, "cancelled: the run was stopped");
    EXPECT_EQ(engine.submitted(n).released, 1);
  }
}

TEST_F(engine_worker_test, stop_cancels_calls_that_block_where_they_have_a_name) {
  engine.blocking = true;
  std::mutex mutex;
  std::condition_variable changed;
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return c.cancelled != 0; });
    c.error(IFB_E_CANCELLED, "as you wish");
    return IFB_OK;
  };
  engine.cancels = [&](fake_engine::call&) {
    const std::lock_guard lock(mutex);
    changed.notify_all();
  };
  make(10, {.max_in_flight = 4});
  begin();
  engine.submitted(3);
  subject->stop();
  wait();
  ASSERT_EQ(records.size(), 4U);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.status, IFB_E_CANCELLED);
}

TEST_F(engine_worker_test, time_limits_of_one_request_end_no_other) {
  std::promise<void> cancelled;
  engine.cancels = [&](fake_engine::call& c) {
    c.error(IFB_E_CANCELLED, "as you wish");
    cancelled.set_value();
  };
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    if (plugin::view(c.sample->id).empty() || &c == &engine.submitted(0)) return IFB_OK;
    c.token("x");
    c.done();
    return IFB_OK;
  };
  make(3);
  shared.request_timeout_ns = 20 * base::ns_per_ms;
  run();
  cancelled.get_future().wait();
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
  EXPECT_THAT(records[0].error, HasSubstr("no complete answer after 0.02 s"));
  EXPECT_TRUE(records[1].ok());
  EXPECT_TRUE(records[2].ok());
}

TEST_F(engine_worker_test, a_fault_is_reported_once_in_a_long_run) {
  engine.submits = [](fake_engine::call& c, ifb_error*) {
    c.done();
    c.done();
    return IFB_OK;
  };
  make(100, {.max_in_flight = 2});
  run();
  EXPECT_EQ(records.size(), 100U);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("backend fake is at fault: it called on_done"));
}

}  // namespace
}  // namespace inferbench::client
