#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/dataset_show.hpp"
#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::dataset_box;
using support::fixture_path;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t yes = 1;

struct custom_bench {
  explicit custom_bench(const std::string& path, settings given = {},
                        const ifb_tokenizer_service* tokenizer = &support::echo_tokenizer) {
    if (tokenizer != nullptr) box.host.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The error message of prepare without the name of the file.
  std::string trouble(const std::string& path) {
    EXPECT_LT(box.prepare(1), 0);
    std::string out = box.message();
    if (out.starts_with(path)) out.replace(0, path.size(), "FILE");
    return out;
  }
  dataset_box box{"custom"};
};

class custom_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(custom_golden, samples_are_the_same_as_in_upstream) {
  support::is_golden("custom", GetParam(),
                     "--custom-output-len -1 --num-prompts 20 --dataset-path '" +
                         fixture_path("custom.jsonl") + "'" + support::template_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(seeds, custom_golden, ::testing::ValuesIn(support::golden_runs));

TEST(custom_dataset, another_seed_takes_other_rows_and_the_same_seed_the_same) {
  const temporary_folder folder;
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += R"({"prompt": "number )" + std::to_string(i) + "\"}\n";
  const std::string rows = folder.write("rows.jsonl", text);
  const auto samples = [&](const char* seed) {
    const auto got = support::show("--dataset-name custom --skip-tokenizer-init --num-prompts 30 " +
                                   ("--dataset-path '" + rows) + "' --seed " + seed);
    EXPECT_EQ(got.status, 0) << got.out;
    EXPECT_EQ(std::ranges::count(got.out, '\n'), 30);
    return got.out;
  };
  EXPECT_EQ(samples("0"), samples("0"));
  EXPECT_NE(samples("0"), samples("42"));
}

TEST(custom_dataset, num_prompts_of_zero_or_less_is_all_rows) {
  const auto got = support::show("--dataset-name custom --skip-tokenizer-init --num-prompts -1 " +
                                 ("--dataset-path '" + fixture_path("custom.jsonl")) + "'");
  ASSERT_EQ(got.status, 0) << got.out;
  EXPECT_EQ(std::ranges::count(got.out, '\n'), 10);
}

TEST(custom_dataset, a_prompt_goes_through_the_template_with_the_variables_of_the_user) {
  const std::string rows = fixture_path("custom.jsonl");
  custom_bench b(
      rows, {{"output-len", 7}, {"chat-template-kwargs", R"( {"thinking": true, "n": 1.50} )"}});
  ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 10);
  EXPECT_EQ(b.box.info.flags,
            std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_RENDERED});
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
  EXPECT_EQ(b.box.prompt(),
            R"({"messages": [{"role": "user", "content": "What is the capital of India?"}], )"
            R"("add_generation_prompt": true, "thinking": true, "n": 1.50})");
  EXPECT_EQ(b.box.sample.input_tokens, static_cast<std::int64_t>(b.box.prompt().size()) + 1);
  EXPECT_EQ(b.box.sample.output_tokens, 7);
  EXPECT_EQ(b.box.sample.messages.count, 0U);  // chat gets the rendered text, as upstream does
  EXPECT_EQ(b.box.read(10), IFB_END);

  custom_bench without(rows);
  ASSERT_EQ(without.box.prepare(10), IFB_OK);
  ASSERT_EQ(without.box.read(0), IFB_OK);
  EXPECT_THAT(without.box.prompt(), ::testing::EndsWith("\"add_generation_prompt\": true}"));
  EXPECT_EQ(without.box.sample.output_tokens, 256);

  custom_bench plain(rows, {{"skip-chat-template", yes}});
  ASSERT_EQ(plain.box.prepare(10), IFB_OK);
  ASSERT_EQ(plain.box.read(9), IFB_OK);
  EXPECT_EQ(plain.box.sample.input_tokens,
            static_cast<std::int64_t>(plain.box.prompt().size()) + 1);
  EXPECT_THAT(plain.box.prompt(), ::testing::StartsWith("What is the capital of"));
}

