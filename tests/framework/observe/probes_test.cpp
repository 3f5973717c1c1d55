#include "observe/probes.hpp"

#include <chrono>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"

namespace inferbench::observe {
namespace {

using client::testing::fake_codec;
using client::testing::scripted_server;
using metrics::metric;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::string answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\n"
    "data: token\n\n";
const std::string refusal = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";

TEST(probe_sample, is_a_short_question_with_the_overrides_of_sample_0) {
  ifb_sample like = client::testing::text_sample();
  like.overrides = plugin::str(R"({"top_k": 1})");
  like.output_tokens = 500;
  like.model = plugin::str("adapter");
  const ifb_part picture{sizeof(ifb_part), IFB_PART_IMAGE, "image/png", {"x", 1}, {}, {}};
  like.media = {&picture, 1, sizeof picture};
  const ifb_sample probe = probe_sample(like);
  EXPECT_EQ(probe.shape, IFB_PROMPT_TEXT);
  ASSERT_EQ(probe.prompt.count, 1U);
  EXPECT_EQ(plugin::view(probe.prompt.first->data), "Hi");
  EXPECT_EQ(probe.input_tokens, 1);
  EXPECT_EQ(probe.output_tokens, 1);
  EXPECT_EQ(plugin::view(probe.overrides), R"({"top_k": 1})");
  EXPECT_EQ(probe.id.size + probe.model.size, 0U);
  EXPECT_EQ(probe.media.count + probe.messages.count, 0U);
}

TEST(probe_figures, are_computed_from_successful_probes) {
  metrics::context run;
  add_probe_figures({{4, 1, 2, 3}, 7, "why"}, run);
  EXPECT_THAT(run.beside,
              ElementsAre(Pair(metric::probe_completed, 4), Pair(metric::probe_failed, 7),
                          Pair(metric::probe_median_e2el, 2.5),
                          Pair(metric::probe_p99_e2el, 3 + 0.97), Pair(metric::probe_max_e2el, 4)));
}

TEST(probe_figures, are_missing_if_no_probe_succeeded) {
  metrics::context run;
  add_probe_figures({{}, 7, "why"}, run);
  EXPECT_THAT(run.beside, IsEmpty());
}

struct probes_bench {
  explicit probes_bench(scripted_server::script script) : server(std::move(script)) {
    endpoint.where = transport::parse_url("http://host:1");
    endpoint.addresses = {server.where()};
    shared = codec.shared(endpoint);
  }
  void make(double per_second) {
    subject.emplace(clock, shared, sample, per_second, base::stamping::client);
  }
  void wait_until_over() {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!subject->over() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::yield();
    EXPECT_TRUE(subject->over());
  }

  const base::monotonic_clock clock;
  fake_codec codec;
  scripted_server server;
  transport::endpoint endpoint;
  client::backend shared;
  ifb_sample sample = client::testing::text_sample();
  std::optional<probes> subject;
};

TEST(probes, are_sent_one_after_another_on_a_kept_connection_without_an_id) {
  std::promise<void> third;
  probes_bench b([&](scripted_server& s, std::size_t request) {
    if (request == 2) third.set_value();
    if (request <= 2) s.send(request, answer);
  });
  b.make(1e9);
  b.subject->start(b.clock.now());
  third.get_future().wait();
  b.subject->cancel();
  b.wait_until_over();
  const probe_results found = b.subject->results();
  b.server.stop();
  EXPECT_EQ(found.failed, 0U);
  EXPECT_GE(found.latencies_ms.size(), 2U);
  EXPECT_LE(found.latencies_ms.size(), 3U);
  EXPECT_EQ(b.server.connections(), 1U);
  for (const auto& one : b.server.seen())
    EXPECT_EQ(one.id, "");
}

TEST(probes, the_probe_in_flight_at_the_end_is_the_last_and_counts) {
  std::promise<void> asked;
  probes_bench b([&](scripted_server&, std::size_t) { asked.set_value(); });
  b.make(1e9);
  b.subject->start(b.clock.now());
  asked.get_future().wait();
  b.subject->finish();
  EXPECT_FALSE(b.subject->over());
  b.server.send(0, answer);
  b.wait_until_over();
  EXPECT_EQ(b.subject->results().latencies_ms.size(), 1U);
  b.server.stop();
  EXPECT_EQ(b.server.seen().size(), 1U);
}

TEST(probes, that_are_cancelled_are_not_counted) {
  std::promise<void> asked;
  probes_bench b([&](scripted_server&, std::size_t) { asked.set_value(); });
  b.make(10);
  b.subject->start(b.clock.now());
  asked.get_future().wait();
  b.subject->cancel();
  b.wait_until_over();
  const probe_results found = b.subject->results();
  EXPECT_THAT(found.latencies_ms, IsEmpty());
  EXPECT_EQ(found.failed, 0U);
}

TEST(probes, that_fail_are_counted_and_the_first_reason_is_kept) {
  std::promise<void> second;
  probes_bench b([&](scripted_server& s, std::size_t request) {
    s.send(request, request == 0 ? refusal : answer);
    if (request == 1) second.set_value();
  });
  b.make(1e9);
  b.subject->start(b.clock.now());
  second.get_future().wait();
  b.subject->finish();
  b.wait_until_over();
  const probe_results found = b.subject->results();
  EXPECT_EQ(found.failed, 1U);
  EXPECT_EQ(found.first_error, "HTTP 503 Busy");
  EXPECT_GE(found.latencies_ms.size(), 1U);
}

TEST(probes, that_the_backend_refuses_have_failed) {
  probes_bench b([](scripted_server&, std::size_t) {});
  b.codec.open_status = IFB_E_UNSUPPORTED;
  b.make(1e9);
  b.subject->start(b.clock.now());
  while (b.codec.asked == 0)
    std::this_thread::yield();
  b.subject->finish();
  b.wait_until_over();
  const probe_results found = b.subject->results();
  EXPECT_THAT(found.latencies_ms, IsEmpty());
  EXPECT_EQ(found.first_error, "this prompt has no shape");
}

TEST(probes, that_were_never_due_are_not_reported) {
  probes_bench b([](scripted_server&, std::size_t) { ADD_FAILURE(); });
  b.make(1);
  b.subject->start(b.clock.now() + 3600 * base::ns_per_s);
  b.subject->finish();
  b.wait_until_over();
  EXPECT_THAT(b.subject->results().latencies_ms, IsEmpty());
}

TEST(probes, need_not_have_been_started_or_ended) {
  probes_bench b([](scripted_server&, std::size_t) {});
  b.make(1);
  b.make(1);
  b.subject->start(b.clock.now());
}

}  // namespace
}  // namespace inferbench::observe
