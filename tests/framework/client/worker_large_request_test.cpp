// Large requests, which other threads serialise while the worker goes on.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "client/large_sample.hpp"
#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using testing::listed_jobs;
using testing::scripted_server;

class worker_large_request_test : public testing::worker_bench {
 protected:
  static void make_large(ifb_sample& sample) {
    static const std::string prompt(large_sample_bytes, 'x');
    static const ifb_part part{
        sizeof(ifb_part), IFB_PART_TEXT, nullptr, {prompt.data(), prompt.size()}, {}, {}};
    sample.prompt = {&part, 1, sizeof part};
  }
};

TEST_F(worker_large_request_test, serialises_large_requests_on_other_threads_and_keeps_the_order) {
  listed_jobs jobs(12);
  for (std::size_t i = 0; i < 12; i += 2)
    make_large(jobs.sample(i));
  std::atomic<std::thread::id> own;
  jobs.asked = [&](std::size_t) { own = std::this_thread::get_id(); };
  std::atomic<int> elsewhere = 0;
  std::atomic<int> small_elsewhere = 0;
  codec.opening = [&](const ifb_sample& one) {
    if (std::this_thread::get_id() == own.load()) return;
    ++elsewhere;
    if (!is_large(body_bytes(one))) ++small_elsewhere;
  };
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 12);
  EXPECT_EQ(elsewhere, 6);
  EXPECT_EQ(small_elsewhere, 0);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(server.seen()[i].id, "r-" + std::to_string(i));
}

TEST_F(worker_large_request_test, serialises_only_as_many_requests_ahead_as_their_memory_allows) {
  // The last request begins below the limit. Before the first launch the larger limit counts.
  struct {
    worker_settings settings;
    int requests;
  } const cases[] = {
      {{.bytes_ahead = 2 * large_sample_bytes + 1}, 3},
      {{.bytes_ahead = 1, .first_bytes_ahead = 5 * large_sample_bytes}, 5},
      {{.bytes_ahead = 2 * large_sample_bytes, .first_bytes_ahead = large_sample_bytes}, 2},
  };
  for (const auto& [settings, requests] : cases) {
    listed_jobs jobs(10, clock.now() + 3600 * base::ns_per_s);
    int taken = 0;
    jobs.asked = [&](std::size_t) { ++taken; };
    for (std::size_t i = 0; i < 10; ++i)
      make_large(jobs.sample(i));
    std::atomic<int> calls = 0;
    codec.opening = [&, last = requests](const ifb_sample&) {
      if (++calls == last) subject->stop();
    };
    const transport::test::loopback nobody;
    make(jobs, nobody.where(), settings);
    run();
    EXPECT_EQ(taken, requests);
    EXPECT_EQ(told, 0U);
    EXPECT_EQ(codec.closed, codec.opened);
  }
}

TEST_F(worker_large_request_test, serialises_one_request_ahead_however_large_it_is) {
  listed_jobs jobs(6);
  for (std::size_t i = 0; i < 6; ++i)
    make_large(jobs.sample(i));
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 2, .bytes_ahead = 1});
  expect_all_good(server, 6);
}

TEST_F(worker_large_request_test, reads_answers_while_a_large_request_is_serialised) {
  listed_jobs jobs(2);
  make_large(jobs.sample(1));
  std::promise<void> answered;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(body_bytes(one))) answered.get_future().wait();
  };
  scripted_server server(answers_at_once);
  make(jobs, server.where());
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&& r) {
    if (r.sequence == 0) answered.set_value();
    ++told;
  });
  run();
  EXPECT_EQ(told, 2U);
}

TEST_F(worker_large_request_test,
       a_large_request_that_is_not_ready_holds_up_the_requests_after_it) {
  listed_jobs jobs(3);
  make_large(jobs.sample(0));
  std::promise<void> all_taken;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(body_bytes(one))) all_taken.get_future().wait();
  };
  jobs.asked = [&](std::size_t n) {
    if (n == 2) all_taken.set_value();
  };
  scripted_server server(answers_at_once);
  run(jobs, server);
  expect_all_good(server, 3);
  EXPECT_LE(records[0].start_ns, records[1].start_ns);
  EXPECT_GT(records[0].late.launch_ns, 0U) << "its lateness is the client's";
}

TEST_F(worker_large_request_test,
       a_large_request_that_the_backend_refuses_has_failed_and_the_others_go_on) {
  codec.refused_id = "r-1";
  listed_jobs jobs(4);
  make_large(jobs.sample(1));
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 4U);
  EXPECT_EQ(records[1].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(records[1].error, "this prompt has no shape");
  EXPECT_NE(records[1].start_ns, 0U);
  EXPECT_EQ(subject->counters().failed, 1U);
  EXPECT_EQ(subject->counters().finished, 4U);
}

TEST_F(worker_large_request_test, stop_waits_only_for_the_codec_that_serialises_a_large_request) {
  listed_jobs jobs(20);
  for (std::size_t i = 0; i < 20; ++i)
    make_large(jobs.sample(i));
  std::promise<void> begun;
  std::promise<void> go;
  auto going = go.get_future().share();
  std::atomic<int> calls = 0;
  codec.opening = [&](const ifb_sample&) {
    if (++calls == 1) begun.set_value();
    going.wait();
  };
  const transport::test::loopback nobody;
  make(jobs, nobody.where());
  auto over = std::async(std::launch::async, [&] { subject->run(); });
  begun.get_future().wait();
  subject->stop();
  EXPECT_EQ(over.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  go.set_value();
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(subject->counters().started, 0U);
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_large_request_test,
       stop_cancels_requests_in_flight_while_a_large_request_is_serialised) {
  listed_jobs jobs(2);
  make_large(jobs.sample(1));
  std::promise<void> cancelled;
  codec.opening = [&](const ifb_sample& one) {
    if (is_large(body_bytes(one))) cancelled.get_future().wait();
  };
  scripted_server server([&](scripted_server&, std::size_t) { stoppable.load()->stop(); });
  make(jobs, server.where());
  ifb_status status = IFB_OK;
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&& r) {
    status = r.status;
    ++told;
    cancelled.set_value();
  });
  stoppable = subject.get();
  run();
  EXPECT_EQ(told, 1U);
  EXPECT_EQ(status, IFB_E_CANCELLED);
  EXPECT_EQ(codec.closed, codec.opened);
}

}  // namespace
}  // namespace inferbench::client
