// Tests complete conversations of ShareGPT: which messages of a record they have.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>
#include <inferbench/views.hpp>

#include "dataset/order.hpp"
#include "plugins/datasets/conversation_rows.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/plugin_tokenizer.hpp"
#include "plugins/datasets/sharegpt_records.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/golden.hpp"
#include "support/tokenizer_cache.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using support::messages_of;
using support::multi_turn_bench;
using support::record;
using support::said;
using support::skipped;
using support::turns;
using ::testing::ElementsAre;

TEST(sharegpt_multi_turn, a_row_is_a_whole_conversation_with_the_length_of_each_message) {
  const data_file file(
      "[" + record({{"human", "Hi"}, {"gpt", "Hello."}, {"human", "Who?"}, {"gpt", "I."}}) + "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "Hi", 2}, said{"assistant", "Hello.", 6},
                                    said{"user", "Who?", 4}, said{"assistant", "I.", 2}));
  EXPECT_EQ(b.box.info.flags,
            std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_SESSIONS});
  EXPECT_EQ(b.box.sample.output_tokens, -1);
  EXPECT_EQ(b.box.sample.prompt.count, 0U);
  EXPECT_EQ(b.box.read(1), IFB_END);
}

TEST(sharegpt_multi_turn, speakers_are_known_in_any_case_and_by_all_their_names) {
  for (const char* const user : {"human", "user", "Human", "USER"}) {
    for (const char* const model : {"gpt", "chatgpt", "bing", "bard", "assistant", "ChatGPT"}) {
      SCOPED_TRACE(std::string(user) + " " + model);
      const data_file file("[" + record({{"System", "Be brief."}, {user, "a"}, {model, "b"}}) +
                           "]");
      multi_turn_bench b(file.path());
      EXPECT_THAT(b.row(0), ElementsAre(said{"system", "Be brief.", 9}, said{"user", "a", 1},
                                        said{"assistant", "b", 1}));
    }
  }
}

TEST(sharegpt_multi_turn, messages_before_the_first_user_are_dropped_except_a_system_message) {
  const data_file file("[" +
                       record({{"gpt", "x"},
                               {"system", "S"},
                               {"system", "T"},
                               {"tool", "y"},
                               {"human", ""},
                               {"gpt", "z"},
                               {"human", "a"},
                               {"gpt", "b"}}) +
                       "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0),
              ElementsAre(said{"system", "S", 1}, said{"user", "a", 1}, said{"assistant", "b", 1}));
}

TEST(sharegpt_multi_turn, a_message_that_breaks_the_alternation_ends_the_conversation) {
  const turns good = {{"human", "a"}, {"gpt", "b"}};
  const std::vector<turns> breaks = {{{"gpt", "c"}, {"human", "d"}, {"gpt", "e"}},
                                     {{"system", "c"}, {"human", "d"}, {"gpt", "e"}},
                                     {{"narrator", "c"}, {"human", "d"}, {"gpt", "e"}},
                                     {{"human", "c"}, {"human", "d"}, {"gpt", "e"}},
                                     {{"human", ""}, {"gpt", "d"}}};
  for (const turns& more : breaks) {
    turns all = good;
    all.insert(all.end(), more.begin(), more.end());
    const data_file file("[" + record(all) + "]");
    multi_turn_bench b(file.path());
    EXPECT_THAT(b.row(0), ElementsAre(said{"user", "a", 1}, said{"assistant", "b", 1}))
        << more.front().first;
  }
  const data_file file(R"([{"conversations": [{"from": "human", "value": "a"},
      {"from": "gpt", "value": "b"}, {"from": "human", "value": 7}, {"from": "gpt", "value": "c"}]},
      {"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}, 3]},
      {"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"},
                         {"from": null, "value": "c"}, {"value": "d"}]}])");
  multi_turn_bench b(file.path());
  for (std::uint64_t i = 0; i < 3; ++i)
    EXPECT_THAT(b.row(i), ElementsAre(said{"user", "a", 1}, said{"assistant", "b", 1}));
}

TEST(sharegpt_multi_turn, a_last_turn_of_the_user_needs_a_length_for_its_answer) {
  const data_file file("[" + record({{"human", "a"}, {"gpt", "bb"}, {"human", "c"}}) + "]");
  multi_turn_bench without(file.path());
  EXPECT_THAT(without.row(0), ElementsAre(said{"user", "a", 1}, said{"assistant", "bb", 2}));
  multi_turn_bench with(file.path(), {{"output-len", 50}});
  EXPECT_THAT(with.row(0),
              ElementsAre(said{"user", "a", 1}, said{"assistant", "bb", 50}, said{"user", "c", 1}));
  EXPECT_EQ(with.box.sample.output_tokens, 50);
}

