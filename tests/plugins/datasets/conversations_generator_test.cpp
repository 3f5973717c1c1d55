// Tests conversations that are generated from texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/conversation_rows.hpp"
#include "plugins/datasets/plugin_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::dataset_box;
using support::messages_of;
using support::said;
using support::settings;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string task =
    "\nRetell the text that follows in your own words, and go on with it from where it ends: ";

std::string lead_in(std::size_t i) {
  return std::to_string(i) + " is the number of this conversation.\n";
}

/// "000;001;002;...": each number has 4 bytes, which are 4 tokens.
std::string numbers(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, 3 - number.size(), '0');
    out += number + ";";
  }
  return out;
}

std::string constant(std::int64_t value) {
  return R"({"distribution": "constant", "value": )" + std::to_string(value) + "}";
}

struct config {
  std::string count = "3";
  std::string texts = R"(["text.txt"])";
  std::string turns = constant(4);
  std::string common = constant(0);
  std::string prefix = constant(0);
  std::string user = constant(0);
  std::string answer = constant(5);
  std::string more;

  [[nodiscard]] std::string text() const {
    return R"({"filetype": "generate_conversations", "num_conversations": )" + count +
           R"(, "text_files": )" + texts + R"(, "prompt_input": {"num_turns": )" + turns +
           R"(, "common_prefix_num_tokens": )" + common + R"(, "prefix_num_tokens": )" + prefix +
           R"(, "num_tokens": )" + user + R"(}, "prompt_output": {"num_tokens": )" + answer + "}" +
           more + "}";
  }
};

struct generator_bench {
  explicit generator_bench(const config& from, const std::string& text = numbers(500),
                           settings given = {}) {
    (void)folder.write("text.txt", text);
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    given["path"] = folder.write("config.json", from.text());
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  std::vector<said> row(std::uint64_t i) {
    EXPECT_EQ(box.read(i), IFB_OK) << box.message();
    return messages_of(box.sample);
  }
  /// The error message of prepare(), with FILE instead of the path of the config.
  std::string refusal(std::uint64_t seed = 0) {
    EXPECT_LT(box.prepare(1, seed), 0);
    EXPECT_EQ(box.option_at_fault(), "path");
    std::string out = box.message();
    const std::string path = folder.path("config.json");
    if (const auto at = out.find(path); at != std::string::npos)
      out.replace(at, path.size(), "FILE");
    return out;
  }
  temporary_folder folder;
  dataset_box box{"conversations"};
};

TEST(conversation_generator, a_conversation_alternates_and_begins_with_its_number) {
  generator_bench b(config{});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 3);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SESSIONS});
  for (std::size_t i = 0; i < 3; ++i) {
    // The requested prompts are too short for source text; the answers are the start of the source
    // text.
    const std::string prompt = lead_in(i) + task;
    const auto tokens = static_cast<std::int64_t>(prompt.size());
    EXPECT_THAT(b.row(i), ElementsAre(said{"user", prompt, tokens}, said{"assistant", "000;0", 5},
                                      said{"user", prompt, tokens}, said{"assistant", "000;0", 5}));
    EXPECT_EQ(ifb::view(b.box.sample.metadata[0].value), "CONV_ID_" + std::to_string(i));
  }
}

TEST(conversation_generator, prompts_are_filled_up_with_slices_of_their_own) {
  const auto fixed = static_cast<std::int64_t>((lead_in(0) + task).size());
  config c;
  c.user = constant(fixed + 8);
  generator_bench b(c);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  const std::string text = numbers(500);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto all = b.row(i);
    for (const std::size_t turn : {0U, 2U}) {
      // The position in the text advances with each turn of the earlier conversations.
      const std::size_t from = i * 4 + turn * static_cast<std::size_t>(fixed + 8);
      EXPECT_EQ(all[turn].text, lead_in(i) + task + text.substr(from, 8));
      EXPECT_EQ(all[turn].tokens, fixed + 8);
    }
  }
}

