// Prompts of ShareGPT that are chosen by their length, as upstream's script for prefix caches does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string pair_of(const std::string& prompt, const std::string& answer) {
  return R"({"conversations": [{"from": "human", "value": ")" + prompt +
         R"("}, {"from": "gpt", "value": ")" + answer + "\"}]}";
}

/// The model adds the token 0 in front of each text.
support::number_tokenizer with_beginning() {
  support::number_tokenizer out;
  out.added = 1;
  return out;
}

struct range_bench : dataset_bench {
  range_bench(const data_file& file, settings given)
      : dataset_bench("sharegpt", with_path(std::move(given), file), with_beginning()) {}

  /// The prompt of the row, or the reason why it is skipped.
  std::string row(std::uint64_t i) {
    const ifb_status status = box.read(i);
    EXPECT_TRUE(status == IFB_OK || status == IFB_SKIP) << box.message();
    return status == IFB_OK ? box.prompt() : box.message();
  }

 private:
  static settings with_path(settings given, const data_file& file) {
    given["path"] = file.path();
    return given;
  }
};

TEST(sharegpt_range, has_both_limits_and_replaces_the_others) {
  const data_file file("[" + pair_of("7", "1") + "," + pair_of("7 8", "1") + "," +
                       pair_of("7 8 9", "1 2") + "," + pair_of("7 8 9 10", "1") + "]");
  range_bench b(file, {{"input-length-range", "3:4"}, {"output-len", 5}});
  ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.row(0), "prompt shorter than the range; record 1");
  // The text is decoded from the tokens, of which one is the model's.
  EXPECT_EQ(b.row(1), "0 7 8");
  EXPECT_EQ(b.box.sample.input_tokens, 3);
  EXPECT_EQ(b.box.sample.output_tokens, 5);
  EXPECT_EQ(b.row(2), "0 7 8 9");
  EXPECT_EQ(b.row(3), "prompt longer than the range; record 4");
}

TEST(sharegpt_range, leaves_the_length_of_the_answer_alone) {
  const data_file file("[" + pair_of("7 8", "1") + "," + pair_of("7 8", "") + "]");
  range_bench b(file, {{"input-length-range", "0:9"}});
  ASSERT_EQ(b.box.prepare(0), IFB_OK);
  EXPECT_EQ(b.row(0), "0 7 8");
  EXPECT_EQ(b.box.sample.output_tokens, 1);
  EXPECT_EQ(b.row(1), "0 7 8");
  EXPECT_EQ(b.box.sample.output_tokens, 1);  // an answer has at least one token
}

TEST(sharegpt_range, of_another_form_is_refused) {
  const data_file file("[" + pair_of("7", "1") + "]");
  const auto refused = [&](const settings& given) {
    range_bench b(file, given);
    EXPECT_EQ(b.box.prepare(0), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "input-length-range");
    return b.box.message();
  };
  for (const char* text : {"", "5", "a:b", "1:", ":1", "1:2:3", "-1:2", " 1:2"})
    EXPECT_THAT(refused({{"input-length-range", text}}), HasSubstr("is not a range of lengths"))
        << text;
  EXPECT_THAT(refused({{"input-length-range", "3:2"}}), HasSubstr("a minimum above its maximum"));
  EXPECT_THAT(refused({{"input-length-range", "1:2"}, {"multi-turn", 1}}),
              HasSubstr("leave out --sharegpt-multi-turn"));
}

}  // namespace