TEST(custom_dataset, output_tokens_are_read_as_python_s_int_does) {
  const std::string rows = fixture_path("custom_mixed.jsonl");
  custom_bench b(rows, {{"output-len", -1}, {"skip-chat-template", yes}});
  ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
  std::vector<std::int64_t> lengths;
  std::vector<std::string> prompts;
  for (std::uint64_t i = 0; i < 6; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK) << b.box.message();
    lengths.push_back(b.box.sample.output_tokens);
    prompts.push_back(b.box.prompt());
  }
  EXPECT_THAT(lengths, ElementsAre(12, 20, 48, 5, 9, 3));
  EXPECT_EQ(prompts[3], "Unicode row: naïve café 你好 😀");
  EXPECT_EQ(prompts[4], "Row with an embedded newline\nand a tab\t.");
  EXPECT_EQ(prompts[5], "");
}

TEST(custom_dataset, an_answer_s_length_in_a_row_is_a_number_or_the_row_is_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {"\" 1_0\"", "\"output_tokens\" must be a number, not \" 1_0\""},
      {"\"20.0\"", "\"output_tokens\" must be a number, not \"20.0\""},
      {"\"+-2\"", "\"output_tokens\" must be a number, not \"+-2\""},
      {"null", "\"output_tokens\" must be a number, not null"},
      {"NaN", "\"output_tokens\" must be a number, not NaN"},
      {"-Infinity", "\"output_tokens\" must be a number, not -Infinity"},
      {"[3]", "\"output_tokens\" must be a number, not a list"},
      {"{}", "\"output_tokens\" must be a number, not an object"},
      {"0", "\"output_tokens\" must be 1 to 2147483647, not 0"},
      {"0.9", "\"output_tokens\" must be 1 to 2147483647, not 0.9"},
      {"-4", "\"output_tokens\" must be 1 to 2147483647, not -4"},
      {"1e300", "\"output_tokens\" must be 1 to 2147483647, not 1e300"},
      {"18446744073709551615",
       "\"output_tokens\" must be 1 to 2147483647, not 18446744073709551615"},
      {"\" +17 \"", nullptr},
      {"20.9", nullptr},
      {"true", nullptr},
      {"2147483647", nullptr},
  };
  const temporary_folder folder;
  for (const auto& [value, said] : cases) {
    SCOPED_TRACE(value);
    const std::string path = folder.write(
        "rows.jsonl", std::string("\n{\"prompt\": \"p\", \"output_tokens\": ") + value + "}");
    custom_bench b(path, {{"output-len", -1}});
    if (said != nullptr)
      EXPECT_EQ(b.trouble(path), std::string("FILE:2: ") + said);
    else
      EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    custom_bench fixed(path, {{"output-len", 3}});  // the file's lengths are not used
    EXPECT_EQ(fixed.box.prepare(1), IFB_OK) << fixed.box.message();
  }
  const std::string none = fixture_path("custom_no_output_tokens.jsonl");
  custom_bench b(none, {{"output-len", -1}});
  EXPECT_EQ(
      b.trouble(none),
      "FILE:1: the row has no \"output_tokens\", which is needed because the output length is -1; "
      "the row has only prompt");
}

TEST(custom_dataset, lengths_that_no_answer_has_are_refused) {
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-2}, std::int64_t{1} << 31U}) {
    custom_bench b(fixture_path("custom.jsonl"), {{"output-len", length}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "output-len");
    EXPECT_THAT(b.box.message(), HasSubstr("not " + std::to_string(length)));
  }
}

TEST(custom_dataset, without_a_tokenizer_only_counting_and_template_are_left_out) {
  const std::string rows = fixture_path("custom.jsonl");
  custom_bench b(rows, {{"output-len", -1}}, nullptr);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "What is the capital of Iran?");
  EXPECT_EQ(b.box.sample.input_tokens, 1);
  EXPECT_EQ(b.box.sample.output_tokens, 1520);
  EXPECT_THAT(b.box.host.log(), ElementsAre(HasSubstr("prompts are sent as they are")));
  custom_bench said(rows, {{"output-len", 9}, {"skip-chat-template", yes}}, nullptr);
  ASSERT_EQ(said.box.prepare(1), IFB_OK);
  ASSERT_EQ(said.box.read(1), IFB_OK);
  EXPECT_EQ(said.box.sample.output_tokens, 9);
  EXPECT_THAT(said.box.host.log(), ElementsAre());
}

