#include "run/conversations.hpp"

#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/observe/fact_of.hpp"
#include "framework/transport/clocks.hpp"
#include "metrics/context.hpp"

namespace inferbench::run {
namespace {

using base::ns_per_ms;
using observe::fact_of;
using ::testing::HasSubstr;

const std::string of_two = "user 3 Hello|assistant 5 Hi|user 4 Bye|assistant 6 See you";

struct conversations_bench {
  explicit conversations_bench(std::vector<fake::row> rows,
                               std::optional<std::size_t> most_active = {},
                               std::vector<std::uint64_t> offsets = {}, std::uint32_t flags = 0,
                               std::uint64_t duration_ns = run_source::unlimited,
                               conversations::settings wanted = {})
      : data(std::move(rows), IFB_DATASET_SESSIONS | flags) {
    samples.prepare();
    if (offsets.empty() && flags == 0) offsets.assign(samples.requests(), 0);
    due = std::move(offsets);
    samples.start(16);
    EXPECT_TRUE(samples.wait_until_ready());
    wanted.most_active = most_active;
    wanted.ids.prefix = "q-";
    jobs.emplace(samples, due, adapters, clock, std::move(wanted));
    clock.at = start;
    jobs->start_at(start, duration_ns);
  }

  /// The next job; nullopt if no request can be sent now. `again` is then the time to ask again.
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
  void answer(const client::job& to, const std::string& text, std::uint64_t end_ns,
              ifb_status status = IFB_OK) {
    client::record r;
    r.sequence = to.sequence;
    r.status = status;
    r.text = text;
    r.end_ns = end_ns;
    jobs->answered(r);
  }

  static constexpr std::uint64_t start = 1000 * ns_per_ms;
  fake::dataset data;
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{*instance, {.num_prompts = 0, .request_id_prefix = "q-"}, book.log};
  schedule::timetable due;
  prompts::lora_modules adapters;
  transport::test::manual_clock clock;
  std::optional<conversations> jobs;
  dataset::taken last = dataset::taken::later;
  std::uint64_t again = 0;
};

std::string session(const client::job& of) { return std::string(plugin::view(of.sample->session)); }

TEST(conversations, the_servers_answer_takes_the_place_of_the_recorded_one) {
  conversations_bench b({{IFB_OK, of_two}});
  const client::job first = b.must_take();
  EXPECT_EQ(fake::talk_of(*first.sample), "user:Hello");
  EXPECT_EQ(first.sample->turn, 0U);
  EXPECT_EQ(first.sample->input_tokens, 3);
  EXPECT_EQ(first.sample->output_tokens, 5);
  EXPECT_EQ(plugin::view(first.sample->id), "q-0");
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later) << "the answer is awaited";
  EXPECT_GT(b.again, b.clock.now());

  b.answer(first, "Good day", b.start + 5);
  const client::job second = b.must_take();
  EXPECT_EQ(fake::talk_of(*second.sample), "user:Hello|assistant:Good day|user:Bye");
  EXPECT_EQ(second.sample->turn, 1U);
  EXPECT_EQ(second.sample->input_tokens, 3 + 5 + 4);
  EXPECT_EQ(second.sample->output_tokens, 6);
  EXPECT_EQ(plugin::view(second.sample->id), "q-1");
  EXPECT_EQ(session(second), session(first));
  EXPECT_EQ(second.due_ns, b.start + 5) << "not before the answer arrived";

  b.answer(second, "Bye", b.start + 9);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
}

TEST(conversations, the_servers_count_of_an_answer_is_preferred) {
  conversations_bench b({{IFB_OK, of_two}});
  const client::job first = b.must_take();
  client::record r;
  r.sequence = first.sequence;
  r.status = IFB_OK;
  r.output_tokens = 100;
  b.jobs->answered(r);
  EXPECT_EQ(b.must_take().sample->input_tokens, 3 + 100 + 4);
}

TEST(conversations, below_the_limit_new_ones_begin_and_then_the_longest_wait_goes_first) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}, {IFB_OK, of_two}}, 2);
  const client::job a = b.must_take();
  const client::job c = b.must_take();
  EXPECT_NE(session(a), session(c));
  EXPECT_FALSE(b.take()) << "two are under way";
  b.answer(c, "x", b.start + 1);
  b.answer(a, "x", b.start + 2);
  EXPECT_EQ(session(b.must_take()), session(c));
  EXPECT_EQ(session(b.must_take()), session(a));
}