TEST(sharegpt_multi_turn, an_empty_answer_asks_for_one_token) {
  const data_file file("[" + record({{"human", "a"}, {"gpt", ""}}) + "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "a", 1}, said{"assistant", "", 1}));
}

TEST(sharegpt_multi_turn, parts_of_a_conversation_are_joined_in_the_order_of_their_numbers) {
  const data_file file(
      "[" + record({{"human", "e"}, {"gpt", "f"}}, R"("id": "abc_10", )") + "," +
      record({{"human", "x"}, {"gpt", "y"}}, R"("id": "other_0", )") + "," +
      record({{"human", "a"}, {"gpt", "b"}}, R"("id": "abc_0", )") + "," +
      // Its first message repeats the last answer of the earlier part.
      record({{"gpt", "b again"}, {"human", "c"}, {"gpt", "d"}}, R"("id": "abc_2", )") + "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "a", 1}, said{"assistant", "b", 1},
                                    said{"user", "c", 1}, said{"assistant", "d", 1},
                                    said{"user", "e", 1}, said{"assistant", "f", 1}));
  EXPECT_EQ(b.box.info.rows, 2);
  EXPECT_THAT(b.row(1), ElementsAre(said{"user", "x", 1}, said{"assistant", "y", 1}));
}

TEST(sharegpt_multi_turn, records_without_the_id_of_a_part_are_whole_conversations) {
  std::string all;
  for (const char* const id :
       {"", R"("id": "a", )", R"("id": "a", )", R"("id": "a_", )", R"("id": "a_b", )",
        R"("id": "_1", )", R"("id": 1, )", R"("id": "a_1", "id": null, )",
        R"("id": "a_99999999999999999999", )"})
    all += (all.empty() ? "[" : ",") + record({{"human", "a"}, {"gpt", "b"}}, id);
  const data_file file(all + "]");
  multi_turn_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  EXPECT_EQ(b.box.info.rows, 9);
  for (std::uint64_t i = 0; i < 9; ++i)
    EXPECT_EQ(b.row(i).size(), 2U);
}

TEST(sharegpt_multi_turn, a_part_of_one_turn_is_kept) {
  const data_file file("[" + record({{"human", "a"}}, R"("id": "abc_0", )") + "," +
                       record({{"gpt", "b"}}, R"("id": "abc_1", )") + "," + record({}) + "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "a", 1}, said{"assistant", "b", 1}));
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre("1 record dropped: without a turn (first: record 3 of " + file.path() + ")"));
}

