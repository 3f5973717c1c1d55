#include "run/sources.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/dataset/fake_dataset.hpp"

namespace inferbench::run {
namespace {

using ::testing::ElementsAre;

const schedule::timetable own_times;

struct bench {
  bench() {
    samples.prepare();
    samples.start(4);
  }

  /// The feed's thread may be behind: `later` is asked again.
  static dataset::taken take(scheduled_samples& from, client::job& out) {
    dataset::taken answer = dataset::taken::later;
    while ((answer = from.try_take(out)) == dataset::taken::later) {
    }
    return answer;
  }

  static client::job next(scheduled_samples& from) {
    client::job out;
    EXPECT_EQ(take(from, out), dataset::taken::sample);
    return out;
  }

  fake::dataset data{fake::numbered(3), IFB_DATASET_SYNTHETIC | IFB_DATASET_ARRIVALS};
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{*instance, {.num_prompts = 0, .request_id_prefix = "q-"}, book.log};
};

TEST(scheduled_samples, requests_are_due_at_their_place_in_the_schedule) {
  bench b;
  const schedule::timetable due({5, 7, 11});
  const prompts::lora_modules adapters({"a", "b"}, true, 0);
  scheduled_samples jobs(b.samples, due, adapters);
  jobs.start_at(100);
  std::vector<std::uint64_t> times;
  std::vector<std::string> models;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const client::job one = bench::next(jobs);
    EXPECT_EQ(one.sequence, i);
    times.push_back(one.due_ns);
    models.emplace_back(plugin::view(one.sample->model));
  }
  EXPECT_THAT(times, ElementsAre(105, 107, 111));
  EXPECT_THAT(models, ElementsAre("a", "b", "a"));
  client::job none;
  EXPECT_EQ(bench::take(jobs, none), dataset::taken::end);
}

TEST(scheduled_samples, without_a_schedule_they_are_due_when_they_say) {
  bench b;
  const prompts::lora_modules none;
  scheduled_samples jobs(b.samples, own_times, none);
  jobs.start_at(100);
  for (const std::uint64_t due : {100U, 1100U, 2100U}) {
    const client::job one = bench::next(jobs);
    EXPECT_EQ(one.due_ns, due);
    EXPECT_EQ(one.sample->model.size, 0U);
  }
}

TEST(scheduled_samples, workers_that_share_a_limit_take_no_request_from_each_other) {
  bench b;
  const prompts::lora_modules none;
  EXPECT_FALSE(scheduled_samples(b.samples, own_times, none).scarce());
  EXPECT_TRUE(scheduled_samples(b.samples, own_times, none, true).scarce());
}

TEST(scheduled_samples, an_output_length_that_the_dataset_leaves_open_stays_open) {
  bench b;
  const prompts::lora_modules none;
  scheduled_samples jobs(b.samples, own_times, none);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(bench::next(jobs).sample->output_tokens, -1);
}

TEST(scheduled_samples, without_a_time_to_end_they_never_end) {
  bench b;
  const prompts::lora_modules none;
  scheduled_samples jobs(b.samples, own_times, none);
  jobs.start_at(100);
  EXPECT_EQ(jobs.ends_ns(), std::numeric_limits<std::uint64_t>::max());
  jobs.start_at(100, 50);
  EXPECT_EQ(jobs.ends_ns(), 150U);
}

TEST(scheduled_samples, a_request_that_is_due_at_the_end_or_later_is_not_sent) {
  const prompts::lora_modules none;
  for (const schedule::timetable& due : {schedule::timetable({0, 1000, 2000}), own_times}) {
    bench b;
    scheduled_samples jobs(b.samples, due, none);
    jobs.start_at(100, 2000);
    EXPECT_EQ(bench::next(jobs).due_ns, 100U);
    EXPECT_EQ(bench::next(jobs).due_ns, 1100U);
    client::job late;
    EXPECT_EQ(bench::take(jobs, late), dataset::taken::end);
    EXPECT_EQ(late.owned, nullptr);
  }
}

TEST(scheduled_samples, requests_that_were_due_count_whether_they_were_taken_or_not) {
  const prompts::lora_modules none;
  for (const schedule::timetable& due : {schedule::timetable({0, 1000, 2000}), own_times}) {
    bench b;
    scheduled_samples jobs(b.samples, due, none);
    jobs.start_at(100, 2000);
    EXPECT_EQ(bench::next(jobs).due_ns, 100U);
    EXPECT_EQ(jobs.due_before(1500), 2U);
  }
}

/// A feed without an end.
struct endless_feed {
  endless_feed() {
    data.counted = false;
    data.endless = true;
    samples.prepare();
    samples.start(4);
  }

  fake::dataset data{fake::numbered(3), IFB_DATASET_ENDLESS};
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{
      *instance, {.num_prompts = std::nullopt, .request_id_prefix = "q-", .timed = true}, book.log};
};

TEST(scheduled_samples, times_without_an_end_end_with_the_time_of_the_run) {
  endless_feed b;
  const schedule::timetable due =
      schedule::timetable::without_end({schedule::constant{10}, INFINITY, 0});
  const prompts::lora_modules none;
  scheduled_samples jobs(b.samples, due, none);
  jobs.start_at(1000, base::ns_per_s);
  std::vector<std::uint64_t> times;
  client::job one;
  for (dataset::taken answer; (answer = jobs.try_take(one)) != dataset::taken::end;)
    if (answer == dataset::taken::sample) {
      EXPECT_EQ(one.sequence, times.size());
      times.push_back(one.due_ns);
    }
  ASSERT_EQ(times.size(), 9U) << "the tenth is due when the run is over";
  EXPECT_EQ(times.front(), 1000 + base::ns_per_s / 10);
  EXPECT_EQ(times.back(), 1000 + 9 * base::ns_per_s / 10);
  EXPECT_EQ(jobs.due_before(base::ns_per_s), 9U);
  b.samples.stop();
}

}  // namespace
}  // namespace inferbench::run
