#include "run/conversation_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/observe/fact_of.hpp"
#include "framework/transport/clocks.hpp"
#include "metrics/context.hpp"

namespace inferbench::run {
namespace {

using base::ns_per_ms;
using base::ns_per_s;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

const std::string two_turns = "user 3 Hello|assistant 5 Hi|user 4 Bye|assistant 6 See you";
const std::string one_turn = "user 3 Hello|assistant 5 Hi";

struct clients_bench {
  explicit clients_bench(std::vector<fake::row> rows, conversation_clients::settings wanted = {},
                         first_answers answers = {})
      : data(std::move(rows), IFB_DATASET_SESSIONS), known(std::move(answers)) {
    samples.prepare();
    samples.start(16);
    EXPECT_TRUE(samples.wait_until_ready());
    wanted.ids.prefix = "q-";
    jobs.emplace(samples, adapters, clock, wanted, known);
    clock.at = start;
    jobs->start_at(start);
  }

  [[nodiscard]] std::optional<client::job> take() {
    client::job out;
    last = jobs->try_take(out);
    again = out.due_ns;
    if (last != dataset::taken::sample) return {};
    return out;
  }
  [[nodiscard]] client::job must_take() {
    auto out = take();
    EXPECT_TRUE(out);
    return out ? std::move(*out) : client::job{};
  }
  client::record answer(const client::job& to, const std::string& text = "x",
                        ifb_status status = IFB_OK) {
    client::record r;
    r.sequence = to.sequence;
    r.status = status;
    r.text = text;
    r.end_ns = clock.at += 5;
    jobs->answered(r);
    return r;
  }

  static constexpr std::uint64_t start = 1000 * ns_per_ms;
  fake::dataset data;
  first_answers known;
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{*instance, {.num_prompts = 0, .request_id_prefix = "q-"}, book.log};
  prompts::lora_modules adapters;
  transport::test::manual_clock clock;
  std::optional<conversation_clients> jobs;
  dataset::taken last = dataset::taken::later;
  std::uint64_t again = 0;
};

std::string session_of(const client::job& of) {
  return std::string(plugin::view(of.sample->session));
}

TEST(conversation_clients, a_client_has_one_request_in_flight) {
  clients_bench b({{IFB_OK, two_turns}, {IFB_OK, two_turns}, {IFB_OK, two_turns}}, {.clients = 2});
  const client::job a = b.must_take();
  const client::job c = b.must_take();
  EXPECT_NE(session_of(a), session_of(c));
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later);
  b.answer(a, "Good day");
  const client::job next = b.must_take();
  EXPECT_EQ(session_of(next), "q-session-0") << "the client goes on with its conversation";
  EXPECT_EQ(fake::talk_of(*next.sample), "user:Hello|assistant:Good day|user:Bye");
  EXPECT_FALSE(b.take());
}

TEST(conversation_clients, new_conversations_come_first_and_then_the_longest_wait) {
  clients_bench b({{IFB_OK, two_turns}, {IFB_OK, two_turns}, {IFB_OK, one_turn}},
                  {.active_each = 2});
  std::vector<std::string> order;  // a session is gone when its conversation has ended
  while (const auto job = b.take()) {
    order.push_back(session_of(*job));
    b.answer(*job);
  }
  EXPECT_THAT(order, ElementsAre("q-session-0", "q-session-1", "q-session-0", "q-session-2",
                                 "q-session-1"));
}

TEST(conversation_clients, all_conversations_are_finished_without_an_early_stop) {
  for (const bool random : {false, true}) {
    clients_bench b({{IFB_OK, two_turns}, {IFB_OK, two_turns}, {IFB_OK, one_turn}},
                    {.clients = 2, .active_each = 2, .random = random});
    std::size_t sent = 0;
    while (const auto job = b.take()) {
      b.answer(*job);
      ++sent;
    }
    EXPECT_EQ(b.last, dataset::taken::end);
    EXPECT_EQ(sent, 5U);
    EXPECT_EQ(b.jobs->planned(5), 5U);
  }
}

TEST(conversation_clients, the_first_client_without_work_ends_the_run_with_an_early_stop) {
  clients_bench b({{IFB_OK, one_turn}, {IFB_OK, two_turns}}, {.clients = 2, .early_stop = true});
  const client::job a = b.must_take();
  const client::job c = b.must_take();
  b.answer(a);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  b.answer(c);
  EXPECT_FALSE(b.take()) << "the second turn of the other client is not sent";
  EXPECT_EQ(b.last, dataset::taken::end);
  EXPECT_EQ(b.jobs->planned(3), 3U);
}

TEST(conversation_clients, a_client_sends_no_more_than_its_requests) {
  clients_bench b({{IFB_OK, two_turns}, {IFB_OK, two_turns}}, {.clients = 1, .requests_each = 3});
  for (int i = 0; i < 3; ++i)
    b.answer(b.must_take());
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  EXPECT_EQ(b.jobs->planned(4), 3U);
}

TEST(conversation_clients, a_failed_turn_is_sent_again_after_a_growing_time) {
  clients_bench b({{IFB_OK, two_turns}}, {.retries = 2});
  const client::job first = b.must_take();
  b.answer(first, "", IFB_E_REMOTE);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later);
  b.clock.at += 850 * ns_per_ms;
  EXPECT_FALSE(b.take()) << "the first pause is at least 0.9 s";
  b.clock.at += 300 * ns_per_ms;
  const client::job second = b.must_take();
  EXPECT_EQ(second.sample->turn, 0U);
  EXPECT_NE(second.sequence, first.sequence);
  b.answer(second, "", IFB_E_TIMEOUT);
  b.clock.at += 1750 * ns_per_ms;
  EXPECT_FALSE(b.take()) << "the second pause is at least 1.8 s";
  b.clock.at += 500 * ns_per_ms;
  const client::record done = b.answer(b.must_take(), "Hi");
  EXPECT_THAT(done.attributes, Contains(Pair("attempt", "3")));
  EXPECT_EQ(b.must_take().sample->turn, 1U);
  EXPECT_EQ(b.jobs->planned(2), 4U);
}