TEST(custom_dataset, a_row_states_its_class_and_the_right_answer) {
  const temporary_folder folder;
  const std::string rows = folder.write(
      "rows.jsonl",
      R"({"prompt": "2 + 3", "output_tokens": 4, "expected": "5", "workload_class": "sums"})"
      "\n"
      R"({"prompt": "2 + 4", "output_tokens": 4, "expected": "", "workload_class": 7})"
      "\n");
  custom_bench b(rows, {{"output-len", -1}}, nullptr);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  const auto metadata = [&](std::uint64_t row) {
    std::vector<std::string> out;
    EXPECT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    for (std::size_t i = 0; i < b.box.sample.metadata_count; ++i)
      out.push_back(std::string(ifb::view(b.box.sample.metadata[i].name)) + "=" +
                    std::string(ifb::view(b.box.sample.metadata[i].value)));
    return out;
  };
  EXPECT_THAT(metadata(0), ElementsAre("workload_class=sums", "expected=5"));
  EXPECT_THAT(metadata(1), ElementsAre()) << "an empty text and a number are no metadata";
}

/// The contents of a sample, one part after another.
std::string carried(const ifb_sample& sample) {
  std::string out = std::to_string(sample.shape) + ":";
  for (const auto& part : ifb::view(sample.prompt)) {
    if (part.kind != IFB_PART_TOKENS) {
      out += " " + std::string(ifb::view(part.data));
      continue;
    }
    out += " [";
    for (const auto id : ifb::tokens_of(part))
      out += " " + std::to_string(id);
    out += " ]";
  }
  for (const auto& message : ifb::view(sample.messages))
    out += " " + std::string(ifb::view(message.role)) + "=" + std::string(ifb::view(message.json));
  return out;
}

TEST(custom_dataset, without_a_tokenizer_a_prompt_of_any_shape_goes_as_it_is) {
  struct row {
    const char* prompt;
    std::uint32_t shape;
    const char* carried;
    std::int64_t tokens = 1;
  };
  const row rows[] = {
      {R"("a text")", IFB_PROMPT_TEXT, "a text"},
      {R"(["which?", "one", ""])", IFB_PROMPT_TEXTS, "which? one "},
      {"[0, 17, 4294967295]", IFB_PROMPT_TOKENS, "[ 0 17 4294967295 ]", 3},
      {"[[1, 2], [3]]", IFB_PROMPT_TOKEN_LISTS, "[ 1 2 ] [ 3 ]", 3},
      {R"({"data": {"x": 1.0, "n": 36893488147419103232}, "e": "\u00e9\ud800"})", IFB_PROMPT_JSON,
       R"({"data":{"x":1.0,"n":36893488147419103232},"e":"é�"})"},
      {R"([{"role": "system", "content": "be brief"}, {"role": "user", "content": [{"type": "t"}]}])",
       IFB_PROMPT_CHAT,
       R"(system={"role":"system","content":"be brief"} )"
       R"(user={"role":"user","content":[{"type":"t"}]})"},
      {R"([{"role": "user", "content": "x"}, {"type": "function_call", "name": "f"}])",
       IFB_PROMPT_CHAT,
       R"(user={"role":"user","content":"x"} ={"type":"function_call","name":"f"})"},
      {R"([{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": "u"}}])",
       IFB_PROMPT_PARTS,
       R"({"type":"text","text":"x"} {"type":"image_url","image_url":{"url":"u"}})"},
  };
  std::string text;
  for (const row& one : rows)  // the last of two equal members counts
    text +=
        std::string(R"({"prompt": [[[]]], "more": {"prompt": 1}, "prompt": )") + one.prompt + "}\n";
  const temporary_folder folder;
  custom_bench b(folder.write("rows.jsonl", text), {{"skip-chat-template", yes}}, nullptr);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  for (std::uint64_t i = 0; i < std::size(rows); ++i) {
    SCOPED_TRACE(rows[i].prompt);
    ASSERT_EQ(b.box.read(i), IFB_OK) << b.box.message();
    EXPECT_EQ(carried(b.box.sample), std::to_string(rows[i].shape) + ": " + rows[i].carried);
    EXPECT_EQ(b.box.sample.input_tokens, rows[i].tokens);
  }
}

