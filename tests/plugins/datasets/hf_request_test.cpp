// Requests that a recipe makes from rows: prompt, lengths, and the reasons why rows are skipped.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/hf/request_maker.hpp"
#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/hf_recipe.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/plugin_box.hpp"

namespace {

using support::recipe_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Makes requests from rows by one recipe. The default tokenizer, echo_tokenizer, counts one token
// for each byte of a text and one token that the model adds.
class maker {
 public:
  explicit maker(const std::string& recipe, hf::request_choices chosen = {},
                 const ifb_tokenizer_service* tokenizer = &support::echo_tokenizer)
      : recipe_(recipe_of(recipe)) {
    host_.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    const ifb::host host(host_.table());
    made_.emplace(host, host.tokenizer(), recipe_, std::move(chosen),
                  hf::run_facts{.blazedit_max_distance = 0.5});
  }

  /// Makes a request from a row in JSON. Returns the reason if the row is skipped, or an empty
  /// text.
  std::string make(const char* row) {
    row_.Parse(row);
    memory_ = std::make_unique<support::arena>();
    sample_ = ifb::blank_sample();
    return made_->make(row_, ifb::arena(host_.table(), memory_->handle()), sample_);
  }
  /// The prompt of the last request.
  [[nodiscard]] std::string prompt() const {
    return std::string(ifb::view(ifb::view(sample_.prompt).front().data));
  }
  [[nodiscard]] const ifb_sample& sample() const { return sample_; }
  [[nodiscard]] std::vector<std::string> log() const { return host_.log(); }
  /// Whether the requests go through the model's chat template.
  [[nodiscard]] bool renders() const { return made_->renders(); }

