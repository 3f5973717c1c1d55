#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

const std::string fixture = fixture_path("bfcl");

struct bench {
  explicit bench(const std::string& path,
                 const ifb_tokenizer_service* tokenizer = &support::echo_tokenizer) {
    if (tokenizer != nullptr) box.host.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    EXPECT_EQ(box.create(path.empty() ? settings{} : settings{{"path", path}}), IFB_OK)
        << box.message();
  }
  [[nodiscard]] std::string message(std::size_t index = 0) const {
    return std::string(ifb::view(ifb::view(box.sample.messages)[index].json));
  }
  [[nodiscard]] std::string overrides() const {
    return std::string(ifb::view(box.sample.overrides));
  }
  dataset_box box{"bfcl"};
};

// A folder with one file for each of the default categories; two files are empty.
struct one_file {
  explicit one_file(const std::string& rows) {
    for (const char* const name : {"live_simple", "multiple"})
      folder.write(std::string("BFCL_v3_") + name + ".json", "\n");
    path = folder.write("BFCL_v3_simple.json", rows);
  }
  temporary_folder folder;
  std::string path;
};

std::string row(const std::string& messages, const std::string& function) {
  return R"({"id": "x", "question": [)" + messages + R"(], "function": )" + function + "}\n";
}
const std::string turn = R"([{"role": "user", "content": "q"}])";
const std::string function = R"([{"name": "f"}])";

class bfcl_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(bfcl_golden, samples_are_the_same_as_in_upstream) {
  support::is_golden("bfcl", GetParam(), "--num-prompts 14 --dataset-path '" + fixture + "'");
}

INSTANTIATE_TEST_SUITE_P(seeds, bfcl_golden, ::testing::ValuesIn(support::golden_runs));

TEST(bfcl_dataset, a_row_is_its_first_turn_as_it_is_with_its_tools_beside) {
  const one_file files(
      row(R"([{"role": "system", "content": "be n\u00efce", "n": 1.5},)"
          R"( {"role": "user", "content": ["a", null], "x": [true, -7, 18446744073709551615]}],)"
          R"( [{"role": "user", "content": "second turn"}])",
          R"({"name": "f", "parameters": {"type": "dict", "properties":)"
          R"( {"a": {"type": "float"}, "type": {"type": "any", "enum": ["any"]},)"
          R"( "t": {"type": "tuple", "items": {"type": ["any"]}}, "i": {"type": "integer"}}}})"));
  bench b(files.folder.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 1);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE});
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_CHAT});
  ASSERT_EQ(b.box.sample.messages.count, 2U);
  EXPECT_EQ(b.message(0), R"({"role": "system", "content": "be n\u00efce", "n": 1.5})");
  EXPECT_EQ(b.message(1), R"({"role": "user", "content": ["a", null], )"
                          R"("x": [true, -7, 18446744073709551615]})");
  EXPECT_EQ(ifb::view(ifb::view(b.box.sample.messages)[0].role), "system");
  const std::string tools =
      R"([{"type": "function", "function": {"name": "f", "parameters": {"type": "object", )"
      R"("properties": {"a": {"type": "number"}, "type": {"type": "string", "enum": ["any"]}, )"
      R"("t": {"type": "array", "items": {"type": ["any"]}}, "i": {"type": "integer"}}}}}])";
  EXPECT_EQ(b.overrides(), R"({"tools": )" + tools + R"(, "tool_choice": "auto"})");
  ASSERT_EQ(b.box.sample.metadata_count, 1U);
  EXPECT_EQ(ifb::view(b.box.sample.metadata[0].name), "tools");
  EXPECT_EQ(ifb::view(b.box.sample.metadata[0].value), tools);
  EXPECT_EQ(b.box.sample.output_tokens, 512);
  // The length of the template's input, plus one token that the model adds.
  const std::string chat = R"({"messages": [)" + b.message(0) + ", " + b.message(1) +
                           R"(], "tools": )" + tools + R"(, "add_generation_prompt": true})";
  EXPECT_EQ(b.box.sample.input_tokens, static_cast<std::int64_t>(chat.size()) + 1);
  EXPECT_EQ(b.box.read(1), IFB_END);
}

TEST(bfcl_dataset, categories_come_in_turn_until_each_is_at_its_end) {
  bench b(fixture);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.info.rows, 12);
  // The categories simple, live_simple and multiple have 4, 3 and 5 rows. A row of multiple has two
  // functions.
  std::string order;
  for (std::uint64_t i = 0; i < 12; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    const std::string said = b.overrides();
    order += said.find("\"name\"") == said.rfind("\"name\"") ? 's' : 'm';
  }
  EXPECT_EQ(order, "ssmssmssmsmm");
}