TEST(conversations, without_a_limit_one_begins_only_when_none_waits) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}});
  const client::job a = b.must_take();
  b.answer(a, "x", b.start + 1);
  EXPECT_EQ(session(b.must_take()), session(a));
  EXPECT_NE(session(b.must_take()), session(a));
}

TEST(conversations, a_turn_is_chosen_shortly_before_the_schedule_wants_a_request) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}}, {},
                        {0, 100 * ns_per_ms, 200 * ns_per_ms, 0});
  const client::job first = b.must_take();
  b.answer(first, "x", b.start + 1);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later);
  EXPECT_EQ(b.again, b.start + 99 * ns_per_ms);
  b.clock.at = b.again;
  EXPECT_EQ(b.must_take().due_ns, b.start + 100 * ns_per_ms);
}

TEST(conversations, a_failed_request_ends_its_conversation) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, "user 1 a"}}, 1);
  const client::job first = b.must_take();
  const std::string ended = session(first);
  b.answer(first, "", b.start + 1, IFB_E_REMOTE);
  const client::job other = b.must_take();
  EXPECT_NE(session(other), ended);
  b.answer(other, "x", b.start + 2);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  metrics::context run;
  b.jobs->add_facts(run);
  EXPECT_THAT(fact_of(run, "conversations"),
              HasSubstr(R"({"begun": 2, "finished": 1, "ended_early": 1, "requests_given_up": 1, )"
                        R"("most_active": 1, "mean_turns": 1.0, "mean_duration_ms": )"));
}

TEST(conversations, the_next_one_is_due_when_the_limit_has_room_for_it) {
  conversations_bench b({{IFB_OK, "user 1 a"}, {IFB_OK, "user 1 b"}}, 1);
  const client::job first = b.must_take();
  EXPECT_EQ(first.due_ns, b.start);
  b.answer(first, "x", b.start + 300);
  EXPECT_EQ(b.must_take().due_ns, b.start + 300);
}

TEST(conversations, the_end_is_known_before_the_next_time_of_the_schedule) {
  conversations_bench b({{IFB_OK, of_two}}, {}, {0, 3600 * base::ns_per_s});
  b.answer(b.must_take(), "", b.start + 1, IFB_E_REMOTE);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
}

TEST(conversations, for_an_answer_of_unknown_length_no_length_is_requested) {
  conversations_bench b({{IFB_OK, "user 1 a"}});
  EXPECT_EQ(b.must_take().sample->output_tokens, -1);
}

TEST(conversations, their_own_times_say_when_they_begin) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}}, {}, {}, IFB_DATASET_ARRIVALS);
  const client::job first = b.must_take();
  EXPECT_EQ(first.due_ns, b.start);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.again, b.start + 49 * ns_per_ms);
  b.answer(first, "x", b.start + 7);
  EXPECT_EQ(b.must_take().due_ns, b.start + 7);
  b.clock.at = b.start + 49 * ns_per_ms;
  EXPECT_EQ(b.must_take().due_ns, b.start + 50 * ns_per_ms);
}

TEST(conversations, no_turn_is_sent_that_is_due_when_the_run_is_over) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}}, {},
                        {0, 100 * ns_per_ms, 200 * ns_per_ms, 300 * ns_per_ms}, 0, 200 * ns_per_ms);
  b.answer(b.must_take(), "x", b.start + 1);
  b.clock.at = b.start + 100 * ns_per_ms;
  b.answer(b.must_take(), "x", b.start + 101 * ns_per_ms);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  EXPECT_EQ(b.jobs->due_before(200 * ns_per_ms), 2U);
}

TEST(conversations, none_begins_at_its_own_time_when_the_run_is_over) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}, {IFB_OK, of_two}}, {}, {},
                        IFB_DATASET_ARRIVALS, 50 * ns_per_ms);
  const client::job first = b.must_take();
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later) << "its answer is awaited";
  b.answer(first, "x", b.start + 7);
  const client::job second = b.must_take();
  EXPECT_EQ(session(second), session(first)) << "its later turns are sent";
  b.answer(second, "x", b.start + 9);
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::end);
  EXPECT_EQ(b.jobs->due_before(50 * ns_per_ms), 2U);
}

