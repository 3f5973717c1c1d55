// The base of the tests of whole workers over HTTP: a source of jobs, and a worker with the fake
// codec and a clock that any thread may set forward.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "client/worker.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/transport/clocks.hpp"

namespace inferbench::client::testing {

/// Samples r-0, r-1 and so on.
class listed_jobs final : public source {
 public:
  explicit listed_jobs(std::size_t count, std::uint64_t when = 0) : due(count, when) {
    for (std::size_t i = 0; i < count; ++i)
      ids_.push_back("r-" + std::to_string(i));
    for (const std::string& id : ids_) {
      samples_.push_back(text_sample());
      samples_.back().id = plugin::str(id);
    }
  }

  dataset::taken try_take(job& out) override {
    if (delays_left_-- > 0) return dataset::taken::later;
    delays_left_ = delays;
    if (next_ == samples_.size()) return dataset::taken::end;
    if (asked) asked(next_);
    out.sample = &samples_[next_];
    out.sequence = next_;
    out.due_ns = due[next_];
    ++next_;
    return dataset::taken::sample;
  }

  [[nodiscard]] ifb_sample& sample(std::size_t n) { return samples_[n]; }

  std::vector<std::uint64_t> due;
  int delays = 0;                            // number of `later` results before each sample
  std::function<void(std::size_t n)> asked;  // called before sample n is returned

 private:
  std::vector<std::string> ids_;
  std::vector<ifb_sample> samples_;
  std::size_t next_ = 0;
  int delays_left_ = 0;
};

class worker_bench : public ::testing::Test {
 protected:
  /// A limit of time that ends only because the clock jumps.
  static constexpr std::uint64_t long_limit_ns = 60 * base::ns_per_s;

  static inline const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\n"
      "data: token\n\n";

  static void answers_at_once(scripted_server& server, std::size_t request) {
    server.send(request, answer);
  }

  void make(listed_jobs& jobs, const transport::address& where,
            const worker_settings& settings = {}) {
    server_.where = transport::parse_url("http://host:1");
    server_.addresses = {where};
    subject = std::make_unique<worker>(clock, shared, settings, jobs, [&](record&& r) {
      records.emplace(r.sequence, std::move(r));
      ++told;
    });
    stoppable = subject.get();
  }

  /// Runs the worker to its end; fails the test after 20 s.
  void run() {
    auto over = std::async(std::launch::async, [&] { subject->run(); });
    if (over.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return;
    ADD_FAILURE() << "the worker did not end within 20 s";
    subject->stop();
  }

  void run(listed_jobs& jobs, scripted_server& server, const worker_settings& settings = {}) {
    make(jobs, server.where(), settings);
    run();
    server.stop();
  }

  [[nodiscard]] static std::map<std::string, int> times_seen(const scripted_server& server) {
    std::map<std::string, int> times;
    for (const auto& request : server.seen())
      ++times[request.id];
    return times;
  }

  /// Each of `count` requests was sent once and has one good record.
  void expect_all_good(const scripted_server& server, std::size_t count) {
    const auto times = times_seen(server);
    EXPECT_EQ(times.size(), count);
    for (const auto& [id, n] : times)
      EXPECT_EQ(n, 1) << id;
    EXPECT_EQ(told, count);
    EXPECT_EQ(records.size(), count);
    for (const auto& [n, r] : records)
      EXPECT_TRUE(r.ok()) << n << ": " << r.error;
    EXPECT_EQ(subject->counters().started, count);
    EXPECT_EQ(subject->counters().finished, count);
    EXPECT_EQ(subject->counters().failed, 0U);
    EXPECT_EQ(codec.closed, codec.opened);
  }

  transport::test::jumping_clock clock;
  fake_codec codec;
  transport::endpoint server_;
  backend shared = codec.shared(server_);
  std::unique_ptr<worker> subject;
  std::atomic<worker*> stoppable = nullptr;  // the same worker, for other threads
  std::map<std::uint64_t, record> records;
  std::size_t told = 0;  // number of reported records, also with equal sequence numbers
};

}  // namespace inferbench::client::testing