TEST(bfcl_dataset, categories_are_chosen_with_commas_or_blanks_between) {
  const auto rows = [](const std::string& said) {
    const auto got = support::show("--dataset-name bfcl --tokenizer-mode bytes --num-prompts 0 " +
                                   ("--dataset-path '" + fixture) + "' --bfcl-categories " + said);
    EXPECT_EQ(got.status, 0) << got.out;
    return std::ranges::count(got.out, '\n');
  };
  EXPECT_EQ(rows("multiple"), 5);
  EXPECT_EQ(rows("' multiple,, simple '"), 9);
  EXPECT_EQ(rows("multiple live_simple"), 8);
  EXPECT_EQ(rows("' , '"), 12);
}

TEST(bfcl_dataset, rows_without_question_or_function_are_skipped_with_a_reason) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"function": [{"name": "f"}]})", "no \"question\""},
      {R"({"question": [], "function": [{"name": "f"}]})", "no \"question\""},
      {R"({"question": null, "function": [{"name": "f"}]})", "no \"question\""},
      {row(turn, "[]"), "no \"function\""},
      {row(turn, "{}"), "no \"function\""},
      {"{\"question\": [" + turn + "]}", "no \"function\""},
      {row("[]", function), "the first turn of \"question\" is not a list of messages"},
      {row("{}", function), "the first turn of \"question\" is not a list of messages"},
      {R"({"question": "abc", "function": [{"name": "f"}]})",
       "the first turn of \"question\" is not a list of messages"},
  };
  for (const auto& [text, reason] : cases) {
    SCOPED_TRACE(text);
    const one_file files("\n" + text);
    bench b(files.folder.path());
    ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.read(0), IFB_SKIP);
    EXPECT_EQ(b.box.message(), reason + ("; line 2 of " + files.path));
  }
}

TEST(bfcl_dataset, the_error_for_an_empty_result_says_why_rows_were_skipped) {
  const one_file files("{}\n" + row(turn, "[]") + "{}\n");
  const auto got = support::show("--dataset-name bfcl --tokenizer-mode bytes --disable-shuffle " +
                                 ("--dataset-path '" + files.folder.path()) + "'");
  EXPECT_EQ(got.status, 2);
  EXPECT_THAT(got.out, HasSubstr("dataset bfcl yields no request: 2 rows skipped: no \"question\" "
                                 "(first: line 1 of " +
                                 files.path + "); 1 row skipped: no \"function\" (first: line 2"));
}

TEST(bfcl_dataset, an_invalid_row_is_refused_with_its_line) {
  const std::string deep(1000, '[');
  for (const auto& [text, said] :
       {std::pair<std::string, std::string>{"[]", ":2: the row is not a JSON object"},
        {"{\"id\": ", ":2:8: malformed JSON: the line ends inside the row"},
        {row("[1]", function), ":2: a message is not an object"},
        {row(turn, R"([{"name": "f", "parameters": )" + deep + std::string(1000, ']') + "}]"),
         ":2: nested too deeply"},
        {row(turn, R"([{"name": "f"}, {"description": "g"}])"), ":2: a function has no \"name\""},
        {row(turn, R"([{"name": ""}])"), ":2: a function has no \"name\""},
        {row(turn, R"({"name": 5})"), ":2: a function has no \"name\""},
        {row(turn, R"(["f"])"), ":2: a function is not an object"}}) {
    SCOPED_TRACE(said);
    // A row that is skipped does not end the check.
    for (const std::string before : {"\n", "{}\n"}) {
      const one_file files(before + text);
      bench b(files.folder.path());
      EXPECT_EQ(b.box.prepare(1), IFB_E_DATA);
      EXPECT_EQ(b.box.message(), files.path + said);
    }
  }
}

TEST(bfcl_dataset, a_file_in_place_of_its_folder_is_refused) {
  const one_file files(row(turn, function));
  bench b(files.path);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "path");
  EXPECT_EQ(b.box.message(), files.path + " is a file; give its folder");
}

TEST(bfcl_dataset, if_the_template_fails_only_the_messages_are_counted_with_one_warning) {
  const one_file files(row(R"([{"role": "system", "content": "abc"}, {"role": "user", )"
                           R"("content": "explode"}, {"role": "user", "content": ["no text"]}])",
                           function) +
                       row(R"([{"role": "user", "content": "explode"}])", function));
  bench b(files.folder.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.input_tokens, 3 + 1 + 7 + 1 + 0 + 1);
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.sample.input_tokens, 8);
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts are counted without their tools, as the chat template fails: "
                          "TemplateError: it exploded"));

  bench without(files.folder.path(), &support::byte_counter);
  ASSERT_EQ(without.box.prepare(1), IFB_OK);
  ASSERT_EQ(without.box.read(1), IFB_OK);
  EXPECT_EQ(without.box.sample.input_tokens, 8);
  EXPECT_THAT(without.box.host.log(), ElementsAre(HasSubstr("bytes has no chat template")));
}

