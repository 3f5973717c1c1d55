// Tests files of conversations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using ::testing::StartsWith;

struct conversations_file_bench {
  explicit conversations_file_bench(const std::string& path, settings given = {}) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  std::vector<said> row(std::uint64_t i) {
    EXPECT_EQ(box.read(i), IFB_OK) << box.message();
    return messages_of(box.sample);
  }
  dataset_box box{"conversations"};
};

std::string conversation(const std::string& id,
                         const std::vector<std::pair<std::string, std::string>>& messages) {
  std::string out = R"({"id": ")" + id + R"(", "messages": [)";
  const char* comma = "";
  for (const auto& [role, content] : messages) {
    out += std::string(comma) + R"({"role": ")" + role + R"(", "content": ")" + content + "\"}";
    comma = ", ";
  }
  return out + "]}";
}

const std::string two_requests = conversation(
    "talk", {{"user", "Hi"}, {"assistant", "Hello."}, {"user", "Who?"}, {"assistant", "I am."}});

TEST(conversation_files, rows_are_the_conversations_in_the_order_of_the_file) {
  const data_file file(
      "[" + two_requests + "," +
      conversation("brief", {{"system", "Be brief."}, {"user", "a"}, {"assistant", "b"}}) + "]");
  conversations_file_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 2);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SESSIONS});
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "Hi", 2}, said{"assistant", "Hello.", 6},
                                    said{"user", "Who?", 4}, said{"assistant", "I am.", 5}));
  ASSERT_EQ(b.box.sample.metadata_count, 1U);
  EXPECT_EQ(ifb::view(b.box.sample.metadata[0].name), "conversation_id");
  EXPECT_EQ(ifb::view(b.box.sample.metadata[0].value), "talk");
  EXPECT_EQ(b.box.sample.output_tokens, -1);
  EXPECT_THAT(b.row(1), ElementsAre(said{"system", "Be brief.", 9}, said{"user", "a", 1},
                                    said{"assistant", "b", 1}));
  EXPECT_EQ(b.box.read(2), IFB_END);
}

TEST(conversation_files, have_a_log_line_with_their_number_of_turns) {
  const data_file file("[" + two_requests + "," +
                       conversation("b", {{"user", "a"}, {"assistant", "b"}}) + "]");
  conversations_file_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("turns of a conversation: count 2, mean 3.00, std 1.41, min 2.00, 25% "
                          "2.50, 50% 3.00, 75% 3.50, 90% 3.80, max 4.00"));
}

