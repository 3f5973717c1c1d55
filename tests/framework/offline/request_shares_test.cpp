#include "offline/request_shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> adapters_of(const throughput_options& options, int count) {
  adapter_choice choice(options);
  std::vector<std::uint32_t> out;
  for (int i = 0; i < count; ++i)
    out.push_back(choice.next());
  return out;
}

request_share share_in(std::int64_t size, const std::string& rank, const std::string& world) {
  return share_of(size, {{{"RANK", rank}, {"WORLD_SIZE", world}}, nullptr});
}

TEST(adapter_choice, requests_have_no_adapter_without_the_flag_and_the_path) {
  EXPECT_THAT(adapters_of(throughput_in({"--lora-path", "p", "--max-loras", "3"}), 2),
              ElementsAre(0, 0));
}

TEST(adapter_choice, round_robin_counts_from_1) {
  EXPECT_THAT(adapters_of(throughput_in({"--lora-path", "p", "--enable-lora", "--max-loras", "3",
                                         "--lora-assignment", "round-robin"}),
                          5),
              ElementsAre(1, 2, 3, 1, 2));
}

TEST(adapter_choice, random_adapters_are_those_of_python_with_the_seed) {
  // random.seed(0); [random.randint(1, 4) for _ in range(8)]
  EXPECT_THAT(
      adapters_of(throughput_in({"--lora-path", "p", "--enable-lora", "--max-loras", "4"}), 8),
      ElementsAre(4, 4, 1, 3, 4, 4, 3, 4));
}

TEST(request_share, one_process_has_all_requests) {
  const request_share share = share_of(1, {});
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_TRUE(share.has(i));
}

TEST(request_share, a_process_has_the_requests_of_its_rank) {
  // 4 processes of 2 GPUs each make 2 ranks.
  const request_share share = share_in(2, "3", "4");
  EXPECT_EQ(share.rank, 1);
  EXPECT_FALSE(share.has(0));
  EXPECT_TRUE(share.has(1));
  EXPECT_FALSE(share.has(100'000));
  EXPECT_EQ(share_in(4, "3", "4").rank, 3);
  EXPECT_EQ(share_in(2, "1", "4").rank, 0);
}

TEST(request_share, variables_that_do_not_fit_are_refused) {
  const auto refused = [](const std::string& rank, const std::string& world) {
    return refusal_of([&] { return share_in(2, rank, world); });
  };
  EXPECT_THAT(refused("x", "4"), HasSubstr("RANK is \"x\" and not a whole number from 0"));
  EXPECT_THAT(refused("-1", "4"), HasSubstr("RANK is \"-1\""));
  EXPECT_THAT(refused("0", "0"), HasSubstr("WORLD_SIZE is \"0\""));
  EXPECT_THAT(refused("0", "1"), HasSubstr("WORLD_SIZE is 1, which is less than 2"));
  EXPECT_THAT(refused("5", "2"), HasSubstr("RANK is 5, but WORLD_SIZE is 2"));
  EXPECT_THAT(refusal_of([] { return share_of(2, {}); }),
              HasSubstr("the environment variable RANK is not set"));
}

}  // namespace
}  // namespace inferbench::offline