 private:
  support::host host_;
  hf::recipe recipe_;
  std::optional<hf::request_maker> made_;
  rapidjson::Document row_;
  std::unique_ptr<support::arena> memory_;
  ifb_sample sample_{};
};

// A recipe with a fixed length of the output, and a recipe with the length of a recorded answer.
const std::string fixed = "prompt = \"{{ q }}!\"\n[output]\ntokens = 5\n";
const std::string recorded = "prompt = \"{{ q }}\"\n[output]\ntext = \"{{ a }}\"\n";

TEST(hf_request, a_prompt_is_counted_with_the_tokens_that_the_model_adds) {
  maker m(fixed);
  ASSERT_EQ(m.make(R"({"q": "what"})"), "");
  EXPECT_EQ(m.prompt(), "what!");
  EXPECT_EQ(m.sample().shape, std::uint32_t{IFB_PROMPT_TEXT});
  EXPECT_EQ(m.sample().input_tokens, 6);
  EXPECT_EQ(m.sample().output_tokens, 5);
  EXPECT_EQ(m.sample().media.count, 0U);
  EXPECT_FALSE(m.renders());
}

TEST(hf_request, the_user_s_length_replaces_every_other_length) {
  maker m(recorded, {.output_tokens = 9});
  // The recorded answer is not needed.
  ASSERT_EQ(m.make(R"({"q": "what"})"), "");
  EXPECT_EQ(m.sample().output_tokens, 9);
}

TEST(hf_request, the_length_of_a_recorded_answer_counts) {
  maker with(recorded);
  ASSERT_EQ(with.make(R"({"q": "what", "a": "123"})"), "");
  EXPECT_EQ(with.sample().output_tokens, 4);
  maker without(recorded + "special-tokens = false\n");
  ASSERT_EQ(without.make(R"({"q": "what", "a": "123"})"), "");
  EXPECT_EQ(without.sample().output_tokens, 3);
  EXPECT_EQ(without.make(R"({"q": "what", "a": ""})"), "the recorded answer has no tokens");
}

TEST(hf_request, a_fixed_length_is_used_where_no_answer_is_recorded) {
  maker m(
      "columns = [\"a?\"]\nprompt = \"{{ q }}\"\n[output]\ntokens = 8\n"
      "text = \"{{ a or '' }}\"\n");
  ASSERT_EQ(m.make(R"({"q": "what", "a": "123"})"), "");
  EXPECT_EQ(m.sample().output_tokens, 4);
  for (const char* const row : {R"({"q": "what"})", R"({"q": "what", "a": null})"}) {
    ASSERT_EQ(m.make(row), "");
    EXPECT_EQ(m.sample().output_tokens, 8);
  }
}

TEST(hf_request, a_row_outside_the_limits_is_skipped_and_the_reason_names_the_limit) {
  // The tokenizer adds one token to each of the texts below.
  const std::string limits =
      "[limits]\nmin-prompt-tokens = 4\nmin-output-tokens = 4\nmax-prompt-tokens = 8\n"
      "max-total-tokens = 12\n";
  maker m(recorded + limits);
  EXPECT_EQ(m.make(R"({"q": "ab", "a": "abcd"})"), "prompt shorter than 4 tokens");
  EXPECT_EQ(m.make(R"({"q": "abc", "a": "ab"})"), "answer shorter than 4 tokens");
  EXPECT_EQ(m.make(R"({"q": "12345678", "a": "abc"})"), "prompt longer than 8 tokens");
  EXPECT_EQ(m.make(R"({"q": "1234567", "a": "abcd"})"), "prompt and answer longer than 12 tokens");
  EXPECT_EQ(m.make(R"({"q": "1234567", "a": "abc"})"), "");
  EXPECT_EQ(m.make(R"({"q": "abc", "a": "abc"})"), "");
}

TEST(hf_request, limits_apply_to_a_length_from_the_user_only_if_the_recipe_says_always) {
  const std::string limits = "[limits]\nmin-prompt-tokens = 4\nmin-output-tokens = 4\n";
  maker sometimes(recorded + limits, {.output_tokens = 2});
  EXPECT_EQ(sometimes.make(R"({"q": ""})"), "");
  maker always(recorded + limits + "when = \"always\"\n", {.output_tokens = 2});
  EXPECT_EQ(always.make(R"({"q": "abc"})"), "answer shorter than 4 tokens");
}

TEST(hf_request, rows_are_filtered_by_expressions) {
  maker m(
      "prompt = \"{{ q }}\"\n[output]\ntokens = 5\n[[filter]]\nkeep = \"n <= "
      "run.blazedit_max_distance\"\nreason = \"too far\"\n");
  EXPECT_EQ(m.make(R"({"q": "what", "n": 0.5})"), "");
  EXPECT_EQ(m.make(R"({"q": "what", "n": 0.51})"), "too far");
  EXPECT_EQ(m.make(R"({"q": "what", "n": 1})"), "too far");
  EXPECT_THAT(m.make(R"({"q": "what", "n": "x"})"), HasSubstr("TypeError: '<=' not supported"));
}

TEST(hf_request, rows_that_do_not_fit_a_recipe_are_skipped_with_the_reason) {
  maker m("prompt = \"{{ turns[0]['content'] }}\"\n[output]\ntokens = 5\n");
  EXPECT_EQ(m.make(R"({"turns": [{"content": "x"}]})"), "");
  EXPECT_EQ(m.make(R"({"turns": null})"), "no value in \"turns\"");
  EXPECT_EQ(m.make("{}"), "no value in \"turns\"");
  EXPECT_EQ(m.make(R"({"turns": []})"), "UndefinedError: list object has no element 0");
  EXPECT_EQ(m.make(R"({"turns": [{"a; b": 1}]})"),
            "UndefinedError: 'dict object' has no attribute 'content'");
  EXPECT_EQ(m.make(R"({"turns": 7})").substr(0, 15), "UndefinedError:");
  maker raising("prompt = \"{{ raise_exception('one; two ' ~ q) }}\"\n[output]\ntokens = 5\n");
  EXPECT_EQ(raising.make(R"({"q": "x"})"), "one, two x");
}

TEST(hf_request, a_chat_template_is_used_as_the_recipe_and_the_user_say) {
  const std::string unless = "chat-template = \"unless-skipped\"\n" + fixed;
  const std::string chat =
      R"({"messages": [{"role": "user", "content": "what!"}], "add_generation_prompt": true})";
  maker m(unless);
  ASSERT_EQ(m.make(R"({"q": "what"})"), "");
  EXPECT_TRUE(m.renders());
  EXPECT_EQ(m.prompt(), chat);
  EXPECT_EQ(m.sample().input_tokens, static_cast<std::int64_t>(chat.size()) + 1);
  EXPECT_EQ(m.make(R"({"q": "explode"})"), "the chat template fails: TemplateError: it exploded");

  maker skipping(unless, {.skip_chat_template = true});
  ASSERT_EQ(skipping.make(R"({"q": "what"})"), "");
  EXPECT_EQ(skipping.prompt(), "what!");
  EXPECT_THAT(skipping.log(), IsEmpty());

  maker always("chat-template = \"always\"\n" + fixed, {.skip_chat_template = true});
  ASSERT_EQ(always.make(R"({"q": "what"})"), "");
  EXPECT_EQ(always.prompt(), chat);
  EXPECT_THAT(always.log(), ElementsAre(HasSubstr("--skip-chat-template has no effect")));

  maker with_variables(unless, {.chat_variables = R"({"thinking": true})"});
  ASSERT_EQ(with_variables.make(R"({"q": "what"})"), "");
  EXPECT_THAT(with_variables.prompt(),
              HasSubstr(R"("add_generation_prompt": true, "thinking": true)"));
}

TEST(hf_request, messages_of_several_roles_go_into_the_chat_template) {
  maker m(
      "[[message]]\nrole = \"system\"\ncontent = \"{{ s }}\"\n[[message]]\nrole = \"user\"\n"
      "content = \"{{ q }}\"\n[output]\ntokens = 5\n");
  ASSERT_EQ(m.make(R"({"s": "be \"kind\"", "q": "what"})"), "");
  EXPECT_EQ(m.prompt(), R"({"messages": [{"role": "system", "content": "be \"kind\""}, )"
                        R"({"role": "user", "content": "what"}], "add_generation_prompt": true})");
  EXPECT_EQ(m.make(R"({"s": "explode", "q": "what"})"),
            "the chat template fails: TemplateError: it exploded");
}