TEST(conversation_clients, a_turn_that_fails_to_the_last_ends_its_conversation_alone) {
  clients_bench b({{IFB_OK, two_turns}, {IFB_OK, one_turn}});
  const client::job first = b.must_take();
  EXPECT_EQ(session_of(first), "q-session-0");
  b.answer(first, "", IFB_E_REMOTE);
  const client::job next = b.must_take();
  EXPECT_EQ(session_of(next), "q-session-1");
  b.answer(next);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  metrics::context facts{{}};
  b.jobs->add_facts(facts);
  EXPECT_THAT(observe::fact_of(facts, "conversations"), HasSubstr("\"requests_given_up\": 1"));
}

TEST(conversation_clients, a_pause_follows_each_request) {
  clients_bench b({{IFB_OK, two_turns}}, {.rate = 0.001});
  b.answer(b.must_take());
  EXPECT_FALSE(b.take()) << "the mean pause is 1000 s";
  EXPECT_EQ(b.last, dataset::taken::later);
  b.clock.at += 100'000 * ns_per_s;
  EXPECT_TRUE(b.take());
}

// 2^62 ns: 146 years.
constexpr std::uint64_t longest_pause = std::uint64_t{1} << 62U;

TEST(conversation_clients, a_pause_is_no_longer_than_a_number_of_nanoseconds_can_be) {
  clients_bench b({{IFB_OK, two_turns}}, {.rate = 1e-300});
  b.answer(b.must_take());
  EXPECT_FALSE(b.take());
  b.clock.at += longest_pause;
  EXPECT_TRUE(b.take());
}

TEST(conversation_clients, the_time_before_an_attempt_does_not_grow_without_end) {
  clients_bench b({{IFB_OK, two_turns}}, {.retries = 100});
  for (int i = 0; i < 100; ++i) {
    const client::job failed = b.must_take();
    b.clock.at = clients_bench::start;
    b.answer(failed, "", IFB_E_REMOTE);
    EXPECT_FALSE(b.take());
    b.clock.at += longest_pause;
  }
  EXPECT_TRUE(b.take());
}

TEST(conversation_clients, answers_of_a_warm_up_are_the_first_turns) {
  clients_bench b({{IFB_OK, one_turn}, {IFB_OK, two_turns}}, {},
                  {{0, {"first", 2}}, {1, {"warm", 7}}});
  const client::job job = b.must_take();
  EXPECT_EQ(fake::talk_of(*job.sample), "user:Hello|assistant:warm|user:Bye");
  EXPECT_EQ(job.sample->turn, 1U);
  EXPECT_EQ(job.sample->input_tokens, 3 + 7 + 4);
  EXPECT_THAT(b.answer(job).attributes, Contains(Pair("warm_up_answer", "warm")));
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  EXPECT_EQ(b.jobs->planned(3), 1U);
}

TEST(conversation_clients, a_warm_up_sends_first_turns_and_keeps_the_answers) {
  clients_bench b({{IFB_OK, two_turns}, {IFB_OK, two_turns}},
                  {.clients = 2, .first_turns_only = true});
  const client::job a = b.must_take();
  const client::job c = b.must_take();
  b.answer(a, "one");
  b.answer(c, "", IFB_E_REMOTE);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  const first_answers found = b.jobs->take_answers();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.begin()->second.text, "one");
}

TEST(conversation_clients, records_say_what_a_report_of_turns_needs) {
  clients_bench b({{IFB_OK, two_turns}},
                  {.body = turn_body(R"({"max_tokens": "$answer_tokens"})")});
  const client::job job = b.must_take();
  EXPECT_EQ(plugin::view(job.sample->overrides), R"({"max_tokens":5})");
  EXPECT_EQ(job.sample->output_tokens, -1) << "the member above has the length";
  const client::record r = b.answer(job);
  EXPECT_EQ(r.wanted_tokens, 5);
  EXPECT_THAT(r.attributes, Contains(Pair("client", "0")));
  EXPECT_THAT(r.attributes, Contains(Pair("messages", "1")));
  EXPECT_THAT(r.attributes, Contains(Pair("question_tokens", "3")));
  EXPECT_THAT(r.attributes, Not(Contains(Pair("attempt", "1"))));
}

}  // namespace
}  // namespace inferbench::run
