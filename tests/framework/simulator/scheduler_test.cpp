#include "simulator/scheduler.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

scheduler::timing constant(double ttft, double itl, double slowdown = 0, std::uint64_t cap = 0) {
  return {distribution::constant(ttft), distribution::constant(itl), slowdown, cap};
}

job& added(std::deque<job>& jobs, std::uint64_t events, std::uint64_t seed = 0) {
  job& what = jobs.emplace_back();
  what.events = events;
  what.draws = random_stream(seed);
  return what;
}

struct emitted {
  const job* what;
  std::uint64_t due;
  bool operator==(const emitted&) const = default;
};

// Runs the scheduler in virtual time, to its end or until `end`: every event is taken exactly when
// it is due.
std::vector<emitted> run(scheduler& plan, std::uint64_t end = UINT64_MAX) {
  std::vector<emitted> out;
  while (plan.next_due() < end) {
    const std::uint64_t now = plan.next_due();
    job* what = plan.take(now);
    out.push_back({what, what->due});
    if (plan.advance(*what))
      plan.put(*what);
    else
      plan.remove(*what, now);
  }
  return out;
}

std::vector<std::uint64_t> times_of(const std::vector<emitted>& events, const job& what) {
  std::vector<std::uint64_t> out;
  for (const emitted& each : events)
    if (each.what == &what) out.push_back(each.due);
  return out;
}

TEST(scheduler, events_are_due_at_admission_plus_ttft_plus_whole_gaps) {
  scheduler plan(constant(50, 10));
  std::deque<job> jobs;
  job& what = added(jobs, 4);
  plan.submit(what, 1000);
  EXPECT_EQ(plan.take(1049), nullptr);
  EXPECT_EQ(times_of(run(plan), what), (std::vector<std::uint64_t>{1050, 1060, 1070, 1080}));
  EXPECT_EQ(plan.running(), 0U);
}

TEST(scheduler, a_late_event_delays_no_other) {
  scheduler plan(constant(50, 10));
  std::deque<job> jobs;
  job& what = added(jobs, 3);
  plan.submit(what, 0);
  ASSERT_EQ(plan.take(500), &what);
  ASSERT_TRUE(plan.advance(what));
  EXPECT_EQ(what.due, 60U);
  plan.put(what);
  ASSERT_EQ(plan.take(500), &what);
  ASSERT_TRUE(plan.advance(what));
  EXPECT_EQ(what.due, 70U);
}

TEST(scheduler, the_plan_of_a_job_depends_only_on_its_seed) {
  const scheduler::timing timing{distribution::uniform(10, 1000), distribution::lognormal(300, 0.5),
                                 0, 0};
  std::deque<job> jobs;
  scheduler alone(timing);
  job& first = added(jobs, 20, 42);
  alone.submit(first, 0);
  const auto expected = times_of(run(alone), first);

  scheduler crowded(timing);
  for (std::uint64_t i = 0; i < 50; ++i)
    crowded.submit(added(jobs, 1 + i, i), i);
  job& again = added(jobs, 20, 42);
  crowded.submit(again, 0);
  EXPECT_EQ(times_of(run(crowded), again), expected);
}

