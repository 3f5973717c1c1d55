#include "run/sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"

namespace inferbench::run {
namespace {

using ::testing::ElementsAre;

struct bench {
  bench() {
    samples.prepare();
    samples.start(4);
  }

  client::job next(scheduled& from) {
    client::job out;
    dataset::taken answer = dataset::taken::later;
    while ((answer = from.try_take(out)) == dataset::taken::later) {
    }
    EXPECT_EQ(answer, dataset::taken::sample);
    return out;
  }

  fake::dataset data{fake::numbered(3), IFB_DATASET_SYNTHETIC | IFB_DATASET_ARRIVALS};
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{*instance, {.num_prompts = 0, .request_id_prefix = "q-"}, book.log};
};

TEST(scheduled, requests_are_due_at_their_place_in_the_schedule) {
  bench b;
  const std::vector<std::uint64_t> due{5, 7, 11};
  const prompts::lora_modules adapters({"a", "b"}, true, 0, 3);
  scheduled jobs(b.samples, due, adapters);
  jobs.start_at(100);
  std::vector<std::uint64_t> times;
  std::vector<std::string> models;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const client::job one = b.next(jobs);
    EXPECT_EQ(one.sequence, i);
    times.push_back(one.due_ns);
    models.emplace_back(plugin::view(one.sample->model));
  }
  EXPECT_THAT(times, ElementsAre(105, 107, 111));
  EXPECT_THAT(models, ElementsAre("a", "b", "a"));
  client::job none;
  EXPECT_EQ(jobs.try_take(none), dataset::taken::end);
}

TEST(scheduled, without_a_schedule_they_are_due_when_they_say) {
  bench b;
  const prompts::lora_modules none;
  scheduled jobs(b.samples, {}, none);
  jobs.start_at(100);
  for (const std::uint64_t due : {100U, 1100U, 2100U}) {
    const client::job one = b.next(jobs);
    EXPECT_EQ(one.due_ns, due);
    EXPECT_EQ(one.sample->model.size, 0U);
  }
}

TEST(scheduled, workers_that_share_a_limit_take_no_request_from_each_other) {
  bench b;
  const prompts::lora_modules none;
  EXPECT_FALSE(scheduled(b.samples, {}, none).scarce());
  EXPECT_TRUE(scheduled(b.samples, {}, none, true).scarce());
}

TEST(scheduled, an_output_length_that_the_dataset_leaves_open_stays_open) {
  bench b;
  const prompts::lora_modules none;
  scheduled jobs(b.samples, {}, none);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(b.next(jobs).sample->output_tokens, -1);
}

}  // namespace
}  // namespace inferbench::run
