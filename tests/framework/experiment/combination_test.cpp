#include "experiment/combination.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(combination, has_both_commands_with_its_parameters) {
  sweep::plan plan;
  plan.serve_command = {"vllm", "serve", "--max-num-seqs", "8"};
  plan.bench_command = {"bench"};
  const auto items = experiment_box::items(R"([{"max_num_seqs": 16}, {"x": 1}])");
  const combination made = combination_of(plan, items[0], items[1], "folder");
  EXPECT_THAT(made.serve_command, ElementsAre("vllm", "serve", "--max-num-seqs", "16"));
  EXPECT_THAT(made.bench_command, ElementsAre("bench", "--x", "1"));
  EXPECT_EQ(made.folder, "folder");
}

TEST(combination, has_no_server_command_if_the_server_is_not_ours) {
  sweep::plan plan;
  plan.bench_command = {"bench"};
  const auto items = experiment_box::items(R"([{"max_num_seqs": 16}])");
  EXPECT_THAT(combination_of(plan, items[0], {}, "").serve_command, IsEmpty());
}

}  // namespace
}  // namespace inferbench::experiment
