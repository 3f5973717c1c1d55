// The adapters of requests, and the requests of one process of several, as the engine gets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/throughput_run.hpp"
#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"

namespace inferbench::batch {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using heard_batches = std::vector<scripted_executor::asked_batch>;

/// The batches that an engine gets for as many prompts, "p0" to "p7", after one prompt of a warm-up
/// for each two of them.
heard_batches batches_of(std::vector<std::string> args, std::size_t prompts,
                         const offline::request_share& share = {}) {
  args.insert(args.end(), {"--dataset-name", "random"});
  prompt_samples measured, before;
  for (std::size_t i = 0; i < prompts; ++i) {
    measured.text("p" + std::to_string(i), 1, 1);
    if (i % 2 == 0) before.text("w" + std::to_string(i / 2), 1, 1);
  }
  const auto all_good = [](const prompt_samples& of) {
    return outcome_of(one_ms, std::vector<batch_answer>(of.all().size(), answer_with(1, 1)));
  };
  batch_outcome found = all_good(measured);
  std::erase_if(found.answers, [&](const batch_answer& each) {
    return !share.has(static_cast<std::size_t>(each.record.sequence));
  });
  scripted_executor engine({all_good(before), std::move(found)});
  kept_console kept;
  (void)measure_throughput(offline::throughput_in(args), measured.all(), before.all(), share,
                           engine, {}, kept.console());
  return engine.asked;
}

std::vector<std::string> with_adapters(std::vector<std::string> more) {
  more.insert(more.end(), {"--enable-lora", "--lora-path", "/adapters/a"});
  return more;
}

TEST(throughput_adapters, are_none_without_the_option_of_the_engine) {
  EXPECT_THAT(batches_of({}, 3)[1].adapters, Each(""));
  EXPECT_THAT(batches_of({"--lora-path", "/adapters/a"}, 3)[1].adapters, Each(""));
}

TEST(throughput_adapters, go_round_with_number_name_and_path) {
  const heard_batches found =
      batches_of(with_adapters({"--max-loras", "3", "--lora-assignment", "round-robin"}), 5);
  EXPECT_THAT(found[1].adapters,
              ElementsAre("1 1 /adapters/a", "2 2 /adapters/a", "3 3 /adapters/a",
                          "1 1 /adapters/a", "2 2 /adapters/a"));
  EXPECT_THAT(found[0].adapters,
              ElementsAre("1 1 /adapters/a", "2 2 /adapters/a", "3 3 /adapters/a"));
}

TEST(throughput_adapters, are_drawn_by_default_like_pythons_randint) {
  // random.seed(7); [random.randint(1, 4) for _ in range(6)]
  EXPECT_THAT(batches_of(with_adapters({"--max-loras", "4", "--seed", "7"}), 6)[1].adapters,
              ElementsAre("3 3 /adapters/a", "2 2 /adapters/a", "4 4 /adapters/a",
                          "1 1 /adapters/a", "1 1 /adapters/a", "1 1 /adapters/a"));
}

TEST(throughput_adapters, are_the_only_adapter_by_default) {
  EXPECT_THAT(batches_of(with_adapters({}), 4)[1].adapters, Each("1 1 /adapters/a"));
}

TEST(throughput_shares, are_every_request_whose_number_fits_the_rank) {
  EXPECT_THAT(batches_of({}, 7, {3, 1})[1].prompts, ElementsAre("p1", "p4"));
  EXPECT_THAT(batches_of({}, 7, {3, 0})[1].prompts, ElementsAre("p0", "p3", "p6"));
}

TEST(throughput_shares, are_those_of_the_warm_up_too) {
  EXPECT_THAT(batches_of({}, 7, {3, 1})[0].prompts, ElementsAre("w1"));
}

TEST(throughput_shares, keep_the_adapters_that_the_requests_have_in_one_process) {
  const auto round_robin = with_adapters({"--max-loras", "4", "--lora-assignment", "round-robin"});
  EXPECT_THAT(batches_of(round_robin, 6, {2, 1})[1].adapters,
              ElementsAre("2 2 /adapters/a", "4 4 /adapters/a", "2 2 /adapters/a"));
}

TEST(throughput_shares, must_not_be_empty) {
  prompt_samples one;
  one.text("p0", 1, 1);
  scripted_executor engine({});
  kept_console kept;
  EXPECT_EQ(offline::refusal_of([&] {
              return measure_throughput(offline::throughput_in({"--dataset-name", "random"}),
                                        one.all(), {}, {2, 1}, engine, {}, kept.console());
            }),
            "1: no prompt is left for this process; give at least as many --num-prompts as "
            "--data-parallel-size");
  EXPECT_THAT(engine.asked, IsEmpty());
}

}  // namespace
}  // namespace inferbench::batch