TEST(bfcl_dataset, a_category_that_is_not_there_is_named_with_its_file) {
  const temporary_folder folder;
  folder.write("BFCL_v3_simple.json", row(turn, function));
  bench b(folder.path());
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "categories");
  EXPECT_THAT(b.box.message(),
              ::testing::StartsWith("BFCL category 'live_simple' not found: the folder " +
                                    folder.path() + " has no BFCL_v3_live_simple.json"));
  EXPECT_THAT(b.box.message(), HasSubstr("simple, live_simple and multiple"));

  const auto turns = support::show("--dataset-name bfcl --tokenizer-mode bytes --dataset-path '" +
                                   folder.path() + "' --bfcl-categories multi_turn_base");
  EXPECT_EQ(turns.status, 2);
  EXPECT_THAT(turns.out, HasSubstr("several turns, which are not supported"));
}

TEST(bfcl_dataset, it_needs_a_tokenizer) {
  bench b(fixture, nullptr);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(b.box.message(), HasSubstr("--tokenizer-mode"));
}

std::string answer(const std::string& id, const std::string& calls) {
  return R"({"id": ")" + id + R"(", "ground_truth": )" + calls + "}\n";
}

/// The metadata `expected` of a sample; "none" if it is not there.
std::string expected_of(const ifb_sample& sample) {
  for (std::uint32_t i = 0; i < sample.metadata_count; ++i)
    if (ifb::view(sample.metadata[i].name) == "expected")
      return std::string(ifb::view(sample.metadata[i].value));
  return "none";
}

TEST(bfcl_dataset, possible_answers_beside_the_questions_are_the_expected_calls) {
  const std::string second = R"({"id": "y", "question": [)" + turn + R"(], "function": )" +
                             function + "}\n" + R"({"id": "z", "question": [)" + turn +
                             R"(], "function": )" + function + "}\n";
  one_file files(row(turn, function) + second);
  const std::string path = files.folder.write(
      "possible_answer/BFCL_v3_simple.json",
      answer("y", R"([{"f": {}}, {"g.h": {"a": [1, ""], "b": [["p", 2.5], {"q": ["r"]}]}}])") +
          "\n" + answer("x", R"([{"f": {"n": [7.0]}}])") + answer("x", R"([{"f": {}}])"));
  bench b(files.folder.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(expected_of(b.box.sample), R"([{"name": "f", "allowed": {"n": [7.0]}}])");
  ASSERT_EQ(b.box.read(1), IFB_OK) << b.box.message();
  EXPECT_EQ(expected_of(b.box.sample),
            R"([{"name": "f", "allowed": {}}, {"name": "g.h", "allowed": )"
            R"({"a": [1, ""], "b": [["p", 2.5], {"q": ["r"]}]}}])");
  ASSERT_EQ(b.box.read(2), IFB_OK) << b.box.message();
  EXPECT_EQ(expected_of(b.box.sample), "none");
  EXPECT_EQ(b.box.sample.metadata_count, 1U);
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre(
          path + ": 1 line repeats the id of an earlier line; the first answer with the id counts",
          "1 of 3 questions has no expected calls in " + path +
              "; for it only tools and schemas count"));
}

TEST(bfcl_dataset, questions_without_expected_calls_are_counted_if_there_is_a_file_of_answers) {
  const auto log = [](const std::string& answers) {
    const one_file files(row(turn, function) + row(turn, function));
    if (!answers.empty()) files.folder.write("possible_answer/BFCL_v3_simple.json", answers);
    bench b(files.folder.path());
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    return b.box.host.log();
  };
  EXPECT_THAT(log(""), ::testing::IsEmpty());
  EXPECT_THAT(log(answer("x", R"([{"f": {}}])")), ::testing::IsEmpty());
  const auto all_missing = HasSubstr("2 of 2 questions have no expected calls in ");
  EXPECT_THAT(log("\n"), ElementsAre(all_missing));
  EXPECT_THAT(log(answer("other", R"([{"f": {}}])")), ElementsAre(all_missing));
}