TEST(conversation_generator, prefixes_stand_in_the_first_prompt_and_are_not_counted_against_it) {
  const auto fixed = static_cast<std::int64_t>((lead_in(0) + task).size());
  const std::string text = numbers(500);
  config c;
  c.user = constant(fixed + 8);
  c.prefix = constant(12);
  generator_bench own(c);
  ASSERT_EQ(own.box.prepare(1), IFB_OK) << own.box.message();
  EXPECT_EQ(own.row(1)[0].text,
            lead_in(1) + "1, " + text.substr(16, 12) + task + text.substr(28, 8));
  EXPECT_THAT(own.row(1)[2].text, StartsWith(lead_in(1) + task));
  c.prefix = constant(0);
  c.common = constant(10);
  generator_bench common(c);
  ASSERT_EQ(common.box.prepare(1), IFB_OK) << common.box.message();
  // The common prefix has ten tokens: one is the full stop, and one is reserved because tokens may
  // merge.
  EXPECT_EQ(common.row(0)[0].text, text.substr(0, 8) + "." + lead_in(0) + task);
  EXPECT_EQ(common.row(0)[2].text,
            lead_in(0) + task + text.substr(10 + 2 * static_cast<std::size_t>(fixed + 8), 8));
}

TEST(conversation_generator, turns_are_rounded_up_to_pairs_and_limited_as_asked) {
  config c;
  c.turns = constant(5);
  generator_bench b(c);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.row(0).size(), 6U);
  c.turns = constant(0);
  generator_bench least(c);
  ASSERT_EQ(least.box.prepare(1), IFB_OK) << least.box.message();
  EXPECT_EQ(least.row(0).size(), 2U);
  c.turns = constant(8);
  generator_bench limited(c, numbers(500), {{"max-turns", 3}});
  ASSERT_EQ(limited.box.prepare(1), IFB_OK) << limited.box.message();
  EXPECT_EQ(limited.row(0).size(), 4U);
}

TEST(conversation_generator, texts_are_files_beside_the_config_and_are_joined) {
  config c;
  c.texts = R"(["text.txt", "more/second.txt"])";
  c.answer = constant(12);
  generator_bench b(c, "first\r\n");
  (void)b.folder.write("more/second.txt", "second text");
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.row(0)[1].text, "first\nsecond");
}

TEST(conversation_generator, a_row_is_the_same_whenever_it_is_asked_for) {
  config c;
  c.count = "40";
  c.turns = R"({"distribution": "uniform", "min": 2, "max": 9})";
  c.user = R"({"distribution": "lognormal", "average": 150})";
  c.answer = R"({"distribution": "poisson", "alpha": 30})";
  generator_bench straight(c, numbers(1000));
  ASSERT_EQ(straight.box.prepare(1, 7), IFB_OK) << straight.box.message();
  std::vector<std::vector<said>> expected;
  for (std::uint64_t i = 0; i < 40; ++i)
    expected.push_back(straight.row(i));
  generator_bench jumping(c, numbers(1000));
  ASSERT_EQ(jumping.box.prepare(1, 7), IFB_OK);
  for (const std::uint64_t row : {39U, 0U, 7U, 8U, 9U, 0U, 39U})
    EXPECT_EQ(jumping.row(row), expected[row]);
  generator_bench other(c, numbers(1000));
  ASSERT_EQ(other.box.prepare(1, 8), IFB_OK);
  EXPECT_NE(other.row(0), expected[0]);
}

TEST(conversation_generator, statistics_are_printed_on_request) {
  config c;
  c.more = R"(, "print_stats": true)";
  generator_bench b(c);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  const auto prompt = static_cast<std::int64_t>((lead_in(0) + task).size());
  const auto begins = [](const char* what, std::size_t count, std::int64_t mean) {
    return StartsWith(std::string(what) + ": count " + std::to_string(count) + ", mean " +
                      std::to_string(mean) + ".00, std");
  };
  EXPECT_THAT(b.box.host.log(),
              ElementsAre(begins("turns of a conversation", 3, 4),
                          begins("prompt tokens of a conversation", 3, 2 * prompt),
                          begins("answer tokens of a conversation", 3, 10),
                          // The input is one prompt, or two prompts with the answer between them.
                          HasSubstr("input tokens of a request: count 6, mean "),
                          begins("output tokens of a request", 6, 5)));
  generator_bench quiet(config{});
  ASSERT_EQ(quiet.box.prepare(1), IFB_OK);
  EXPECT_EQ(quiet.box.host.log().size(), 1U);
}