TEST(custom_dataset, a_prompt_that_no_request_can_carry_is_refused_with_its_line) {
  const temporary_folder folder;
  const std::string path = folder.path("rows.jsonl");
  for (const char* const prompt :
       {"456", "null", "true", "[]", "[[]]", "[[1], []]", "[1, \"a\"]", "[1, [2]]", "[-1]", "[1.0]",
        "[4294967296]", "[null]", "[{}]", "[{\"type\": 1}]", "[{\"type\": \"text\"}, \"x\"]"}) {
    SCOPED_TRACE(prompt);
    folder.write("rows.jsonl", std::string("\n{\"prompt\": ") + prompt + "}");
    custom_bench b(path, {}, nullptr);
    EXPECT_EQ(b.trouble(path),
              "FILE:2: \"prompt\" must be a text, an object, or a list of texts, of token ids, of "
              "lists of token ids, of chat messages or of content parts");
    EXPECT_EQ(b.box.option_at_fault(), "path");
  }
  folder.write("rows.jsonl", R"({"prompt": {"x": NaN}})");
  custom_bench b(path, {}, nullptr);
  EXPECT_EQ(b.trouble(path),
            "FILE:1: it holds NaN or Infinity, which JSON does not have and no server is sent");
  folder.write("rows.jsonl", "{\"prompt\": {\"x\": " + std::string(100000, '[') +
                                 std::string(100000, ']') + "}}");
  custom_bench deep(path, {}, nullptr);
  EXPECT_EQ(deep.box.prepare(1), IFB_OK) << deep.box.message();
  EXPECT_EQ(deep.box.read(0), IFB_OK);
}

TEST(custom_dataset, with_a_tokenizer_only_texts_are_accepted_and_the_error_has_a_remedy) {
  const temporary_folder folder;
  const std::string path = folder.path("rows.jsonl");
  for (const char* const prompt : {"[\"which?\", \"one\"]", "[1, 2]", "{\"messages\": []}"}) {
    folder.write("rows.jsonl", std::string("{\"prompt\": ") + prompt + "}");
    custom_bench b(path);
    EXPECT_EQ(b.trouble(path),
              "FILE:1: \"prompt\" must be a text to be counted; --skip-tokenizer-init sends lists "
              "and objects as they are");
  }
}

TEST(custom_dataset, without_a_tokenizer_the_length_is_the_flag_s_else_the_row_s_else_none) {
  const temporary_folder folder;
  const std::string path = folder.write("rows.jsonl",
                                        "{\"prompt\": \"a\", \"output_tokens\": 40}\n"
                                        "{\"prompt\": [\"a\", \"b\"]}\n"
                                        "{\"prompt\": [1, 2], \"output_tokens\": null}\n");
  const auto lengths = [&](const settings& given, const ifb_tokenizer_service* tokenizer,
                           std::uint64_t rows) {
    custom_bench b(path, given, tokenizer);
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    std::vector<std::int64_t> out;
    for (std::uint64_t i = 0; i < rows; ++i) {
      EXPECT_EQ(b.box.read(i), IFB_OK) << b.box.message();
      out.push_back(b.box.sample.output_tokens);
    }
    return out;
  };
  EXPECT_THAT(lengths({}, nullptr, 3), ElementsAre(40, -1, -1));
  EXPECT_THAT(lengths({{"output-len", 256}}, nullptr, 3), ElementsAre(256, 256, 256));
  custom_bench each(path, {{"output-len", -1}}, nullptr);
  EXPECT_EQ(
      each.trouble(path),
      "FILE:2: the row has no \"output_tokens\", which is needed because the output length is -1; "
      "the row has only prompt");
  folder.write("rows.jsonl", "{\"prompt\": \"a\", \"output_tokens\": 40}\n{\"prompt\": \"a\"}\n");
  EXPECT_THAT(lengths({}, &support::echo_tokenizer, 2), ElementsAre(256, 256));
  folder.write("rows.jsonl", "{\"prompt\": \"a\", \"output_tokens\": 0}\n");
  custom_bench wrong(path, {}, nullptr);
  EXPECT_EQ(wrong.trouble(path), "FILE:1: \"output_tokens\" must be 1 to 2147483647, not 0");
}

