#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins_datasets/bench.hpp"
#include "plugins_datasets/data_file.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Of a hundred tokens: 100, 101, ..., 199.
std::string hundred() {
  std::string out;
  for (int i = 100; i < 200; ++i)
    out += (out.empty() ? "" : " ") + std::to_string(i);
  return out;
}

TEST(slices, begin_where_python_lets_them_begin) {
  const data_file file(hundred());
  dataset_bench b("txt-slices", {{"path", file.path()}, {"input-len", "4"}, {"output-len", "10"}});
  ASSERT_EQ(b.box.prepare(5, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 5);
  EXPECT_THAT(b.prompts(), ElementsAre("149 150 151 152", "197 198 199 100", "153 154 155 156",
                                       "105 106 107 108", "133 134 135 136"));
  EXPECT_EQ(b.box.sample.input_tokens, 4);
  EXPECT_EQ(b.box.sample.output_tokens, 10);
  EXPECT_EQ(b.box.read(5), IFB_END);
}

TEST(slices, have_the_lengths_that_random_prompts_have) {
  const data_file file(hundred());
  support::number_tokenizer adds;
  adds.added = 2;
  dataset_bench b(
      "txt-slices",
      {{"path", file.path()}, {"input-len", "52"}, {"output-len", "20"}, {"range-ratio", "0.3"}},
      adds);
  ASSERT_EQ(b.box.prepare(4, 0), IFB_OK);
  const std::int64_t inputs[] = {61, 54, 50, 43};
  const std::int64_t outputs[] = {18, 14, 14, 14};
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.input_tokens, inputs[i] + 2);  // counted with what the model adds
    EXPECT_EQ(b.box.sample.output_tokens, outputs[i]);
  }
}

TEST(slices, may_be_longer_than_the_text) {
  const data_file file("7 8 9");
  dataset_bench b("txt-slices", {{"path", file.path()}, {"input-len", "7"}});
  ASSERT_EQ(b.box.prepare(1, 1), IFB_OK);
  EXPECT_THAT(b.prompts().front(), HasSubstr("7 8 9 7 8"));
}

TEST(slices, of_no_text_are_refused) {
  const data_file file("");
  const auto refused = [&](const char* said, const support::settings& given, std::int64_t wanted) {
    SCOPED_TRACE(said);
    dataset_bench b("txt-slices", given);
    EXPECT_LT(b.box.prepare(wanted), 0);
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  };
  refused("the file is empty", {{"path", file.path()}}, 1);
  refused("cannot read", {{"path", "/nowhere/at-all"}}, 1);
  file.write("1 2\xFF");
  refused("rows.json:1:4: not UTF-8", {{"path", file.path()}}, 1);
  refused("--num-prompts", {{"path", file.path()}}, 0);
  refused("a prompt may come out empty", {{"path", file.path()}, {"input-len", "0"}}, 1);
}

}  // namespace