TEST(conversation_generator, texts_that_are_too_short_are_refused_before_the_first_request) {
  const auto fixed = static_cast<std::int64_t>((lead_in(0) + task).size());
  const auto said_of = [&](const config& c, std::size_t text) {
    generator_bench b(c, std::string(text, 'x'));
    return b.refusal();
  };
  const auto fits = [&](const config& c, std::size_t text) {
    generator_bench b(c, std::string(text, 'x'));
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    for (std::uint64_t i = 0; i < 3; ++i)
      EXPECT_EQ(b.row(i).size(), 4U);
  };
  config answers;
  EXPECT_EQ(said_of(answers, 4),
            "FILE: text_files: the texts have 4 tokens, and CONV_ID_0 needs 5; add texts, or ask "
            "for fewer conversations or shorter prompts");
  config common;
  common.common = constant(10);
  EXPECT_THAT(said_of(common, 9), HasSubstr("the common prefix needs 10;"));
  config prefix;
  prefix.prefix = constant(10);
  // The first two conversations need 10 and 4 tokens each, and the last prefix needs 10.
  EXPECT_THAT(said_of(prefix, 37), HasSubstr("CONV_ID_2 needs 38;"));
  fits(prefix, 38);
  config user;
  user.user = constant(fixed + 6);
  const std::size_t end = 2 * 4 + 2 * static_cast<std::size_t>(fixed + 6) + 6;
  EXPECT_THAT(said_of(user, end - 1), HasSubstr("CONV_ID_2 needs " + std::to_string(end) + ";"));
  fits(user, end);
}

TEST(conversation_generator, an_error_in_the_config_is_reported_with_its_path) {
  const auto refused = [](config c, const std::string& expected) {
    generator_bench b(c);
    EXPECT_EQ(b.refusal(), expected);
  };
  config c;
  c.count = "0";
  refused(c, "FILE: num_conversations: must be a whole number from 1 to 10000000");
  c.count = "1.5";
  refused(c, "FILE: num_conversations: must be a whole number from 1 to 10000000");
  c = {};
  c.texts = "[]";
  refused(c, "FILE: text_files: must be a list of at least one file");
  c.texts = "[1]";
  refused(c, "FILE: text_files: must be a list of file names");
  c = {};
  c.more = R"(, "print_stats": 1)";
  refused(c, "FILE: print_stats: must be true or false");
  c = {};
  c.turns = "4";
  refused(c, "FILE: prompt_input.num_turns: must be an object");
  c.turns = "{}";
  refused(c, "FILE: prompt_input.num_turns: \"distribution\" is missing");
  c.turns = R"({"distribution": "normal"})";
  refused(c,
          "FILE: prompt_input.num_turns.distribution: \"normal\" is none of constant, uniform, "
          "lognormal, zipf and poisson");
  c.turns = R"({"distribution": "uniform", "min": 1, "max": 100000000})";
  refused(c, "FILE: prompt_input.num_turns.max: must be above 0 and at most 16777216");
  c.turns = constant(16777216);
  c.count = "10";
  refused(c,
          "FILE: prompt_input.num_turns: more than 100000000 turns in all conversations together");
  c = {};
  c.answer = R"({"distribution": "constant"})";
  refused(c, "FILE: prompt_output.num_tokens: \"value\" is missing");
}