TEST(scheduler, jobs_that_are_due_together_take_turns) {
  scheduler plan(constant(0, 0));
  std::deque<job> jobs;
  job& a = added(jobs, 3);
  job& b = added(jobs, 3);
  plan.submit(a, 5);
  plan.submit(b, 5);
  const auto events = run(plan);
  ASSERT_EQ(events.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(events[i].what, i % 2 == 0 ? &a : &b) << i;
}

TEST(scheduler, an_unpaced_event_says_so) {
  scheduler plan(constant(10, 0));
  std::deque<job> jobs;
  job& what = added(jobs, 2);
  plan.submit(what, 0);
  ASSERT_EQ(plan.take(10), &what);
  EXPECT_TRUE(what.paced);
  ASSERT_TRUE(plan.advance(what));
  EXPECT_FALSE(what.paced);
}

TEST(scheduler, gaps_stretch_with_the_number_that_runs) {
  scheduler plan(constant(10, 100, 0.5));
  std::deque<job> jobs;
  job& a = added(jobs, 2);
  job& b = added(jobs, 2);
  job& c = added(jobs, 2);
  for (job* each : {&a, &b, &c})
    plan.submit(*each, 0);
  const auto events = run(plan);
  EXPECT_EQ(times_of(events, a), (std::vector<std::uint64_t>{10, 210})) << "1 + 0.5 * 2";
}

// Delays of `alone` plus `per_active` for each running request.
scheduler::timing growing(load_delay ttft, load_delay itl, double slowdown = 0,
                          std::uint64_t cap = 0) {
  return {ttft, itl, slowdown, cap};
}

load_delay with_load(double alone, double per_active) {
  return {distribution::constant(alone), per_active};
}

TEST(scheduler, a_gap_grows_with_the_requests_that_run_when_it_begins) {
  scheduler plan(growing(with_load(10, 0), with_load(100, 5)));
  std::deque<job> jobs;
  job& a = added(jobs, 4);
  job& b = added(jobs, 2);
  plan.submit(a, 0);
  EXPECT_EQ(times_of(run(plan, 111), a), (std::vector<std::uint64_t>{10}));
  plan.submit(b, 111);
  const auto events = run(plan);
  EXPECT_EQ(times_of(events, a), (std::vector<std::uint64_t>{115, 225, 335}))
      << "the gap that has begun does not change; the next gaps do";
  EXPECT_EQ(times_of(events, b), (std::vector<std::uint64_t>{121, 231}));
}

TEST(scheduler, a_gap_shrinks_when_others_have_ended) {
  scheduler plan(growing(with_load(0, 0), with_load(100, 50)));
  std::deque<job> jobs;
  job& a = added(jobs, 4);
  plan.submit(a, 0);
  for (int i = 0; i < 3; ++i)
    plan.submit(added(jobs, 2), 0);
  EXPECT_EQ(times_of(run(plan), a), (std::vector<std::uint64_t>{0, 300, 600, 750}))
      << "with 4, 4 and 1 requests: the others end right after the second event of a";
}

TEST(scheduler, the_first_event_counts_the_requests_that_run_at_the_admission) {
  scheduler plan(growing(with_load(100, 10), with_load(0, 0), 0, 2));
  std::deque<job> jobs;
  job& a = added(jobs, 1);
  job& b = added(jobs, 1);
  job& waits = added(jobs, 1);
  for (job* each : {&a, &b, &waits})
    plan.submit(*each, 0);
  const auto events = run(plan);
  EXPECT_EQ(times_of(events, a), (std::vector<std::uint64_t>{110}));
  EXPECT_EQ(times_of(events, b), (std::vector<std::uint64_t>{120}));
  EXPECT_EQ(times_of(events, waits), (std::vector<std::uint64_t>{110 + 120}))
      << "in the place of a, beside b; a request in the queue does not count";
}

TEST(scheduler, a_gap_that_grows_is_stretched_as_a_whole) {
  scheduler plan(growing(with_load(0, 0), with_load(100, 5), 0.5));
  std::deque<job> jobs;
  job& a = added(jobs, 2);
  plan.submit(a, 0);
  plan.submit(added(jobs, 2), 0);
  EXPECT_EQ(times_of(run(plan), a), (std::vector<std::uint64_t>{0, 165})) << "(100 + 5 * 2) * 1.5";
}

TEST(scheduler, a_late_event_does_not_delay_others_if_gaps_grow) {
  scheduler plan(growing(with_load(50, 0), with_load(9, 1)));
  std::deque<job> jobs;
  job& what = added(jobs, 3);
  plan.submit(what, 0);
  ASSERT_EQ(plan.take(500), &what);
  ASSERT_TRUE(plan.advance(what));
  EXPECT_EQ(what.due, 60U);
  EXPECT_TRUE(what.paced);
}

TEST(scheduler, a_cap_makes_others_wait_in_order_of_arrival) {
  scheduler plan(constant(10, 10, 0, 2));
  std::deque<job> jobs;
  job& a = added(jobs, 2);
  job& b = added(jobs, 3);
  job& c = added(jobs, 1);
  job& d = added(jobs, 1);
  for (job* each : {&a, &b, &c, &d})
    plan.submit(*each, 0);
  EXPECT_EQ(plan.running(), 2U);
  EXPECT_EQ(plan.waiting(), 2U);
  EXPECT_EQ(c.admitted, 0U);
  const auto events = run(plan);
  EXPECT_EQ(c.admitted, 20U) << "when a ended";
  EXPECT_EQ(d.admitted, 30U) << "when b or c ended";
  EXPECT_EQ(times_of(events, c), (std::vector<std::uint64_t>{30}));
  EXPECT_EQ(times_of(events, d), (std::vector<std::uint64_t>{40}));
  EXPECT_EQ(plan.waiting(), 0U);
}

TEST(scheduler, a_job_is_removed_from_any_place) {
  scheduler plan(constant(10, 10, 0, 2));
  std::deque<job> jobs;
  std::vector<job*> all;
  for (int i = 0; i < 6; ++i)
    all.push_back(&added(jobs, 2));
  for (job* each : all)
    plan.submit(*each, 0);
  plan.remove(*all[3], 1);  // from the middle of the queue
  plan.remove(*all[5], 1);  // from its end
  plan.remove(*all[0], 1);  // from the heap
  EXPECT_EQ(plan.running(), 2U);
  EXPECT_EQ(all[2]->admitted, 1U);
  job* held = plan.take(10);
  ASSERT_EQ(held, all[1]);
  EXPECT_TRUE(scheduler::held(*held));
  plan.remove(*held, 10);
  plan.remove(*held, 10);  // no effect
  EXPECT_EQ(all[4]->admitted, 10U);
  EXPECT_EQ(plan.waiting(), 0U);
  const auto events = run(plan);
  EXPECT_EQ(events.size(), 4U);
}

TEST(scheduler, a_held_job_keeps_its_place_among_running_jobs) {
  scheduler plan(constant(10, 10, 0, 1));
  std::deque<job> jobs;
  job& slow = added(jobs, 5);
  job& next = added(jobs, 1);
  plan.submit(slow, 0);
  plan.submit(next, 0);
  ASSERT_EQ(plan.take(10), &slow);
  ASSERT_TRUE(plan.advance(slow));
  EXPECT_EQ(plan.next_due(), UINT64_MAX);
  EXPECT_EQ(plan.running(), 1U);
  EXPECT_EQ(next.admitted, 0U);
}

TEST(scheduler, thousands_of_jobs_come_out_in_order) {
  scheduler plan({distribution::uniform(0, 1e6), distribution::lognormal(1e4, 1), 0.001, 700});
  std::deque<job> jobs;
  for (std::uint64_t i = 0; i < 3000; ++i)
    plan.submit(added(jobs, 1 + i % 9, i), i * 50);
  random_stream pick(9);
  for (int i = 0; i < 300; ++i)
    plan.remove(jobs[pick.next() % jobs.size()], 200'000);
  const auto events = run(plan);
  EXPECT_TRUE(std::ranges::is_sorted(events, {}, &emitted::due));
  std::map<const job*, std::size_t> counts;
  for (const emitted& each : events)
    ++counts[each.what];
  EXPECT_GT(counts.size(), 2000U);
  std::size_t cut_short = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (counts.contains(&jobs[i]) && counts[&jobs[i]] != 1 + i % 9) ++cut_short;
  EXPECT_EQ(cut_short, 0U);
  EXPECT_EQ(plan.running() + plan.waiting(), 0U);
}

TEST(scheduler, absurd_delays_do_not_wrap_around) {
  scheduler plan(constant(86400e9, 86400e9, 1e12));
  std::deque<job> jobs;
  job& a = added(jobs, 100);
  plan.submit(a, 0);
  plan.submit(added(jobs, 100), 0);
  ASSERT_EQ(plan.take(UINT64_MAX - 1), &a);
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t before = a.due;
    ASSERT_TRUE(plan.advance(a));
    EXPECT_GE(a.due, before);
  }
}

}  // namespace
}  // namespace inferbench::simulator
