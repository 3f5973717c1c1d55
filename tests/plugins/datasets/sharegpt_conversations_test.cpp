// Tests conversations of ShareGPT with the host's --multi-turn.
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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
using support::messages_of;
using support::record;
using support::said;
using support::settings;
using support::skipped;
using support::turns;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// With the host's --multi-turn instead of --sharegpt-multi-turn.
struct conversations_bench {
  explicit conversations_bench(const std::string& path, settings given = {}) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    given["path"] = path;
    given["conversations"] = 1;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The messages of the row, or "skipped" and the reason.
  std::vector<said> row(std::uint64_t i) {
    EXPECT_EQ(box.prepare(10), IFB_OK) << box.message();
    if (box.read(i) != IFB_OK) return {{"skipped", box.message(), -1}};
    return messages_of(box.sample);
  }
  dataset_box box{"sharegpt"};
};

turns alternating(std::size_t count) {
  turns out;
  for (std::size_t i = 0; i < count; ++i)
    out.emplace_back(i % 2 == 0 ? "human" : "gpt", std::string(i + 1, 'a'));
  return out;
}

TEST(sharegpt_conversations, have_at_least_two_turns_with_answers) {
  const data_file file("[" + record(alternating(2)) + "," + record(alternating(3)) + "," +
                       record(alternating(4)) + "," + record(alternating(5)) + "]");
  conversations_bench b(file.path());
  EXPECT_THAT(b.row(0), ElementsAre(skipped("fewer than 2 turns with answers; record 1")));
  EXPECT_THAT(b.row(1), ElementsAre(skipped("fewer than 2 turns with answers; record 2")));
  EXPECT_THAT(b.row(2), ElementsAre(said{"user", "a", 1}, said{"assistant", "aa", 2},
                                    said{"user", "aaa", 3}, said{"assistant", "aaaa", 4}));
  EXPECT_EQ(b.box.info.flags,
            std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_SESSIONS});
  EXPECT_EQ(b.row(3).size(), 4U);
  conversations_bench two(file.path(), {{"min-turns", 2}});
  EXPECT_EQ(two.row(0).size(), 2U);
  conversations_bench five(file.path(), {{"min-turns", 5}});
  EXPECT_THAT(five.row(2), ElementsAre(skipped("fewer than 5 turns in a row; record 3")));
}

TEST(sharegpt_conversations, keep_long_messages_and_any_length_in_all) {
  const data_file file("[" +
                       record({{"human", std::string(1025, 'p')},
                               {"gpt", std::string(9000, 'a')},
                               {"human", std::string(5000, 'q')},
                               {"gpt", "b"}}) +
                       "]");
  conversations_bench b(file.path());
  const auto all = b.row(0);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].tokens, 1025);
  EXPECT_EQ(all[1].tokens, 9000);
  EXPECT_EQ(all[2].tokens, 5000);
  conversations_bench limited(file.path(), {{"max-conversation-len", 15025}});
  EXPECT_THAT(limited.row(0),
              ElementsAre(skipped("conversation longer than 15025 tokens; record 1")));
  // --sharegpt-multi-turn adds nothing and takes nothing away.
  conversations_bench both(file.path(), {{"multi-turn", 1}});
  EXPECT_EQ(both.row(0), all);
}

TEST(sharegpt_conversations, have_at_most_as_many_turns_as_asked_for) {
  const data_file file("[" + record(alternating(12)) + "]");
  const auto kept = [&](settings given) {
    conversations_bench b(file.path(), std::move(given));
    return b.row(0).size();
  };
  EXPECT_EQ(kept({}), 12U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 0}}), 12U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 2}}), 4U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 5}}), 10U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 9}}), 12U);
  // The other option counts messages; the lower limit holds.
  EXPECT_EQ(kept({{"multi-turn-max-turns", 5}, {"max-turns", 7}}), 8U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 3}, {"max-turns", 9}}), 6U);
  EXPECT_EQ(kept({{"multi-turn-max-turns", 1}, {"min-turns", 2}}), 2U);
}

TEST(sharegpt_conversations, ask_for_answers_of_the_given_length) {
  const data_file file("[" + record(alternating(4)) + "]");
  conversations_bench b(file.path(), {{"output-len", 50}});
  const auto all = b.row(0);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].tokens, 50);
  EXPECT_EQ(all[3].tokens, 50);
}

TEST(sharegpt_conversations, refuse_options_that_do_not_fit_together) {
  const data_file file("[]");
  dataset_box pairs("sharegpt");
  ASSERT_EQ(pairs.create({{"path", file.path()}, {"multi-turn-max-turns", 4}}), IFB_OK);
  EXPECT_EQ(pairs.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(pairs.option_at_fault(), "multi-turn-max-turns");
  EXPECT_EQ(pairs.message(), "is about conversations; add --multi-turn");

  const std::tuple<settings, const char*, const char*> cases[] = {
      {{{"multi-turn-max-turns", 1}},
       "multi-turn-max-turns",
       "leaves 2 messages, and a conversation has at least 4"},
      {{{"max-turns", 1}}, "max-turns", "leaves 2 messages, and a conversation has at least 4"},
      {{{"multi-turn-max-turns", 2}, {"min-turns", 5}},
       "min-turns",
       "5 turns are more than the 4 that --multi-turn-max-turns leaves"},
      {{{"max-turns", 3}, {"min-turns", 5}},
       "min-turns",
       "5 turns are more than the 4 that --sharegpt-max-turns leaves"},
      {{{"input-length-range", "1:2"}}, "input-length-range", "leave out --multi-turn"}};
  for (const auto& [given, option, text] : cases) {
    SCOPED_TRACE(text);
    conversations_bench b(file.path(), given);
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), option);
    EXPECT_THAT(b.box.message(), HasSubstr(text));
  }
}

}  // namespace