/// The settings of --multi-turn with a pause of 20 ms.
conversations::settings begin_together() {
  conversations::settings out;
  out.ids.by_turn = true;
  out.pause_ns = 20 * ns_per_ms;
  out.multi_turn = {4, "X-Session-ID"};
  return out;
}
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

TEST(conversations, all_begin_before_the_second_turns_if_there_is_no_limit_of_active_ones) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}, {IFB_OK, of_two}}, all);
  const client::job first = b.must_take();
  b.answer(first, "x", b.start + 1);
  EXPECT_NE(session(b.must_take()), session(first));
  EXPECT_NE(session(b.must_take()), session(first));
  EXPECT_EQ(session(b.must_take()), session(first));
}

TEST(conversations, a_pause_delays_the_next_turn_and_takes_no_request_meanwhile) {
  conversations_bench b({{IFB_OK, of_two}}, all, {}, 0, run_source::unlimited, begin_together());
  const client::job first = b.must_take();
  EXPECT_EQ(session(first), "q-conv-0");
  EXPECT_EQ(plugin::view(first.sample->id), "q-conv-0-turn0");
  b.answer(first, "x", b.start + 5 * ns_per_ms);
  b.clock.at = b.start + 23 * ns_per_ms;
  EXPECT_FALSE(b.take());
  EXPECT_EQ(b.last, dataset::taken::later);
  b.clock.at = b.start + 24 * ns_per_ms;
  const client::job second = b.must_take();
  EXPECT_EQ(second.due_ns, b.start + 25 * ns_per_ms);
  EXPECT_EQ(plugin::view(second.sample->id), "q-conv-0-turn1");
  b.answer(second, "x", b.start + 30 * ns_per_ms);
  metrics::context run;
  b.jobs->add_facts(run);
  EXPECT_EQ(fact_of(run, "conversations"),
            R"({"begun": 1, "finished": 1, "ended_early": 0, "requests_given_up": 0, )"
            R"("most_active": 1, "mean_turns": 2.0, "mean_duration_ms": 30.0, )"
            R"("multi_turn": {"concurrency": 4, "turn_delay_ms": 20, )"
            R"("session_header": "X-Session-ID", "separate_turns": false}})");
}

TEST(conversations, a_new_one_begins_while_another_pauses) {
  conversations_bench b({{IFB_OK, of_two}, {IFB_OK, of_two}}, {}, {}, 0, run_source::unlimited,
                        begin_together());
  const client::job first = b.must_take();
  b.answer(first, "x", b.start + 1);
  EXPECT_NE(session(b.must_take()), session(first));
}

TEST(conversations, without_history_each_turn_is_sent_alone) {
  const ifb_field none[] = {ifb::field("conversation.history", "none")};
  fake::dataset data({{IFB_OK, of_two}}, IFB_DATASET_SESSIONS);
  data.change = [&](std::uint64_t, ifb_sample& sample) {
    sample.metadata = none;
    sample.metadata_count = 1;
  };
  fake::log_book book;
  const auto instance = data.create();
  dataset::feed samples{*instance, {.num_prompts = 0, .request_id_prefix = "q-"}, book.log};
  samples.prepare();
  samples.start(16);
  ASSERT_TRUE(samples.wait_until_ready());
  const prompts::lora_modules adapters;
  conversation_requests requests(adapters, {"q-"});
  const open_conversation_ptr one = requests.open(samples.take());
  client::job job;
  requests.fill(job, *one);
  EXPECT_EQ(fake::talk_of(*job.sample), "user:Hello");
  one->add_answer("Good day", 5);
  client::job second;
  requests.fill(second, *one);
  EXPECT_EQ(fake::talk_of(*second.sample), "user:Bye");
  EXPECT_EQ(second.sample->input_tokens, 4);
  client::record record;
  requests.describe(*one, record);
  EXPECT_THAT(record.attributes,
              ::testing::Contains(std::pair<std::string, std::string>("messages", "1")));
}

TEST(conversations, an_unexpected_answer_changes_nothing) {
  conversations_bench b({{IFB_OK, of_two}});
  client::record r;
  r.sequence = 99;
  b.jobs->answered(r);
  EXPECT_EQ(fake::talk_of(*b.must_take().sample), "user:Hello");
}

}  // namespace
}  // namespace inferbench::run
