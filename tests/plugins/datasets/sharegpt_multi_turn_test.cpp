// Tests complete conversations of ShareGPT.
#include <algorithm>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/order.hpp"
#include "plugins/datasets/conversation_rows.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/plugin_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/golden.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using support::messages_of;
using support::said;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct multi_turn_bench {
  explicit multi_turn_bench(const std::string& path, settings given = {}) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    given["path"] = path;
    given["multi-turn"] = 1;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The messages of the row, or "skipped" and the reason.
  std::vector<said> row(std::uint64_t i) {
    if (box.info.rows == 0) {
      EXPECT_EQ(box.prepare(10), IFB_OK) << box.message();
    }
    if (box.read(i) != IFB_OK) return {{"skipped", box.message(), -1}};
    return messages_of(box.sample);
  }
  dataset_box box{"sharegpt"};
};

using turns = std::vector<std::pair<std::string, std::string>>;

std::string record(const turns& all, const std::string& more = "") {
  std::string out = "{" + more + R"("conversations": [)";
  const char* comma = "";
  for (const auto& [from, value] : all) {
    out += std::string(comma) + R"({"from": ")" + from + R"(", "value": ")" + value + "\"}";
    comma = ", ";
  }
  return out + "]}";
}

said skipped(const std::string& why) { return {"skipped", why, -1}; }

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
