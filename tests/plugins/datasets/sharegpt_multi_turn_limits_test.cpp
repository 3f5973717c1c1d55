// Tests the limits of complete conversations of ShareGPT: their turns, the length of their prompts,
// and their length in all.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "plugins/datasets/conversation_rows.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/sharegpt_records.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using support::multi_turn_bench;
using support::record;
using support::said;
using support::settings;
using support::skipped;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(sharegpt_multi_turn, turns_are_limited_as_messages_and_answered_to_the_last) {
  const data_file file(
      "[" + record({{"human", "a"}, {"gpt", "b"}, {"human", "c"}, {"gpt", "d"}, {"human", "e"}}) +
      "]");
  const auto kept = [&](std::int64_t most) {
    multi_turn_bench b(file.path(), {{"max-turns", most}});
    return b.row(0).size();
  };
  EXPECT_EQ(kept(1), 2U);
  EXPECT_EQ(kept(2), 2U);
  EXPECT_EQ(kept(3), 4U);
  EXPECT_EQ(kept(9), 4U);
  multi_turn_bench few(file.path(), {{"min-turns", 4}});
  EXPECT_EQ(few.row(0).size(), 4U);
  multi_turn_bench none(file.path(), {{"min-turns", 5}});
  EXPECT_THAT(none.row(0), ElementsAre(skipped("fewer than 5 turns in a row; record 1")));
  multi_turn_bench five(file.path(), {{"min-turns", 5}, {"output-len", 3}});
  EXPECT_EQ(five.row(0).size(), 5U);
}

TEST(sharegpt_multi_turn, a_conversation_without_an_answer_is_skipped) {
  const data_file file("[" + record({{"gpt", "b"}, {"human", "a"}}) + "," +
                       record({{"gpt", "b"}, {"gpt", "a"}}) + "]");
  multi_turn_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(skipped("no turn of a user with an answer; record 1")));
  EXPECT_THAT(b.row(1), ElementsAre(skipped("no turn of a user with an answer; record 2")));
  multi_turn_bench with(file.path(), {{"output-len", 3}});
  EXPECT_THAT(with.row(0), ElementsAre(skipped("fewer than 2 turns in a row; record 1")));
  multi_turn_bench single(file.path(), {{"output-len", 3}, {"min-turns", 1}});
  EXPECT_THAT(single.row(0), ElementsAre(said{"user", "a", 1}));
}

TEST(sharegpt_multi_turn, prompts_beyond_upstreams_limit_end_it_and_short_ones_do_not) {
  const auto row = [](std::size_t first, std::size_t second) {
    return "[" +
           record({{"human", std::string(first, 'p')},
                   {"gpt", std::string(2000, 'a')},
                   {"human", std::string(second, 'q')},
                   {"gpt", "b"}}) +
           "]";
  };
  const data_file file(row(1024, 1024));
  const auto reread = [&] {
    multi_turn_bench b(file.path());
    return b.row(0);
  };
  EXPECT_EQ(reread().size(), 4U);
  file.write(row(1, 1025));
  EXPECT_EQ(reread().size(), 2U);
  file.write(row(1025, 1));
  EXPECT_THAT(reread(), ElementsAre(skipped("prompt longer than 1024 tokens; record 1")));
  file.write(row(1, 1025));
  multi_turn_bench few(file.path(), {{"min-turns", 3}});
  EXPECT_THAT(few.row(0), ElementsAre(skipped("fewer than 3 turns in a row; record 1")));
}

TEST(sharegpt_multi_turn, conversations_that_are_longer_than_asked_for_are_skipped) {
  const auto of = [](std::size_t answer) {
    return "[" + record({{"system", "S"}, {"human", "abc"}, {"gpt", std::string(answer, 'a')}}) +
           "]";
  };
  const data_file file(of(8188));
  const auto reread = [&](settings given) {
    multi_turn_bench b(file.path(), std::move(given));
    return b.row(0);
  };
  EXPECT_EQ(reread({}).size(), 3U);
  file.write(of(8189));
  EXPECT_THAT(reread({}), ElementsAre(skipped("conversation longer than 8192 tokens; record 1")));
  EXPECT_EQ(reread({{"max-conversation-len", 0}}).size(), 3U);
  EXPECT_EQ(reread({{"max-conversation-len", 8193}}).size(), 3U);
  // The requested length of the answers counts, not their length in the file.
  EXPECT_EQ(reread({{"output-len", 16}, {"max-conversation-len", 20}}).size(), 3U);
  EXPECT_THAT(reread({{"output-len", 17}, {"max-conversation-len", 20}}),
              ElementsAre(skipped("conversation longer than 20 tokens; record 1")));
}

TEST(sharegpt_multi_turn, options_that_do_not_fit_together_are_refused_with_their_name) {
  const data_file file("[]");
  for (const char* const name : {"max-turns", "min-turns", "max-conversation-len"}) {
    dataset_box box("sharegpt");
    ASSERT_EQ(box.create({{"path", file.path()}, {name, 4}}), IFB_OK);
    EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(box.option_at_fault(), name);
    EXPECT_THAT(box.message(), HasSubstr("add --sharegpt-multi-turn"));
  }
  multi_turn_bench b(file.path(), {{"max-turns", 3}, {"min-turns", 5}});
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "min-turns");
  EXPECT_THAT(b.box.message(), HasSubstr("5 turns are more than the 4"));
}

}  // namespace