TEST(sharegpt_multi_turn, media_come_with_the_first_question_of_their_record) {
  const data_file file(
      "[" +
      record({{"human", "a"}, {"gpt", "b"}, {"human", "c"}, {"gpt", "d"}},
             R"("id": "x_0", "image": "https://h/i.png", )") +
      "," + record({{"human", "e"}, {"gpt", "f"}}, R"("id": "x_4", "video": "v.mp4", )") + "," +
      record({{"human", "e"}, {"gpt", "f"}}, R"("image": 4, )") + "]");
  multi_turn_bench b(file.path());
  ASSERT_EQ(b.row(0).size(), 6U);
  std::vector<std::string> uris;
  for (const ifb_message& each : ifb::view(b.box.sample.messages)) {
    const auto parts = ifb::view(each.parts);
    uris.emplace_back(parts.size() < 2 ? "" : ifb::view(parts[1].uri));
  }
  EXPECT_THAT(uris,
              ElementsAre("https://h/i.png", "", "", "", "file://" + file.folder() + "/v.mp4", ""));
  EXPECT_EQ(b.box.sample.media.count, 0U);
  EXPECT_THAT(b.row(1), ElementsAre(skipped("\"image\" is not a path or URL; record 3")));
}

TEST(sharegpt_multi_turn, a_row_that_is_read_again_is_not_encoded_again) {
  for (const std::int64_t whole : {0, 1}) {
    const data_file file("[" + record({{"human", "abcd"}, {"gpt", "efgh"}}) + "," +
                         record({{"human", "ab"}, {"gpt", "cdefg"}}) + "]");
    dataset_box box("sharegpt");
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    std::uint64_t counted = 0;
    box.host.state = &counted;
    ASSERT_EQ(box.create({{"path", file.path()}, {"multi-turn", whole}}), IFB_OK);
    ASSERT_EQ(box.prepare(2), IFB_OK);
    std::vector<std::pair<ifb_status, std::int64_t>> first;
    const auto look = [&](std::uint64_t row) {
      const ifb_status status = box.read(row);
      return std::pair(status, status != IFB_OK ? 0
                               : whole == 0
                                   ? box.sample.input_tokens * 100 + box.sample.output_tokens
                                   : ifb::view(box.sample.messages)[1].tokens);
    };
    for (const std::uint64_t row : {1U, 0U})
      first.push_back(look(row));
    EXPECT_EQ(counted, 4U);
    EXPECT_EQ(look(0), first[1]);
    EXPECT_EQ(look(1), first[0]);
    EXPECT_EQ(counted, 4U);
  }
}

TEST(sharegpt_multi_turn, a_byte_changed_anywhere_crashes_nothing) {
  const std::string text = "[" + record({{"human", "a"}, {"gpt", "b"}}, R"("id": "x_0", )") + "," +
                           record({{"human", "c"}, {"gpt", "d"}}, R"("id": "x_2", )") + "]";
  const data_file file("");
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '"', ']', '1', '\xFF'}) {
      std::string changed = text;
      changed[at] = byte;
      file.write(changed);
      multi_turn_bench b(file.path());
      if (b.box.prepare(1) != IFB_OK) continue;
      for (std::int64_t i = 0; i < b.box.info.rows; ++i) {
        const ifb_status status = b.box.read(static_cast<std::uint64_t>(i));
        ASSERT_TRUE(status == IFB_OK || status == IFB_SKIP) << b.box.message();
      }
    }
  }
}

const std::string fixtures = std::string(INFERBENCH_FIXTURES) + "/datasets/";

// Checks the properties of a row that the host relies on.
void expect_sound(const ifb_sample& row, const support::plugin_tokenizer& tokenizer) {
  const auto all = messages_of(row);
  const std::size_t system = all[0].role == "system" ? 1 : 0;
  EXPECT_GE(all.size() - system, 2U);
  EXPECT_EQ((all.size() - system) % 2, 0U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= system) {
      EXPECT_EQ(all[i].role, (i - system) % 2 == 0 ? "user" : "assistant");
    }
    // An empty answer counts as one token.
    const auto encoded = static_cast<std::int64_t>(tokenizer.count(all[i].text));
    EXPECT_EQ(all[i].tokens,
              all[i].role == "assistant" ? std::max<std::int64_t>(encoded, 1) : encoded);
  }
}

void look_at_turns(const std::string& name) {
  support::plugin_tokenizer tokenizer(
      "hf", {{"path", (inferbench::support::tokenizer_cache() / name).string()}});
  ASSERT_EQ(tokenizer.trouble(), "");
  dataset_box box("sharegpt");
  tokenizer.offer(box.host);
  ASSERT_EQ(box.create({{"path", fixtures + "sharegpt_multi_turn.json"}, {"multi-turn", 1}}),
            IFB_OK);
  for (const std::uint64_t seed : {0U, 42U}) {
    ASSERT_EQ(box.prepare(-1, seed), IFB_OK) << box.message();
    const auto order = inferbench::dataset::order::shuffled(box.info.rows, seed);
    std::string found;
    for (std::uint64_t i = 0; const auto row = order.row(i); ++i) {
      if (box.read(*row) != IFB_OK) {
        found += box.message() + "\n";
        continue;
      }
      expect_sound(box.sample, tokenizer);
      found += support::line_of(box.sample);
    }
    inferbench::support::expect_golden(
        found, fixtures + "sharegpt_multi_turn_" + name + "_seed" + std::to_string(seed) + ".txt");
  }
}

TEST(sharegpt_multi_turn, conversations_of_the_fixture_as_gpt2_counts_them) {
  SUPPORT_NEEDS_TOKENIZER("gpt2");
  look_at_turns("gpt2");
}

TEST(sharegpt_multi_turn, conversations_of_the_fixture_as_llama3_counts_them) {
  SUPPORT_NEEDS_TOKENIZER("llama3");
  look_at_turns("llama3");
}

}  // namespace