TEST(conversation_files, answers_are_asked_for_within_the_limits_given) {
  const data_file file("[" +
                       conversation("a", {{"user", "q"},
                                          {"assistant", std::string(50, 'a')},
                                          {"user", "q"},
                                          {"assistant", ""},
                                          {"user", "q"}}) +
                       "]");
  const auto answers = [&](settings given) {
    conversations_file_bench b(file.path(), std::move(given));
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    const auto all = b.row(0);
    return std::vector<std::int64_t>{all[1].tokens, all[3].tokens, b.box.sample.output_tokens};
  };
  EXPECT_THAT(answers({}), ElementsAre(50, 1, -1));
  EXPECT_THAT(answers({{"min-tokens", 7}}), ElementsAre(50, 7, -1));
  EXPECT_THAT(answers({{"max-tokens", 20}}), ElementsAre(20, 1, 20));
  EXPECT_THAT(answers({{"min-tokens", 7}, {"max-tokens", 20}}), ElementsAre(20, 7, 20));
  EXPECT_THAT(answers({{"min-tokens", 9}, {"max-tokens", 9}}), ElementsAre(9, 9, 9));
  conversations_file_bench wrong(file.path(), {{"min-tokens", 21}, {"max-tokens", 20}});
  EXPECT_EQ(wrong.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(wrong.box.option_at_fault(), "min-tokens");
}

TEST(conversation_files, turns_are_limited_as_messages_and_answered_to_the_last) {
  const data_file file("[" +
                       conversation("a", {{"system", "s"},
                                          {"user", "a"},
                                          {"assistant", "b"},
                                          {"user", "c"},
                                          {"assistant", "d"},
                                          {"user", "e"}}) +
                       "]");
  const auto kept = [&](std::int64_t most) {
    conversations_file_bench b(file.path(), {{"max-turns", most}});
    EXPECT_EQ(b.box.prepare(1), IFB_OK);
    return b.row(0).size();
  };
  EXPECT_EQ(kept(1), 3U);
  EXPECT_EQ(kept(2), 3U);
  EXPECT_EQ(kept(3), 5U);
  EXPECT_EQ(kept(5), 6U);
  EXPECT_EQ(kept(0), 6U);
}

TEST(conversation_files, a_row_is_the_same_whenever_it_is_asked_for_and_encoded_once) {
  std::string all;
  for (int i = 0; i < 50; ++i)
    all += (i == 0 ? "[" : ",") +
           conversation(std::to_string(i), {{"user", "q" + std::to_string(i)}, {"assistant", "a"}});
  const data_file file(all + "]");
  conversations_file_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  for (const std::uint64_t row : {3U, 4U, 5U, 49U, 0U, 1U, 0U, 49U, 3U})
    EXPECT_EQ(b.row(row)[0].text, "q" + std::to_string(row));
}

TEST(conversation_files, invalid_content_is_refused_with_its_position) {
  const std::string ok = R"({"role": "user", "content": "a"})";
  const auto with = [](const std::string& messages) {
    return R"([{"id": "x", "messages": )" + messages + "}]";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "FILE:1:1: the file is empty; a JSON array of rows is needed"},
      {"hello", "FILE:1:1: the file is not a JSON array of rows"},
      {"[" + two_requests, "FILE:1:" + std::to_string(two_requests.size() + 2) +
                               ": malformed JSON: the file ends inside the array"},
      {"[1]", "FILE:1:2: conversation 1: not an object with \"id\" and \"messages\""},
      {"[[[1]]]", "FILE:1:2: conversation 1: not an object with \"id\" and \"messages\""},
      {"[null]", "FILE:1:2: conversation 1: not an object with \"id\" and \"messages\""},
      {R"([{"messages": []}])", "FILE:1:2: conversation 1: no \"id\" that is a text"},
      {R"([{"id": 7, "messages": []}])", "FILE:1:2: conversation 1: no \"id\" that is a text"},
      {"[" + two_requests + ",\n" + two_requests + "]",
       "FILE:2:1: conversation 2: the id \"talk\" was there before"},
      {R"([{"id": "x"}])",
       "FILE:1:2: conversation 1: no \"messages\" that is a list of {\"role\", \"content\"}"},
      {with("{}"),
       "FILE:1:2: conversation 1: no \"messages\" that is a list of {\"role\", \"content\"}"},
      {with("[]"), "FILE:1:2: conversation 1: has no message of a user"},
      {with(R"([{"role": "system", "content": "a"}])"),
       "FILE:1:2: conversation 1: has no message of a user"},
      {with("[1]"), "FILE:1:2: conversation 1, message 1: no \"role\" that is a text"},
      {with(R"([{"content": "a"}])"),
       "FILE:1:2: conversation 1, message 1: no \"role\" that is a text"},
      {with(R"([{"role": null, "content": "a"}])"),
       "FILE:1:2: conversation 1, message 1: no \"role\" that is a text"},
      {with(R"([{"role": "user"}])"),
       "FILE:1:2: conversation 1, message 1: no \"content\" that is a text"},
      {with(R"([{"role": "user", "content": [{"type": "text", "text": "a"}]}])"),
       "FILE:1:2: conversation 1, message 1: no \"content\" that is a text"},
      {with(R"([{"role": "user", "content": "a", "name": "b"}])"),
       "FILE:1:2: conversation 1, message 1: a member other than \"role\" and \"content\""},
      {with(R"([{"role": "assistant", "content": "a"}])"),
       "FILE:1:2: conversation 1, message 1: the role must be \"user\" here, not \"assistant\""},
      {with("[" + ok + "," + ok + "]"),
       "FILE:1:2: conversation 1, message 2: the role must be \"assistant\" here, not \"user\""},
      {with("[" + ok + R"(, {"role": "system", "content": "a"}])"),
       "FILE:1:2: conversation 1, message 2: the role must be \"assistant\" here, not \"system\""},
      {with(R"([{"role": "system", "content": "a"}, {"role": "system", "content": "a"}])"),
       "FILE:1:2: conversation 1, message 2: the role must be \"user\" here, not \"system\""}};
  for (const auto& [text, expected] : cases) {
    SCOPED_TRACE(text);
    const data_file file(text);
    conversations_file_bench b(file.path());
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    std::string message = b.box.message();
    if (const auto at = message.find(file.path()); at != std::string::npos)
      message.replace(at, file.path().size(), "FILE");
    EXPECT_EQ(message, expected);
  }
}

