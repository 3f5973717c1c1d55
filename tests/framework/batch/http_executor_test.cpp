#include "batch/http_executor.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "framework/batch/http_bench.hpp"

namespace inferbench::batch {
namespace {

using http_test::batch_of;
using http_test::busy_answer;
using http_test::http_bench;
using http_test::scripted_server;
using http_test::whole_answer;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const scripted_server::script answers_at_once = [](scripted_server& s, std::size_t request) {
  s.send(request, whole_answer);
};

std::vector<std::string> sample_ids(const std::vector<dataset::sample_ptr>& samples) {
  std::vector<std::string> out;
  for (const auto& each : samples)
    out.emplace_back(plugin::view(each->c.id));
  return out;
}

std::string http_refusal(http_executor& by, const batch_order& order) {
  try {
    static_cast<void>(by.run(order));
  } catch (const base::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(http_executor, load_reads_the_longest_sequence_of_the_model) {
  http_bench b(answers_at_once);
  b.put({{"GET /v1/models", R"({"data":[{"id":"m","max_model_len":4096}]})"}});
  const auto server = b.executor();
  const engine_facts facts = server->load();
  EXPECT_EQ(facts.max_model_len, 4096);
  EXPECT_EQ(facts.load_ns, 0U);
  EXPECT_EQ(facts.description, "fake at " + b.server.url());
  EXPECT_FALSE(facts.profiler.empty());
}

TEST(http_executor, load_does_without_a_list_of_models) {
  http_bench b(answers_at_once);
  const auto server = b.executor();
  EXPECT_EQ(server->load().max_model_len, -1);
}

TEST(http_executor, the_samples_are_those_of_the_dataset_in_order) {
  http_bench b(answers_at_once, 4);
  b.plan.request_id_prefix = "bench-";
  const auto server = b.executor();
  static_cast<void>(server->load());
  EXPECT_THAT(sample_ids(server->samples()),
              ElementsAre("bench-0", "bench-1", "bench-2", "bench-3"));
}

TEST(http_executor, the_samples_name_the_adapters_of_the_plan) {
  http_bench b(answers_at_once);
  b.plan.lora_modules = {"one", "two"};
  b.plan.lora_round_robin = true;
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  ASSERT_THAT(samples, SizeIs(3));
  EXPECT_EQ(plugin::view(samples[0]->c.model), "one");
  EXPECT_EQ(plugin::view(samples[1]->c.model), "two");
  EXPECT_EQ(plugin::view(samples[2]->c.model), "one");
}

// The server answers no request before it has them all, and then in reverse.
TEST(http_executor, sends_all_requests_at_once_and_returns_answers_in_the_order_of_the_items) {
  constexpr std::size_t count = 20;
  std::vector<std::size_t> waiting;
  http_bench b(
      [&](scripted_server& s, std::size_t request) {
        waiting.push_back(request);
        if (waiting.size() < count) return;
        for (auto at = waiting.rbegin(); at != waiting.rend(); ++at)
          s.send(*at, whole_answer);
      },
      count);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome out = server->run(batch.order);
  ASSERT_THAT(out.answers, SizeIs(count));
  std::uint64_t first_sent = UINT64_MAX;
  std::uint64_t last_end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const batch_answer& one = out.answers[i];
    EXPECT_TRUE(one.record.ok()) << one.record.error;
    EXPECT_EQ(one.record.sequence, i);
    EXPECT_EQ(one.record.id, std::to_string(i));
    EXPECT_EQ(one.record.text, "token");
    EXPECT_EQ(one.outputs, 1U);
    EXPECT_EQ(one.finished, 1U);
    EXPECT_EQ(one.arrived_ns, one.record.start_ns);
    EXPECT_EQ(one.record.due_ns, out.answers[0].record.due_ns);
    first_sent = std::min(first_sent, one.record.sent_ns);
    last_end = std::max(last_end, one.record.end_ns);
  }
  EXPECT_EQ(out.began_ns, first_sent);
  EXPECT_EQ(out.elapsed_ns, last_end - first_sent);
  EXPECT_EQ(out.detail, time_detail::events);
  b.server.stop();
  std::set<std::size_t> connections;
  for (const auto& each : b.sent())
    connections.insert(each.connection);
  EXPECT_EQ(connections.size(), count) << "each request has a connection of its own";
}

TEST(http_executor, several_workers_send_a_batch_once) {
  constexpr std::size_t count = 100;
  http_bench b(answers_at_once, count);
  b.codec.opening = nullptr;
  b.plan.workers = 3;
  b.plan.load.max_concurrency = 6;
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  std::vector<std::string> ids;
  // The fake codec keeps messages of one thread only, so the answers have none.
  b.codec.silent = true;
  b.codec.head_status = IFB_E_REMOTE;
  for (const batch_answer& each : server->run(batch.order).answers)
    ids.push_back(each.record.id);
  EXPECT_EQ(ids, sample_ids(samples));
  b.server.stop();
  EXPECT_THAT(b.sent(), SizeIs(count));
}

TEST(http_executor, the_order_has_the_length_of_outputs_if_it_names_a_length) {
  http_bench b(answers_at_once, 1);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  samples[0]->c.output_tokens = 7;
  batch_of batch(samples);
  EXPECT_EQ(server->run(batch.order).answers[0].record.wanted_tokens, 7);
  batch.order.sampling.max_tokens = 31;
  EXPECT_EQ(server->run(batch.order).answers[0].record.wanted_tokens, 31);
  const std::lock_guard lock(b.mutex);
  EXPECT_THAT(b.lengths, Contains(7));
  EXPECT_EQ(b.lengths.back(), 31);
  EXPECT_EQ(samples[0]->c.output_tokens, 7) << "the sample itself is not changed";
}

TEST(http_executor, an_answer_stands_for_all_outputs_that_were_asked_for) {
  http_bench b(answers_at_once, 1);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  batch_of batch(samples);
  batch.order.sampling = full_length_sampling(4, -1);
  const batch_outcome out = server->run(batch.order);
  EXPECT_EQ(out.answers[0].outputs, 4U);
  EXPECT_EQ(out.answers[0].finished, 4U);
}

TEST(http_executor, an_adapter_of_an_item_is_the_model_of_its_request) {
  http_bench b(answers_at_once, 2);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  batch_of batch(samples);
  const ifb_adapter adapter{sizeof adapter, 2, plugin::str("2"), plugin::str("/adapters/two")};
  batch.items[1].adapter = &adapter;
  const batch_outcome out = server->run(batch.order);
  EXPECT_THAT(out.answers[0].record.attributes, IsEmpty());
  EXPECT_THAT(out.answers[1].record.attributes, ElementsAre(Pair("lora", "2")));
  const std::lock_guard lock(b.mutex);
  EXPECT_EQ(b.models.back(), "2");
}

TEST(http_executor, a_failed_request_is_an_answer) {
  http_bench b([](scripted_server& s, std::size_t request) {
    s.send(request, s.seen()[request].id == "1" ? busy_answer : whole_answer);
  });
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome out = server->run(batch.order);
  EXPECT_TRUE(out.answers[0].record.ok());
  EXPECT_FALSE(out.answers[1].record.ok());
  EXPECT_EQ(out.answers[1].record.http_status, 503U);
  EXPECT_EQ(out.answers[1].record.error, "HTTP 503 Busy: loading");
  EXPECT_EQ(out.answers[1].outputs, 0U);
  EXPECT_TRUE(out.answers[2].record.ok());
}

TEST(http_executor, a_sample_that_the_backend_refuses_is_an_answer) {
  http_bench b(answers_at_once);
  b.codec.refused_id = "1";
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome out = server->run(batch.order);
  EXPECT_TRUE(out.answers[0].record.ok());
  EXPECT_THAT(out.answers[1].record.error, HasSubstr("this prompt has no shape"));
  EXPECT_TRUE(out.answers[2].record.ok());
}

TEST(http_executor, the_requests_of_a_server_that_dies_fail) {
  std::size_t came = 0;
  http_bench b([&](scripted_server& s, std::size_t) {
    if (++came < 3) return;
    for (std::size_t i = 0; i < s.seen().size(); ++i)
      if (s.seen()[i].line == "POST /v1/x") s.reset(i);
  });
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome out = server->run(batch.order);
  ASSERT_THAT(out.answers, SizeIs(3));
  for (const batch_answer& each : out.answers) {
    EXPECT_EQ(each.record.status, IFB_E_IO);
    EXPECT_FALSE(each.record.error.empty());
    EXPECT_EQ(each.finished, 0U);
  }
}

TEST(http_executor, cancel_ends_the_batch_in_progress_and_all_later_ones) {
  std::atomic<http_executor*> running = nullptr;
  http_bench b([&](scripted_server&, std::size_t) { running.load()->cancel(); });
  const auto server = b.executor();
  running = server.get();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  EXPECT_EQ(http_refusal(*server, batch.order), "the benchmark was stopped before its end");
  EXPECT_EQ(http_refusal(*server, batch.order), "the benchmark was stopped before its end");
  b.server.stop();  // its script uses the executor
}

TEST(http_executor, a_signal_ends_the_batch_in_progress) {
  bool first = true;
  http_bench b([&](scripted_server&, std::size_t) {
    if (std::exchange(first, false)) ::kill(::getpid(), SIGINT);
  });
  b.signals.hold();
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  EXPECT_EQ(http_refusal(*server, batch.order), "the benchmark was stopped before its end");
}

TEST(http_executor, a_second_batch_uses_the_connections_again) {
  std::vector<std::size_t> waiting;
  http_bench b([&](scripted_server& s, std::size_t request) {
    waiting.push_back(request);
    if (waiting.size() < 3) return;
    for (const std::size_t each : waiting)
      s.send(each, whole_answer);
    waiting.clear();
  });
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome first = server->run(batch.order);
  const batch_outcome second = server->run(batch.order);
  EXPECT_GE(second.began_ns, first.began_ns + first.elapsed_ns);
  for (const batch_answer& each : second.answers)
    EXPECT_TRUE(each.record.ok()) << each.record.error;
  b.server.stop();
  const auto sent = b.sent();
  ASSERT_THAT(sent, SizeIs(6));
  std::set<std::size_t> before;
  std::set<std::size_t> after;
  for (std::size_t i = 0; i < sent.size(); ++i)
    (i < 3 ? before : after).insert(sent[i].connection);
  EXPECT_EQ(before, after);
}

TEST(http_executor, a_larger_batch_gets_more_connections) {
  std::vector<std::size_t> waiting;
  std::size_t wanted = 1;
  http_bench b([&](scripted_server& s, std::size_t request) {
    waiting.push_back(request);
    if (waiting.size() < wanted) return;
    for (const std::size_t each : waiting)
      s.send(each, whole_answer);
    waiting.clear();
    wanted = 3;
  });
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  batch_of batch(samples);
  batch.order.items = std::span(batch.items).first(1);
  EXPECT_THAT(server->run(batch.order).answers, SizeIs(1));
  batch.order.items = batch.items;
  const batch_outcome out = server->run(batch.order);
  ASSERT_THAT(out.answers, SizeIs(3));
  for (const batch_answer& each : out.answers)
    EXPECT_TRUE(each.record.ok()) << each.record.error;
}

TEST(http_executor, an_empty_batch_has_no_answers) {
  http_bench b(answers_at_once);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const batch_outcome out = server->run({});
  EXPECT_THAT(out.answers, IsEmpty());
  EXPECT_EQ(out.elapsed_ns, 0U);
}

TEST(http_executor, the_profiler_runs_within_the_timed_section) {
  http_bench b(answers_at_once);
  b.put({{"POST /start_profile", ""}, {"POST /stop_profile", ""}});
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  batch_of batch(samples);
  batch.order.flags = IFB_BATCH_PROFILE;
  const batch_outcome out = server->run(batch.order);
  for (const batch_answer& each : out.answers) {
    EXPECT_GE(each.record.start_ns, out.began_ns);
    EXPECT_LE(each.record.end_ns, out.began_ns + out.elapsed_ns);
  }
  b.server.stop();
  std::vector<std::string> posts;
  for (const auto& each : b.server.seen())
    if (each.line.starts_with("POST")) posts.push_back(each.line);
  EXPECT_THAT(posts, ElementsAre("POST /start_profile", "POST /v1/x", "POST /v1/x", "POST /v1/x",
                                 "POST /stop_profile"));
}

TEST(http_executor, observed_pages_yield_the_stages_of_the_batch) {
  http_bench b(answers_at_once);
  b.plan.observe.wanted = true;
  b.put({{"GET /metrics",
          "sglang:encoder_model_forward_seconds_count 2\n"
          "sglang:encoder_model_forward_seconds_sum 1\n"},
         {"GET /metrics",
          "sglang:encoder_model_forward_seconds_count 6\n"
          "sglang:encoder_model_forward_seconds_sum 3\n"}});
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  const batch_outcome out = server->run(batch.order);
  ASSERT_THAT(out.measures, SizeIs(2));
  EXPECT_EQ(out.measures[0].name, "encoder_forward_secs");
  EXPECT_EQ(out.measures[0].unit, "s");
  EXPECT_EQ(out.measures[0].value, 0.5);
  EXPECT_EQ(out.measures[1].name, "num_encoder_calls");
  EXPECT_EQ(out.measures[1].unit, "1");
  EXPECT_EQ(out.measures[1].value, 4);
}

TEST(http_executor, an_observed_page_that_cannot_be_read_yields_a_warning) {
  http_bench b(answers_at_once);
  b.plan.observe.wanted = true;
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  EXPECT_THAT(server->run(batch.order).measures, IsEmpty());
  EXPECT_THAT(b.book.lines(), Contains(b.server.url() + "/metrics: HTTP 503 Busy"));
}

TEST(http_executor, health_has_all_requests_of_the_workers_and_a_batch_may_follow) {
  http_bench b(answers_at_once);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const batch_of batch(samples);
  static_cast<void>(server->run(batch.order));
  static_cast<void>(server->run(batch.order));
  const metrics::client_health health = server->health(nullptr);
  ASSERT_THAT(health.workers, SizeIs(1));
  EXPECT_THAT(health.servers, ElementsAre(b.server.url()));
  ASSERT_THAT(health.workers[0].servers, SizeIs(1));
  EXPECT_EQ(health.workers[0].servers[0].requests, 6U);
  EXPECT_THAT(server->run(batch.order).answers, SizeIs(3));
}

TEST(http_executor, refuses_orders_that_a_server_cannot_carry_out) {
  http_bench b(answers_at_once);
  const auto server = b.executor();
  static_cast<void>(server->load());
  const auto samples = server->samples();
  const auto complaint = [&](std::uint32_t mode, std::uint32_t flags) {
    batch_of batch(samples);
    batch.order.mode = mode;
    batch.order.flags = flags;
    return http_refusal(*server, batch.order);
  };
  EXPECT_EQ(complaint(IFB_BATCH_BEAM_SEARCH, 0),
            "--use-beam-search: no beam search is known for a server; leave it out, or use an "
            "engine without --base-url");
  EXPECT_THAT(complaint(IFB_BATCH_GENERATE, IFB_BATCH_PREQUEUE),
              HasSubstr("--prequeue-requests: a server schedules each request when it comes"));
  EXPECT_THAT(complaint(IFB_BATCH_GENERATE, IFB_BATCH_NO_TEXT),
              HasSubstr("--disable-detokenize: a server always answers with text"));
  b.server.stop();
  EXPECT_THAT(b.sent(), IsEmpty());
}

TEST(http_executor, refuses_plans_that_are_no_batch) {
  const auto complaint = [](auto&& change) -> std::string {
    http_bench b(answers_at_once);
    change(b);
    try {
      static_cast<void>(b.executor());
    } catch (const base::error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint([](http_bench& b) { b.plan.load.traffic = schedule::constant{5}; }),
            "--request-rate: all requests of a batch are sent at once; leave out the schedule");
  EXPECT_EQ(complaint([](http_bench& b) { b.plan.load.duration_ns = base::ns_per_s; }),
            "--duration: a batch has no time limit; give the number of requests with "
            "--num-prompts");
  EXPECT_EQ(complaint([](http_bench& b) {
              b.data.rows = {{IFB_OK, "user 1 a|assistant 1 b"}};
              b.data.info_flags = IFB_DATASET_SESSIONS;
            }),
            "the dataset fake has conversations, whose requests wait for answers; choose another "
            "dataset, or use `inferbench serve`");
}

}  // namespace
}  // namespace inferbench::batch