TEST(conversation_generator, an_invalid_config_is_refused_with_the_position) {
  const auto refused = [](const std::string& text) {
    const temporary_folder folder;
    dataset_box box("conversations");
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    EXPECT_EQ(box.create({{"path", folder.write("config.json", text)}}), IFB_OK);
    EXPECT_LT(box.prepare(1), 0);
    EXPECT_EQ(box.option_at_fault(), "path");
    std::string out = box.message();
    if (const auto at = out.find(folder.path("config.json")); at != std::string::npos)
      out.replace(at, folder.path("config.json").size(), "FILE");
    return out;
  };
  EXPECT_EQ(refused("{}"), "FILE: \"filetype\" is missing");
  EXPECT_EQ(refused(R"({"filetype": 3})"), "FILE: filetype: must be a text");
  EXPECT_EQ(refused(R"({"filetype": "other"})"),
            "FILE: filetype: must be \"generate_conversations\", not \"other\"");
  EXPECT_THAT(refused("\n {\"a\": "), StartsWith("FILE:2:8: malformed JSON: "));
  EXPECT_THAT(refused("{} {}"), StartsWith("FILE:1:4: malformed JSON: "));
  EXPECT_THAT(refused("{\"a\": \"\xFF\"}"), HasSubstr("malformed JSON: "));
  std::string deep;
  for (int i = 0; i < 200'000; ++i)
    deep += "{\"a\":";
  EXPECT_THAT(refused(deep), HasSubstr("malformed JSON: "));
  const std::string whole = config{}.text();
  for (std::size_t cut = 1; cut < whole.size(); cut += 5)
    EXPECT_THAT(refused(whole.substr(0, cut)), HasSubstr("malformed JSON: "));
}

TEST(conversation_generator, texts_that_cannot_be_read_are_named) {
  config c;
  c.texts = R"(["missing.txt"])";
  generator_bench missing(c);
  EXPECT_THAT(missing.refusal(), AllOf(HasSubstr("cannot read "), HasSubstr("missing.txt")));
  generator_bench empty(config{}, "");
  EXPECT_THAT(empty.refusal(), HasSubstr("text.txt: the file is empty"));
  generator_bench latin(config{}, "caf\xE9");
  EXPECT_THAT(latin.refusal(), HasSubstr("text.txt:1:4: not UTF-8"));
}

TEST(conversation_generator, unknown_members_are_reported) {
  config c;
  c.more = R"(, "seed": 3)";
  c.turns = R"({"distribution": "constant", "value": 2, "max": 3})";
  generator_bench b(c);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  const std::string path = b.folder.path("config.json");
  EXPECT_THAT(b.box.host.log(), ElementsAre(path + ": seed is not known here",
                                            path + ": prompt_input.num_turns.max is not known here",
                                            StartsWith("turns of a conversation")));
}

void look_at_generated(const std::string& name) {
  const std::string fixtures = std::string(INFERBENCH_FIXTURES) + "/datasets/";
  support::plugin_tokenizer tokenizer(
      "hf", {{"path", (inferbench::support::tokenizer_cache() / name).string()}});
  ASSERT_EQ(tokenizer.trouble(), "");
  for (const std::uint64_t seed : {0U, 42U}) {
    dataset_box box("conversations");
    tokenizer.offer(box.host);
    ASSERT_EQ(box.create({{"path", fixtures + "conversations_generate.json"}}), IFB_OK);
    ASSERT_EQ(box.prepare(-1, seed), IFB_OK) << box.message();
    std::string found;
    for (std::uint64_t i = 0; box.read(i) == IFB_OK; ++i) {
      found += support::line_of(box.sample);
      const auto all = messages_of(box.sample);
      EXPECT_GE(all.size(), 2U);
      EXPECT_EQ(all.size() % 2, 0U);
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(all[k].role, k % 2 == 0 ? "user" : "assistant");
        EXPECT_EQ(all[k].tokens, static_cast<std::int64_t>(tokenizer.count(all[k].text)));
      }
    }
    inferbench::support::expect_golden(found, fixtures + "conversations_generate_" + name +
                                                  "_seed" + std::to_string(seed) + ".txt");
  }
}

TEST(conversation_generator, conversations_of_the_fixture_with_gpt2) {
  SUPPORT_NEEDS_TOKENIZER("gpt2");
  look_at_generated("gpt2");
}

TEST(conversation_generator, conversations_of_the_fixture_with_llama3) {
  SUPPORT_NEEDS_TOKENIZER("llama3");
  look_at_generated("llama3");
}

}  // namespace