TEST(conversation_files, an_empty_list_has_no_rows) {
  const data_file file("[ ]");
  conversations_file_bench b(file.path());
  EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 0);
  EXPECT_EQ(b.box.read(0), IFB_END);
}

TEST(conversation_files, one_that_is_missing_is_named_and_so_is_a_missing_tokenizer) {
  conversations_file_bench b("/nonexistent/rows.json");
  EXPECT_EQ(b.box.prepare(1), IFB_E_IO);
  EXPECT_EQ(b.box.message(), "cannot read /nonexistent/rows.json: No such file or directory");
  const data_file file("[]");
  dataset_box box("conversations");
  ASSERT_EQ(box.create({{"path", file.path()}}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("--tokenizer-mode"));
}

TEST(conversation_files, a_file_cut_off_anywhere_is_refused_with_a_place) {
  const std::string whole = support::read_fixture("datasets/conversations.json");
  const data_file file("");
  for (std::size_t cut = 0; cut + 2 < whole.size(); cut += 7) {
    file.write(std::string_view(whole).substr(0, cut));
    conversations_file_bench b(file.path());
    ASSERT_EQ(b.box.prepare(1), IFB_E_DATA) << cut;
    ASSERT_THAT(b.box.message(), StartsWith(file.path() + ":")) << cut;
  }
}

TEST(conversation_files, a_byte_changed_anywhere_crashes_nothing) {
  const std::string text = "[" + two_requests + "]";
  const data_file file("");
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '"', ']', '{', '\xFF'}) {
      std::string changed = text;
      changed[at] = byte;
      file.write(changed);
      conversations_file_bench b(file.path());
      if (b.box.prepare(1) != IFB_OK) continue;
      const ifb_status status = b.box.read(0);
      ASSERT_TRUE(status == IFB_OK || status == IFB_SKIP) << b.box.message();
    }
  }
}

TEST(conversation_files, deep_nesting_costs_no_stack) {
  for (const char* const bracket : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i)
      deep += bracket;
    const data_file file("[" + deep);
    conversations_file_bench b(file.path());
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
    std::string closed = R"([{"id": "x", "messages": [], "more": )";
    closed.append(200'000, '[').append(200'000, ']');
    file.write(closed + "}]");
    conversations_file_bench again(file.path());
    EXPECT_EQ(again.box.prepare(1), IFB_E_DATA);
    EXPECT_THAT(again.box.message(), HasSubstr("has no message of a user"));
  }
}

TEST(conversation_files, a_message_of_ten_megabytes_is_a_message) {
  const std::string big(10'000'000, 'x');
  const data_file file("[" + conversation("x", {{"user", big}, {"assistant", "b"}}) + "]");
  conversations_file_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.row(0)[0].tokens, 10'000'000);
}