TEST(hf_request, a_model_without_a_chat_template_is_refused_with_the_remedy) {
  const auto refusal = [](const std::string& recipe) -> std::string {
    try {
      const maker m(recipe, {}, &support::byte_counter);
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_CONFIG);
      return e.message();
    }
    return "";
  };
  EXPECT_THAT(refusal("chat-template = \"unless-skipped\"\n" + fixed),
              HasSubstr("--skip-chat-template"));
  EXPECT_THAT(refusal("chat-template = \"always\"\n" + fixed),
              HasSubstr("always go into the model's chat template, and the tokenizer bytes has no "
                        "chat template"));
  EXPECT_EQ(refusal(fixed), "");
}

TEST(hf_request, a_conversation_becomes_a_message_with_parts_if_the_user_asks) {
  maker m("multimodal-chat = true\n" + fixed, {.multimodal_chat = true});
  ASSERT_EQ(m.make(R"({"q": "what"})"), "");
  EXPECT_EQ(m.sample().shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_EQ(m.prompt(), "what!");
  maker others(fixed, {.multimodal_chat = true});
  ASSERT_EQ(others.make(R"({"q": "what"})"), "");
  EXPECT_EQ(others.sample().shape, std::uint32_t{IFB_PROMPT_TEXT});
}

TEST(hf_request, columns_with_any_name_are_reached_through_the_row) {
  maker m(
      "columns = [\"my column\", \"run\"]\n"
      "prompt = \"{{ row['my column'] }} {{ row['run'] }} {{ run.tokenizer }}\"\n"
      "[output]\ntokens = 5\n");
  ASSERT_EQ(m.make(R"({"my column": "a", "run": "b"})"), "");
  EXPECT_EQ(m.prompt(), "a b echo");
}

}  // namespace
