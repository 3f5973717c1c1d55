#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ten_rows() {
  std::string out = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n";
  for (int i = 0; i < 10; ++i)
    out += "1,GPT-4," + std::to_string(i + 1) + "," + std::to_string(i + 101) + ",0,API log\n";
  return out;
}

std::vector<std::int64_t> outputs(dataset_bench& b) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < b.box.info.rows; ++i) {
    EXPECT_EQ(b.box.read(static_cast<std::uint64_t>(i)), IFB_OK) << b.box.message();
    out.push_back(b.box.sample.output_tokens - 101);
  }
  return out;
}

TEST(burstgpt, rows_are_drawn_as_pandas_draws_them) {
  const data_file file(ten_rows());
  dataset_bench b("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(b.box.prepare(4, 0), IFB_OK) << b.box.message();
  EXPECT_THAT(outputs(b), ElementsAre(2, 8, 4, 9));
  dataset_bench more("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(more.box.prepare(12, 0), IFB_OK);
  EXPECT_THAT(outputs(more), ElementsAre(5, 0, 3, 3, 7, 9, 3, 5, 2, 4, 7, 6));
  dataset_bench all("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(all.box.prepare(-1, 0), IFB_OK);
  EXPECT_EQ(all.box.info.rows, 10);
}

TEST(burstgpt, a_prompt_is_a_run_of_ids_from_its_place_in_the_draw) {
  const data_file file(ten_rows());
  support::number_tokenizer few;
  few.size = 4;
  few.special = {0};  // special ids count, too
  dataset_bench b("burstgpt", {{"path", file.path()}}, few);
  ASSERT_EQ(b.box.prepare(4, 0), IFB_OK);
  EXPECT_THAT(b.prompts(),
              ElementsAre("0 1 2", "1 2 3 0 1 2 3 0 1", "2 3 0 1 2", "3 0 1 2 3 0 1 2 3 0"));
  EXPECT_EQ(b.box.sample.input_tokens, 10);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
  EXPECT_EQ(b.box.read(4), IFB_END);
}

TEST(burstgpt, answered_rows_of_gpt_4_count_and_no_others) {
  const data_file file(support::read_fixture("datasets/BurstGPT_1.csv"));
  dataset_bench b("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(b.box.prepare(-1, 3), IFB_OK) << b.box.message();
  std::vector<std::int64_t> requests;
  for (std::int64_t i = 0; i < b.box.info.rows; ++i) {
    ASSERT_EQ(b.box.read(static_cast<std::uint64_t>(i)), IFB_OK);
    requests.push_back(b.box.sample.input_tokens);
  }
  EXPECT_THAT(requests, ::testing::UnorderedElementsAre(558, 1351, 367, 144, 1029, 468, 1291, 571,
                                                        1420, 56, 726));
}

TEST(burstgpt, columns_are_found_by_name_at_any_position) {
  const data_file file(
      "\xEF\xBB\xBFTimestamp,Session ID,Elapsed time,Model,Response tokens,Request tokens\r\n"
      "1,2,3,\"GPT-4\",\"7\",5.0\r\n\r\n"
      "1,\"a \"\"quoted\"\", split\nname\",3,GPT-4,8,6");
  dataset_bench b("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(b.box.prepare(2, 0), IFB_OK) << b.box.message();
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (std::uint64_t i = 0; i < 2; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    found.emplace_back(b.box.sample.input_tokens, b.box.sample.output_tokens);
  }
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(std::pair(5, 7), std::pair(6, 8)));
}

TEST(burstgpt, rows_without_numbers_are_dropped_and_reported_with_the_first_line) {
  const data_file file(
      "Model,Request tokens,Response tokens\n"
      "GPT-4,5,7\nGPT-4,five,7\nGPT-4,5\nGPT-4,5,1e99\nGPT-4,2.5,7\nGPT-4,-1,7\nGPT-4,,7\n");
  dataset_bench b("burstgpt", {{"path", file.path()}});
  ASSERT_EQ(b.box.prepare(-1, 0), IFB_OK);
  EXPECT_EQ(b.box.info.rows, 1);
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre("6 rows dropped: no number of tokens (first: line 3 of " + file.path() + ")"));
}

TEST(burstgpt, a_file_without_usable_rows_is_refused_with_the_reasons) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "the file is empty"},
      {"\n\n", "the file is empty"},
      {"Model,Request tokens\nGPT-4,3\n",
       "no column \"Response tokens\", only Model, Request tokens"},
      {"Model,Request tokens,Response tokens\n", "no row is left: 0 of other models"},
      {"Model,Request tokens,Response tokens\nChatGPT,1,1\nGPT-4,1,0\nGPT-4,x,1\n",
       "1 of other models than GPT-4, 1 without an answer, 1 without a number"},
      {"Model,Request tokens,Response tokens\n\"GPT-4,1,1\n", "1 of other models"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    const data_file file(text);
    dataset_bench b("burstgpt", {{"path", file.path()}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  }
  dataset_bench nowhere("burstgpt", {{"path", "/nowhere/at-all"}});
  EXPECT_EQ(nowhere.box.prepare(1), IFB_E_IO);
}

}  // namespace