TEST(conversation_files, text_that_is_not_utf8_costs_its_conversation_only) {
  const data_file file("[" + conversation("x", {{"user", "\xC3\x28"}, {"assistant", "b"}}) + "," +
                       two_requests + "]");
  conversations_file_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.read(0), IFB_SKIP);
  EXPECT_EQ(b.box.message(), "text that is not UTF-8; conversation 1");
  EXPECT_EQ(b.row(1).size(), 4U);
}

TEST(conversation_files, the_other_name_of_the_dataset_is_a_link_to_it) {
  EXPECT_TRUE(std::filesystem::equivalent(support::plugin_file("datasets/multi-turn"),
                                          support::plugin_file("datasets/conversations")));
}

void look_at(const std::string& name) {
  const std::string fixtures = std::string(INFERBENCH_FIXTURES) + "/datasets/";
  support::plugin_tokenizer tokenizer(
      "hf", {{"path", (inferbench::support::tokenizer_cache() / name).string()}});
  ASSERT_EQ(tokenizer.trouble(), "");
  dataset_box box("conversations");
  tokenizer.offer(box.host);
  ASSERT_EQ(box.create({{"path", fixtures + "conversations.json"}}), IFB_OK);
  ASSERT_EQ(box.prepare(-1), IFB_OK) << box.message();
  std::string found;
  for (std::uint64_t i = 0; box.read(i) == IFB_OK; ++i) {
    found += support::line_of(box.sample);
    for (const said& each : messages_of(box.sample))
      EXPECT_EQ(each.tokens, each.role == "assistant" && each.text.empty()
                                 ? 1  // an empty answer counts as one token
                                 : static_cast<std::int64_t>(tokenizer.count(each.text)));
  }
  inferbench::support::expect_golden(found, fixtures + "conversations_" + name + ".txt");
}

TEST(conversation_files, answers_may_have_no_length) {
  const data_file file("[" + two_requests + "]");
  conversations_file_bench b(file.path(), {{"max-tokens", -1}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.row(0), ElementsAre(said{"user", "Hi", 2}, said{"assistant", "Hello.", -1},
                                    said{"user", "Who?", 4}, said{"assistant", "I am.", -1}));
  EXPECT_EQ(b.box.sample.output_tokens, -1);
}

TEST(conversation_files, conversations_are_saved_in_the_same_layout) {
  const data_file file("[" + two_requests + "," +
                       conversation("quote", {{"user", "a\\\"b"}, {"assistant", ""}}) + "]");
  const std::string saved = file.folder() + "/saved.json";
  {
    conversations_file_bench b(file.path(), {{"save", saved}});
    ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  }
  conversations_file_bench again(saved);
  ASSERT_EQ(again.box.prepare(1), IFB_OK) << again.box.message();
  EXPECT_EQ(again.box.info.rows, 2);
  EXPECT_THAT(again.row(0), ElementsAre(said{"user", "Hi", 2}, said{"assistant", "Hello.", 6},
                                        said{"user", "Who?", 4}, said{"assistant", "I am.", 5}));
  EXPECT_EQ(again.row(1).front().text, "a\"b");
  conversations_file_bench nowhere(file.path(), {{"save", file.folder() + "/none/saved.json"}});
  EXPECT_EQ(nowhere.box.prepare(1), IFB_E_IO);
  EXPECT_THAT(nowhere.box.message(), HasSubstr("cannot write"));
}

TEST(conversation_files, of_the_fixture_have_gpt2_token_counts) {
  SUPPORT_NEEDS_TOKENIZER("gpt2");
  look_at("gpt2");
}

TEST(conversation_files, of_the_fixture_have_llama3_token_counts) {
  SUPPORT_NEEDS_TOKENIZER("llama3");
  look_at("llama3");
}

}  // namespace
