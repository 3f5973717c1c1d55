#include "batch/prompt_list.hpp"

#include <cstring>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "framework/options/test_environment.hpp"

namespace inferbench::batch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::uint32_t> ids_of(const ifb_batch_item& item) {
  const ifb_bytes data = item.sample->prompt.first->data;
  std::vector<std::uint32_t> out(data.size / sizeof(std::uint32_t));
  std::memcpy(out.data(), data.data, data.size);
  return out;
}

TEST(random_prompts, have_the_lengths_and_ids_below_10000) {
  const random_prompts prompts(3, 500, 128, 0);
  ASSERT_THAT(prompts.items(), SizeIs(3));
  for (const ifb_batch_item& each : prompts.items()) {
    EXPECT_EQ(each.sample->shape, unsigned{IFB_PROMPT_TOKENS});
    EXPECT_EQ(each.sample->input_tokens, 500);
    EXPECT_EQ(each.sample->output_tokens, 128);
    EXPECT_EQ(each.adapter, nullptr);
    EXPECT_THAT(ids_of(each), SizeIs(500));
    EXPECT_THAT(ids_of(each), ::testing::Each(::testing::Lt(10000U)));
  }
}

TEST(random_prompts, differ_from_each_other_and_depend_on_the_seed_alone) {
  const random_prompts first(2, 50, 1, 3), again(2, 50, 1, 3), other(2, 50, 1, 4);
  EXPECT_EQ(ids_of(first.items()[0]), ids_of(again.items()[0]));
  EXPECT_EQ(ids_of(first.items()[1]), ids_of(again.items()[1]));
  EXPECT_NE(ids_of(first.items()[0]), ids_of(first.items()[1]));
  EXPECT_NE(ids_of(first.items()[0]), ids_of(other.items()[0]));
}

/// The lists are read with the plugins of this build.
class prompt_lists : public ::testing::Test {
 protected:
  prompt_list read(std::vector<std::string> args, const std::string& tokenizer = {}) {
    args.insert(args.end(), {"--dataset-name", "random"});
    const auto options = offline::throughput_in(args);
    return {options.data,   tokenizer.empty() ? options.tokenizer : tokenizer,
            options.chat(), installed_,
            env_,           kept.log,
            out_.out};
  }
  static std::vector<std::string> texts_of(const prompt_list& from) {
    std::vector<std::string> out;
    for (const auto& each : from.samples())
      for (std::uint32_t i = 0; i < each->c.prompt.count; ++i)
        out.emplace_back(plugin::view(each->c.prompt.first[i].data));
    return out;
  }

  const std::vector<std::string> small{"--model",
                                       "m",
                                       "--tokenizer-mode",
                                       "bytes",
                                       "--num-prompts",
                                       "4",
                                       "--random-input-len",
                                       "12",
                                       "--random-output-len",
                                       "5"};
  kept_console kept;

 private:
  const std::vector<std::string> installed_{"--plugin-dir", INFERBENCH_PLUGIN_FOLDER};
  const options::environment env_ = options::test_environment();
  output_in_memory out_;
};

TEST_F(prompt_lists, have_all_samples_in_memory) {
  const prompt_list found = read(small);
  ASSERT_THAT(found.samples(), SizeIs(4));
  for (const auto& each : found.samples()) {
    EXPECT_EQ(each->c.input_tokens, 12);
    EXPECT_EQ(each->c.output_tokens, 5);
  }
  EXPECT_THAT(kept.logged, Contains(HasSubstr("prompts of 12 tokens, answers of 5")));
}

TEST_F(prompt_lists, are_the_same_for_the_same_seed_and_others_for_the_warm_up) {
  const auto options = offline::throughput_in([&] {
    std::vector<std::string> args = small;
    args.insert(args.end(), {"--dataset-name", "random", "--num-warmups", "4"});
    return args;
  }());
  EXPECT_EQ(texts_of(read(small)), texts_of(read(small)));
  std::vector<std::string> next = small;
  next.insert(next.end(), {"--seed", std::to_string(offline::warmup_of(options.data).seed)});
  EXPECT_EQ(offline::warmup_of(options.data).seed, options.data.seed + 1);
  EXPECT_NE(texts_of(read(small)), texts_of(read(next)));
}

TEST_F(prompt_lists, need_a_tokenizer_that_exists) {
  EXPECT_THAT(offline::refusal_of([&] { return read({"--num-prompts", "1"}, "/no/such/folder"); }),
              HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace inferbench::batch