TEST(custom_dataset, a_tokenizer_without_a_template_is_refused_with_the_remedy) {
  custom_bench b(fixture_path("custom.jsonl"), {}, &support::byte_counter);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(b.box.message(), HasSubstr("bytes has no chat template"));
  EXPECT_THAT(b.box.message(), HasSubstr("--skip-chat-template"));
}

TEST(custom_dataset, a_template_that_fails_says_so_with_its_row) {
  const temporary_folder folder;
  const std::string path =
      folder.write("rows.jsonl", "{\"prompt\": \"p\"}\n{\"prompt\": \"explode\"}");
  custom_bench b(path);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.read(1), IFB_E_DATA);
  EXPECT_EQ(b.box.message(), "TemplateError: it exploded");
}

TEST(custom_dataset, invalid_variables_are_refused) {
  for (const auto& [given, said] :
       {std::pair{"[1]", "a JSON object"}, std::pair{"{\"a\": }", "not JSON: "},
        std::pair{"{\"messages\": []}", "\"messages\" is set by the dataset"},
        std::pair{"{\"add_generation_prompt\": false}", "is set by the dataset"}}) {
    custom_bench b(fixture_path("custom.jsonl"), {{"chat-template-kwargs", given}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "chat-template-kwargs");
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  }
  custom_bench empty(fixture_path("custom.jsonl"), {{"chat-template-kwargs", "{ }"}});
  ASSERT_EQ(empty.box.prepare(1), IFB_OK);
  ASSERT_EQ(empty.box.read(0), IFB_OK);
  EXPECT_THAT(empty.box.prompt(), ::testing::EndsWith("true}"));
}

TEST(custom_dataset, one_malformed_row_ends_the_run_before_it_begins) {
  const std::string bad = fixture_path("custom_bad.jsonl");
  custom_bench b(bad);
  EXPECT_EQ(b.trouble(bad), "FILE:3:47: malformed JSON: the line ends inside the row");
  const temporary_folder folder;
  const std::string path = folder.path("rows.jsonl");
  for (const auto& [row, said] :
       {std::pair{"{\"text\": \"p\", \"output_tokens\": 4}",
                  "FILE:2: there is no \"prompt\", only text, output_tokens"},
        std::pair{"{\"prompt\": 456}", "FILE:2: \"prompt\" must be a text"},
        std::pair{"{\"prompt\": null}", "FILE:2: \"prompt\" must be a text"},
        std::pair{"[\"p\"]", "FILE:2: the row is not a JSON object"}}) {
    folder.write("rows.jsonl", std::string("{\"prompt\": \"0456\"}\n") + row + "\n");
    custom_bench one(path);
    EXPECT_EQ(one.trouble(path), said);
    EXPECT_EQ(one.box.option_at_fault(), "path");
  }
}

TEST(custom_dataset, of_a_large_file_a_row_is_looked_at_when_its_turn_comes) {
  const temporary_folder folder;
  const std::string row = R"({"prompt": ")" + std::string(1 << 20, 'p') + "\"}\n";
  std::string text;
  for (int i = 0; i < 65; ++i)
    text += row;
  const std::string path = folder.write("rows.jsonl", text + "{\"prompt\": 1}\n");
  custom_bench b(path, {{"skip-chat-template", yes}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 66);
  EXPECT_EQ(b.box.read(64), IFB_OK);
  EXPECT_EQ(b.box.read(65), IFB_E_DATA);
  EXPECT_EQ(b.box.message(), path + ":66: \"prompt\" must be a text");
}

TEST(custom_dataset, files_of_another_kind_are_refused) {
  custom_bench b(fixture_path("sharegpt.json"));
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "path");
  EXPECT_THAT(b.box.message(), HasSubstr("ends in .jsonl"));
  custom_bench missing("/nonexistent/rows.jsonl");
  EXPECT_EQ(missing.box.prepare(1), IFB_E_IO);
  const temporary_folder folder;
  const auto got = support::show("--dataset-name custom --skip-tokenizer-init --dataset-path '" +
                                 folder.write("rows.jsonl", "\n \n") + "'");
  EXPECT_EQ(got.status, 2);
  EXPECT_THAT(got.out, HasSubstr("dataset custom yields no request: it has no rows"));
}

}  // namespace