TEST(bfcl_dataset, possible_answers_of_another_form_are_left_out_with_a_warning) {
  one_file files(row(turn, function));
  const std::string path = files.folder.write(
      "possible_answer/BFCL_v3_simple.json",
      answer("x", R"(["f(a=1) "])") + answer("x", "[]") + answer("x", R"([{"f": {"a": 1}}])") +
          answer("x", R"([{"f": {}, "g": {}}])") + answer("x", "null") + answer("", "[]") +
          R"({"ground_truth": [{"f": {}}]})" + "\n{}\n" + answer("x", R"([[{"f": {}}]])"));
  bench b(files.folder.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(expected_of(b.box.sample), "none");
  EXPECT_THAT(b.box.host.log(), ElementsAre(::testing::StartsWith(path + ": 9 lines have no id"),
                                            HasSubstr("1 of 1 question has no expected")));
}

TEST(bfcl_dataset, an_invalid_possible_answer_is_refused_with_its_line) {
  one_file files(row(turn, function));
  const std::string path = files.folder.write("possible_answer/BFCL_v3_simple.json", "\n[]\n");
  bench broken(files.folder.path());
  EXPECT_EQ(broken.box.prepare(1), IFB_E_DATA);
  EXPECT_EQ(broken.box.message(), path + ":2: the row is not a JSON object");

  files.folder.write(
      "possible_answer/BFCL_v3_simple.json",
      answer("x", R"([{"f": {"a": [)" + std::string(1000, '[') + std::string(1000, ']') + "]}}]"));
  bench deep(files.folder.path());
  EXPECT_EQ(deep.box.prepare(1), IFB_E_DATA);
  EXPECT_EQ(deep.box.message(), path + ":1: nested too deeply");
}

TEST(bfcl_dataset, possible_answers_in_the_syntax_of_java_are_not_read) {
  const temporary_folder folder;
  for (const char* const category : {"java", "javascript", "simple"}) {
    folder.write("BFCL_v3_" + std::string(category) + ".json", row(turn, function));
    folder.write("possible_answer/BFCL_v3_" + std::string(category) + ".json", "no answer");
  }
  const auto status = [&](const std::string& categories) {
    return support::show("--dataset-name bfcl --tokenizer-mode bytes --dataset-path '" +
                         folder.path() + "' --bfcl-categories " + categories)
        .status;
  };
  EXPECT_EQ(status("java,javascript"), 0);
  EXPECT_EQ(status("simple"), 2);
}

// Sets the environment variables of the hub during the test.
class hub_cache {
 public:
  explicit hub_cache(const std::string& folder) {
    ::setenv("HF_HUB_CACHE", folder.c_str(), 1);
    ::setenv("HF_HUB_OFFLINE", "1", 1);
  }
  ~hub_cache() {
    ::unsetenv("HF_HUB_CACHE");
    if (!was_offline_) ::unsetenv("HF_HUB_OFFLINE");
  }
  hub_cache(const hub_cache&) = delete;
  hub_cache& operator=(const hub_cache&) = delete;

 private:
  bool was_offline_ = std::getenv("HF_HUB_OFFLINE") != nullptr;
};

TEST(bfcl_dataset, files_of_the_hub_come_from_its_cache) {
  const temporary_folder cache;
  const hub_cache used(cache.path());
  const auto refused = [](const char* path) {
    bench b(path);
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    return b.box.message();
  };
  // Without a path the dataset is that of the leaderboard.
  EXPECT_THAT(refused(""), HasSubstr("gorilla-llm/Berkeley-Function-Calling-Leaderboard"));
  EXPECT_THAT(refused("org/name"), HasSubstr("HF_HUB_OFFLINE forbids fetching it"));
  EXPECT_THAT(refused("no/such/folder"), HasSubstr("there is no folder \"no/such/folder\""));

  const std::string commit(40, 'c');
  cache.write("datasets--org--name/refs/main", commit);
  for (const char* const name : {"simple", "live_simple", "multiple"})
    cache.write("datasets--org--name/snapshots/" + commit + "/BFCL_v3_" + name + ".json",
                row(turn, function));
  bench b("org/name");
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 3);
  ASSERT_EQ(b.box.read(2), IFB_OK);
  EXPECT_EQ(b.message(), R"({"role": "user", "content": "q"})");
  EXPECT_EQ(expected_of(b.box.sample), "none");

  cache.write("datasets--org--name/snapshots/" + commit + "/possible_answer/BFCL_v3_multiple.json",
              answer("x", R"([{"f": {}}])"));
  bench with_answers("org/name");
  ASSERT_EQ(with_answers.box.prepare(1), IFB_OK) << with_answers.box.message();
  ASSERT_EQ(with_answers.box.read(2), IFB_OK);
  EXPECT_EQ(expected_of(with_answers.box.sample), R"([{"name": "f", "allowed": {}}])");
}

}  // namespace
