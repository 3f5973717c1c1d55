// Files of recipes: what they can say, and what is refused.
#include "plugins/datasets/hf_recipe.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using support::recipe_of;
using support::refusal_of_recipe;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string output = "\n[output]\ntokens = 5\n";

TEST(hf_recipe, a_prompt_and_a_length_are_enough) {
  const hf::recipe read = recipe_of("prompt = \"{{ question }}\"" + output);
  EXPECT_THAT(read.ids, IsEmpty());
  ASSERT_EQ(read.messages.size(), 1U);
  EXPECT_FALSE(read.chat_messages);
  EXPECT_EQ(read.chat, hf::chat_use::never);
  EXPECT_EQ(read.output_tokens, 5);
  EXPECT_FALSE(read.answer);
  EXPECT_THAT(hf::columns_of(read, true), ElementsAre("question"));
}

TEST(hf_recipe, every_key_is_read) {
  const hf::recipe read = recipe_of(R"(
about = "A"
ids = ["o/a", "o/b"]
subset = "s"
split = "t"
columns = ["extra", "hint?"]
chat-template = "always"
multimodal-chat = true
transcript = "{{ words }}"

[[message]]
role = "system"
content = "{{ hint or '' }}"

[[message]]
role = "user"
content = "{{ a }} {{ row['b c'] }} {{ run.tokenizer }}"

[output]
tokens = 7
text = "{{ answer }}"
special-tokens = false

[limits]
when = "always"
min-prompt-tokens = 1
min-output-tokens = 2
max-prompt-tokens = 3
max-total-tokens = 4

[[filter]]
keep = "score > 1"
reason = "a low score"

[[media]]
kind = "video"
column = "clip"
take = "all"
optional = true
base-url = "https://x/"
)");
  EXPECT_EQ(read.about, "A");
  EXPECT_THAT(read.ids, ElementsAre("o/a", "o/b"));
  EXPECT_EQ(read.subset, "s");
  EXPECT_EQ(read.split, "t");
  ASSERT_EQ(read.messages.size(), 2U);
  EXPECT_EQ(read.messages[0].role, "system");
  EXPECT_TRUE(read.chat_messages);
  EXPECT_EQ(read.chat, hf::chat_use::always);
  EXPECT_TRUE(read.multimodal_chat);
  EXPECT_EQ(read.output_tokens, 7);
  ASSERT_TRUE(read.answer);
  EXPECT_FALSE(read.answer->special_tokens);
  EXPECT_TRUE(read.limits.always);
  EXPECT_EQ(read.limits.least_prompt, 1);
  EXPECT_EQ(read.limits.least_answer, 2);
  EXPECT_EQ(read.limits.most_prompt, 3);
  EXPECT_EQ(read.limits.most_in_all, 4);
  ASSERT_EQ(read.filters.size(), 1U);
  EXPECT_EQ(read.filters[0].reason, "a low score");
  ASSERT_EQ(read.media.size(), 1U);
  EXPECT_EQ(read.media[0].kind, hf::medium::video);
  EXPECT_EQ(read.media[0].column, "clip");
  EXPECT_TRUE(read.media[0].all);
  EXPECT_TRUE(read.media[0].optional);
  EXPECT_EQ(read.media[0].base_url, "https://x/");
  EXPECT_TRUE(read.transcript);
  EXPECT_TRUE(hf::uses_whole_row(read));
  EXPECT_THAT(hf::only_media_columns(read), IsEmpty());  // `row` has all columns
  // The column of the answer is read only if its length is used.
  EXPECT_THAT(hf::columns_of(read, false),
              ElementsAre("extra", "hint?", "clip?", "a", "score", "words"));
  EXPECT_THAT(hf::columns_of(read, true),
              ElementsAre("extra", "hint?", "clip?", "a", "score", "answer", "words"));
}

TEST(hf_recipe, columns_that_only_the_answer_uses_are_read_for_its_length_only) {
  const std::string columns = "columns = [\"q?\", \"a?\", \"both?\", \"none?\"]\n";
  const std::string answer = "[output]\ntext = \"{{ a }}{{ both }}\"\n";
  const hf::recipe read = recipe_of(columns + "prompt = \"{{ q }}{{ both }}\"\n" + answer);
  EXPECT_THAT(hf::columns_of(read, true), ElementsAre("q?", "a?", "both?", "none?"));
  EXPECT_THAT(hf::columns_of(read, false), ElementsAre("q?", "both?", "none?"));
  const hf::recipe all = recipe_of(columns + "prompt = \"{{ row }}\"\n" + answer);
  EXPECT_THAT(hf::columns_of(all, false), ElementsAre("q?", "a?", "both?", "none?"));
}

TEST(hf_recipe, a_message_always_goes_into_the_chat_template) {
  const std::string message = "[[message]]\nrole = \"user\"\ncontent = \"x\"\n";
  EXPECT_EQ(recipe_of(message + output).chat, hf::chat_use::always);
  EXPECT_EQ(refusal_of_recipe("chat-template = \"never\"\n" + message + output),
            "my.toml:1: chat-template is \"never\"; a [[message]] always goes into the model's "
            "template; write \"always\"");
}

TEST(hf_recipe, a_wrong_file_is_refused_with_its_line_and_a_remedy) {
  const std::string prompt = "prompt = \"x\"\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "my.toml:1: there is no prompt; give one of them, such as"},
      {"prompt", "my.toml:1: "},
      {prompt, "there is no table [output]; say how long answers are"},
      {prompt + "[output]\n", ":2: [output] has neither tokens nor text"},
      {prompt + "[output]\ntokens = 0\n", ":3: tokens is 0; expected 1 to 2147483647"},
      {prompt + "[output]\ntokens = -1\n", ":3: tokens is -1; "},
      {prompt + "[output]\ntokens = \"5\"\n", ":3: tokens is a text; expected a whole number"},
      {prompt + "[output]\ntokens = 5\nspecial-tokens = true\n",
       ":4: special-tokens is about the tokens of text"},
      {prompt + "[output]\ntoken = 5\n", ":3: [output] has no key token; did you mean tokens?"},
      {"promt = \"x\"\n" + prompt + output, ":1: there is no key promt; did you mean prompt?"},
      {"prompt = 5\n" + output, ":1: prompt is a whole number; expected a text"},
      {"ids = \"o/a\"\n" + prompt + output, ":1: ids is a text; expected a list"},
      {"ids = [1]\n" + prompt + output, ":1: an element of ids is a whole number"},
      {"chat-template = \"no\"\n" + prompt + output,
       ":1: chat-template is \"no\"; expected one of never, unless-skipped, always"},
      {prompt + "[[message]]\nrole = \"user\"\ncontent = \"x\"\n" + output,
       "there is a prompt and a [[message]]"},
      {"[[message]]\nrole = \"user\"\n" + output, ":1: a message needs a role and a content"},
      {"message = []\n" + output, "there is no prompt"},
      {prompt + output + "[limits]\nmin-prompt-tokens = 4\n",
       ":5: [limits] applies only to recorded answers, and [output] has no text; write when = "
       "\"always\""},
      {prompt + output + "[limits]\nwhen = \"always\"\nmax-prompt-tokens = 0\n",
       ":7: max-prompt-tokens is 0; expected 1 to"},
      {prompt + output + "[[filter]]\nkeep = \"a\"\n", ":5: a filter needs keep and reason"},
      {prompt + output + "[[filter]]\nkeep = \"a\"\nreason = \"one; two\"\n",
       ":5: the reason has a semicolon"},
      {prompt + output + "[[filter]]\nkeep = \"a >\"\nreason = \"r\"\n",
       ":6: keep is not an expression of Jinja: "},
      {"transcript = \"{{ a\"\n" + prompt + output, ":1: transcript: "},
      {prompt + output + "[[media]]\nkind = \"smell\"\ncolumn = \"c\"\n",
       ":6: kind is \"smell\"; expected one of image, video, audio"},
      {prompt + output + "[[media]]\nkind = \"image\"\n", ":5: [[media]] needs kind and column"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    EXPECT_THAT(refusal_of_recipe(text), HasSubstr(said));
  }
}

TEST(hf_recipe, a_template_that_is_not_jinja_is_refused_with_its_line) {
  EXPECT_THAT(refusal_of_recipe("\nprompt = \"{{ a\"" + output),
              ::testing::StartsWith("my.toml:2: prompt: unexpected end of template"));
  EXPECT_THAT(refusal_of_recipe("prompt = '''\nx\n{% for %}\n'''" + output),
              ::testing::StartsWith("my.toml:1: prompt: in line 2 of its text, "));
  EXPECT_THAT(refusal_of_recipe("prompt = \"{% include 'x' %}\"" + output), HasSubstr("include"));
  EXPECT_THAT(refusal_of_recipe("prompt = \"x\"\n[output]\ntext = \"{{ a | nosuch }}\"\n"),
              HasSubstr("my.toml:3: text: No filter named 'nosuch'"));
}

TEST(hf_recipe, the_column_of_the_prompts_may_be_named_without_a_recipe) {
  const hf::recipe any = recipe_of(
      "columns = [\"text?\", \"answer?\"]\nprompt = \"{{ text }}\"\n\n[output]\ntokens = 9\n"
      "text = \"{{ answer or '' }}\"\n");
  for (const std::string name : {"text", "my column", "a\"b\\c'}}", "line\nfeed", "\xc3\xa4"}) {
    SCOPED_TRACE(name);
    const hf::recipe read = hf::with_prompt_column(any, name);
    EXPECT_EQ(read.output_tokens, 9);
    EXPECT_THAT(hf::columns_of(read, true), ::testing::Contains(name));
    EXPECT_THAT(hf::columns_of(read, true), ::testing::Contains("answer?"));
    rapidjson::Document context;
    context.SetObject();
    rapidjson::Value row(rapidjson::kObjectType);
    row.AddMember(rapidjson::StringRef(name.c_str()), "words", context.GetAllocator());
    context.AddMember("row", row, context.GetAllocator());
    EXPECT_EQ(read.messages.front().content.render(context), "words");
  }
}

}  // namespace
