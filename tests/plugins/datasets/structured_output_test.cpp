#include <bit>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::expect_golden;
using support::data_file;
using support::dataset_box;
using support::setting;
using support::settings;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string structured_fixtures =
    std::string(INFERBENCH_FIXTURES) + "/datasets/structured-output/";
const std::string evaluation_file = structured_fixtures + "json-mode-eval.jsonl";

setting real_number(double value) { return std::bit_cast<std::int64_t>(value); }

struct structured_bench {
  explicit structured_bench(const settings& given,
                            const ifb_tokenizer_service* tokenizer = &support::echo_tokenizer) {
    if (tokenizer != nullptr) box.host.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }

  /// The value of a metadata field; "-" if it is absent.
  [[nodiscard]] std::string field(std::string_view name) const {
    for (std::size_t i = 0; i < box.sample.metadata_count; ++i)
      if (ifb::view(box.sample.metadata[i].name) == name)
        return std::string(ifb::view(box.sample.metadata[i].value));
    return "-";
  }
  [[nodiscard]] std::string overrides() const {
    return std::string(ifb::view(box.sample.overrides));
  }

  /// All that a sample contains.
  [[nodiscard]] std::string text_of(std::uint64_t row) {
    EXPECT_EQ(box.read(row), IFB_OK) << box.message();
    EXPECT_EQ(box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
    EXPECT_EQ(box.sample.prompt.count, 1U);
    std::string out = "row " + std::to_string(row) + "\nprompt (" +
                      std::to_string(box.sample.input_tokens) + "): " + box.prompt() + "\n";
    for (const auto& message : ifb::view(box.sample.messages))
      out += "message: " + std::string(ifb::view(message.json)) + "\n";
    out += "answer: " + std::to_string(box.sample.output_tokens) + "\n";
    out += "overrides: " + overrides() + "\n";
    for (std::size_t i = 0; i < box.sample.metadata_count; ++i)
      out += std::string(ifb::view(box.sample.metadata[i].name)) + ": " +
             std::string(ifb::view(box.sample.metadata[i].value)) + "\n";
    return out;
  }

  /// The numbers of the constrained rows among the first `rows` rows.
  [[nodiscard]] std::set<std::uint64_t> constrained(std::uint64_t rows) {
    std::set<std::uint64_t> out;
    for (std::uint64_t row = 0; row < rows; ++row) {
      EXPECT_EQ(box.read(row), IFB_OK) << box.message();
      const bool asks = box.sample.overrides.size != 0;
      EXPECT_EQ(field("structured.constrained"), asks ? "true" : "false");
      if (asks) out.insert(row);
    }
    return out;
  }

  dataset_box box{"structured-output"};
};

// Reads three rows of seed 0, of which two are constrained.
class structured_output_golden : public ::testing::TestWithParam<const char*> {};

TEST_P(structured_output_golden, samples_of_a_seed_are_always_the_same) {
  const std::string kind = GetParam();
  for (const bool guided : {false, true}) {
    settings given{{"dataset", kind},
                   {"ratio", real_number(0.7)},
                   {"output-len", 64},
                   {"guided", std::int64_t{guided}}};
    if (kind == "xgrammar_bench") given["path"] = evaluation_file;
    structured_bench b(given);
    ASSERT_EQ(b.box.prepare(3, 0), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.info.rows, 3);
    std::string found;
    for (std::uint64_t row = 0; row < 3; ++row)
      found += b.text_of(row);
    EXPECT_EQ(b.box.read(3), IFB_END);
    expect_golden(found, structured_fixtures + kind + (guided ? "_guided" : "") + ".txt");
  }
}

INSTANTIATE_TEST_SUITE_P(kinds, structured_output_golden,
                         ::testing::Values("json", "json-unique", "grammar", "regex", "choice",
                                           "xgrammar_bench"));

TEST(structured_output, the_ratio_chooses_the_rows_that_python_draws) {
  const auto rows_of = [](double ratio, std::uint64_t seed) {
    structured_bench b({{"dataset", "choice"}, {"ratio", real_number(ratio)}});
    EXPECT_EQ(b.box.prepare(10, seed), IFB_OK) << b.box.message();
    return b.constrained(10);
  };
  using numbers = std::set<std::uint64_t>;
  EXPECT_EQ(rows_of(0, 0), numbers{});
  // python3 -c "import random; random.seed(0); print(sorted(random.sample(range(10), 3)))"
  EXPECT_EQ(rows_of(0.3, 0), (numbers{0, 6, 9}));
  EXPECT_EQ(rows_of(0.39, 0), (numbers{0, 6, 9})) << "3.9 is cut to 3";
  EXPECT_EQ(rows_of(0.3, 42), (numbers{0, 1, 4}));
  EXPECT_EQ(rows_of(1, 0).size(), 10U);
}

TEST(structured_output, rows_without_an_end_are_drawn_one_by_one) {
  const auto count_of = [](double ratio, std::uint64_t seed) {
    structured_bench b({{"dataset", "json-unique"}, {"ratio", real_number(ratio)}});
    EXPECT_EQ(b.box.prepare(0, seed), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.info.rows, -1);
    EXPECT_NE(b.box.operations().flags & IFB_DATASET_ENDLESS, 0U);
    const std::string far = b.text_of(123'456'789'012);
    const auto all = b.constrained(1000);
    EXPECT_EQ(b.constrained(1000), all) << "the same at every call";
    EXPECT_EQ(b.text_of(123'456'789'012), far);
    return all.size();
  };
  EXPECT_EQ(count_of(0, 1), 0U);
  EXPECT_EQ(count_of(1, 1), 1000U);
  // Five standard deviations of a binomial share.
  EXPECT_NEAR(static_cast<double>(count_of(0.3, 1)), 300, 73);
}

TEST(structured_output, no_schema_of_json_unique_occurs_twice) {
  structured_bench b(settings{{"dataset", "json-unique"}});
  ASSERT_EQ(b.box.prepare(200, 5), IFB_OK) << b.box.message();
  std::set<std::string> schemas;
  for (std::uint64_t row = 0; row < 200; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK);
    const std::string schema = b.field("structured.schema");
    EXPECT_THAT(b.box.prompt(), EndsWith(schema));
    EXPECT_EQ(b.overrides(), R"({"structured_outputs": {"json": )" + schema + "}}");
    schemas.insert(schema);
  }
  EXPECT_EQ(schemas.size(), 200U);
}

TEST(structured_output, a_schema_comes_from_the_user_s_file) {
  const data_file file("{\"type\":\"object\",\n \"properties\":{\"n\":{\"type\":\"integer\"}}}\n");
  structured_bench b(settings{{"schema-path", file.path()}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK);
  const std::string schema = R"({"type": "object", "properties": {"n": {"type": "integer"}}})";
  EXPECT_EQ(b.field("structured.schema"), schema);
  EXPECT_THAT(b.box.prompt(), EndsWith(": " + schema));
  EXPECT_EQ(b.overrides(), R"({"structured_outputs": {"json": )" + schema + "}}");
}

TEST(structured_output, a_file_that_is_no_schema_is_refused_with_its_name) {
  const data_file file("");
  const auto refused = [&](const std::string& text, const std::string& why) {
    file.write(text);
    structured_bench b({{"dataset", "json-unique"}, {"schema-path", file.path()}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_DATA) << text;
    EXPECT_EQ(b.box.option_at_fault(), "schema-path");
    EXPECT_EQ(b.box.message(), file.path() + ": " + why + "; give a file with a JSON schema");
  };
  refused("{\"type\":\n x}", "malformed JSON at line 2, column 2: Invalid value");
  refused("", "malformed JSON at line 1, column 1: The document is empty");
  refused("[1]", "the JSON value is not an object");
  refused(R"({"properties": ["a"]})", R"("properties" of the schema are not an object)");
  refused(R"({"a": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
          "the schema is nested more than 200 levels deep");
  structured_bench b(settings{{"schema-path", "/nowhere/at-all.json"}});
  EXPECT_EQ(b.box.prepare(1), IFB_E_IO);
  EXPECT_EQ(b.box.option_at_fault(), "schema-path");
  EXPECT_THAT(b.box.message(), HasSubstr("/nowhere/at-all.json"));
}

TEST(structured_output, an_unknown_kind_is_refused) {
  dataset_box box("structured-output");
  EXPECT_EQ(box.create({{"dataset", "xml"}}), IFB_E_CONFIG);
  EXPECT_EQ(box.option_at_fault(), "dataset");
  EXPECT_THAT(box.message(), HasSubstr("\"xml\" is none of its choices"));
}

TEST(structured_output, files_that_a_kind_does_not_use_are_named) {
  structured_bench b({{"dataset", "regex"}, {"schema-path", "/s.json"}, {"path", "org/name"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              AllOf(Contains("the schema file is not used with the kind regex"),
                    Contains("the data set org/name is not used with the kind regex")));
}

TEST(structured_output, the_tokens_of_the_only_prompt_are_told) {
  structured_bench b(settings{{"dataset", "grammar"}});
  ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_THAT(b.box.host.log(), Contains("all requests have the same prompt of " +
                                         std::to_string(b.box.sample.input_tokens) + " tokens"));
}

TEST(structured_output, only_prefixes_and_templates_need_a_tokenizer) {
  structured_bench b(settings{{"dataset", "grammar"}}, nullptr);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.sample.input_tokens, -1);

  const auto refused = [](const settings& given) {
    structured_bench without(given, nullptr);
    EXPECT_EQ(without.box.prepare(1), IFB_E_CONFIG);
    EXPECT_THAT(without.box.message(), HasSubstr("--tokenizer-mode"));
  };
  refused(settings{{"random-prefix-len", 3}});
  refused({{"dataset", "xgrammar-bench"}, {"path", evaluation_file}});

  structured_bench plain(
      {{"dataset", "xgrammar-bench"}, {"path", evaluation_file}, {"skip-chat-template", 1}},
      nullptr);
  ASSERT_EQ(plain.box.prepare(1), IFB_OK) << plain.box.message();
  ASSERT_EQ(plain.box.read(0), IFB_OK);
  EXPECT_THAT(plain.box.prompt(), AllOf(StartsWith("You answer in JSON"), EndsWith("old.")));
  EXPECT_EQ(plain.box.sample.messages.count, 2U);
}

TEST(structured_output, all_prompts_begin_with_the_same_random_tokens) {
  support::number_tokenizer tokens;
  tokens.size = 20;
  tokens.special = {0, 1, 2};
  tokens.skipped = {0, 1, 2, 3, 4};
  // This tokenizer knows numbers only: every other character is the token 0.
  const auto prompt_of = [&](std::uint64_t seed, std::int64_t length, std::uint64_t row) {
    structured_bench b({{"dataset", "json-unique"}, {"random-prefix-len", length}}, nullptr);
    tokens.offer(b.box.host);
    EXPECT_EQ(b.box.prepare(3, seed), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    return b.box.prompt();
  };
  ifb::numpy_pcg64 random(7);
  std::string prefix;
  for (int i = 0; i < 50; ++i)
    prefix += std::to_string(5 + random.integer(0, 15)) + " ";
  for (std::uint64_t row = 0; row < 3; ++row)
    EXPECT_THAT(prompt_of(7, 50, row), StartsWith(prefix + "0 0 0"));
  EXPECT_THAT(prompt_of(8, 50, 0), Not(StartsWith(prefix)));
  EXPECT_THAT(prompt_of(7, 0, 0), StartsWith("Write a short example"));
}

TEST(structured_output, rows_of_the_data_set_repeat_without_the_rows_that_are_left_out) {
  structured_bench b({{"dataset", "xgrammar_bench"}, {"path", evaluation_file}});
  ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
  EXPECT_THAT(
      b.box.host.log(),
      Contains(evaluation_file + " has 4 rows to use; 2 are left out, because xgrammar does not "
                                 "support all features of the schema"));
  std::vector<std::string> expected;
  for (std::uint64_t row = 0; row < 10; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    expected.push_back(b.field("expected"));
  }
  const std::vector<std::string> once = {R"({"name": "Bo", "age": 41})",
                                         "{\"page\": \"https://caf\xC3\xA9.example\"}",
                                         R"({"colours": ["red", "green"]})", "-"};
  for (std::size_t row = 0; row < 10; ++row)
    EXPECT_EQ(expected[row], once[row % 4]) << row;

  structured_bench endless({{"dataset", "xgrammar_bench"}, {"path", evaluation_file}});
  ASSERT_EQ(endless.box.prepare(0), IFB_OK) << endless.box.message();
  ASSERT_EQ(endless.box.read(4'000'000'000'001), IFB_OK) << endless.box.message();
  EXPECT_EQ(endless.field("expected"), once[1]);
}

TEST(structured_output, older_servers_support_other_schemas) {
  structured_bench b({{"dataset", "xgrammar_bench"}, {"path", evaluation_file}, {"guided", 1}});
  ASSERT_EQ(b.box.prepare(4), IFB_OK) << b.box.message();
  std::vector<std::string> expected;
  for (std::uint64_t row = 0; row < 4; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    expected.push_back(b.field("expected"));
  }
  EXPECT_THAT(expected, AllOf(Contains(R"({"code": "AB"})"), Not(Contains(HasSubstr("colours")))));
}

TEST(structured_output, malformed_rows_of_the_data_set_are_left_out_with_a_warning) {
  const auto row = [](const char* prompt, const char* schema) {
    return R"({"prompt": )" + std::string(prompt) + R"(, "schema": )" + schema + "}\n";
  };
  const char* good = R"([{"role": "user", "content": "q"}])";
  const data_file file(row(good, R"("{}")") + row("[]", R"("{}")") + row(good, "{}") +
                       row(good, R"("{")") + row(good, "null") + row(R"(["q"])", R"("{}")") +
                       row(R"([{"role": "user", "content": null}])", R"("{}")"));
  structured_bench b({{"dataset", "xgrammar_bench"}, {"path", file.path()}});
  ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(), Contains(AllOf(StartsWith("6 rows of "), HasSubstr("the first: "),
                                               EndsWith("\"prompt\" is not a list of messages"))));
  EXPECT_THAT(b.text_of(1), HasSubstr(R"(message: {"role": "user", "content": "q"})"));

  file.write(row("[]", R"("{}")") + row(good, R"("{\"type\": \"array\", \"contains\": {}}")"));
  structured_bench none({{"dataset", "xgrammar_bench"}, {"path", file.path()}});
  EXPECT_EQ(none.box.prepare(2), IFB_E_DATA);
  EXPECT_EQ(none.box.option_at_fault(), "path");
  EXPECT_THAT(none.box.message(), AllOf(HasSubstr("has no row that can be used: 1 is left out"),
                                        HasSubstr("1 is malformed")));
}

TEST(structured_output, a_row_that_the_template_refuses_is_named_with_its_option) {
  const data_file file(R"({"prompt": [{"role": "user", "content": "q"}], "schema": "{}"})"
                       "\n"
                       R"({"prompt": [{"role": "user", "content": "explode"}], "schema": "{}"})"
                       "\n");
  structured_bench b({{"dataset", "xgrammar_bench"}, {"path", file.path()}});
  ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.read(1), IFB_E_DATA);
  EXPECT_EQ(b.box.option_at_fault(), "path");
  EXPECT_THAT(b.box.message(), AllOf(HasSubstr(file.path() + ":2: "), HasSubstr("it exploded"),
                                     HasSubstr("--skip-chat-template")));
}

TEST(structured_output, a_data_set_without_rows_is_refused) {
  const data_file file("\n");
  structured_bench b({{"dataset", "xgrammar_bench"}, {"path", file.path()}});
  EXPECT_EQ(b.box.prepare(2), IFB_E_DATA);
  EXPECT_EQ(b.box.option_at_fault(), "path");
  EXPECT_THAT(b.box.message(), HasSubstr(file.path()));
}

TEST(structured_output, random_tokens_are_in_the_first_message_too) {
  support::number_tokenizer tokens;
  const data_file file(
      R"({"prompt": [{"role": "system", "content": "7"}, {"role": "user", "content": "8"}], )"
      R"("schema": "{}"})");
  structured_bench b({{"dataset", "xgrammar_bench"},
                      {"path", file.path()},
                      {"skip-chat-template", 1},
                      {"random-prefix-len", 2}},
                     nullptr);
  tokens.offer(b.box.host);
  ASSERT_EQ(b.box.prepare(1, 4), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  ifb::numpy_pcg64 random(4);
  const std::string first = std::to_string(random.integer(0, 1000));
  const std::string prefix = first + " " + std::to_string(random.integer(0, 1000));
  EXPECT_EQ(b.box.prompt(), prefix + " 7 8");
  EXPECT_EQ(b.box.sample.input_tokens, 4);
  const auto messages = ifb::view(b.box.sample.messages);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(ifb::view(messages[0].json), R"({"role": "system", "content": ")" + prefix + R"(7"})");
  EXPECT_EQ(ifb::view(messages[1].json), R"({"role": "user", "content": "8"})");
}

// Sets the environment variables of the hub during the test.
class offline_hub {
 public:
  explicit offline_hub(const std::string& cache) {
    ::setenv("HF_HUB_CACHE", cache.c_str(), 1);
    ::setenv("HF_HUB_OFFLINE", "1", 1);
  }
  ~offline_hub() {
    ::unsetenv("HF_HUB_CACHE");
    if (!was_offline_) ::unsetenv("HF_HUB_OFFLINE");
  }
  offline_hub(const offline_hub&) = delete;
  offline_hub& operator=(const offline_hub&) = delete;

 private:
  bool was_offline_ = std::getenv("HF_HUB_OFFLINE") != nullptr;
};

TEST(structured_output, the_data_set_comes_from_the_cache_of_the_hub) {
  const inferbench::support::temporary_folder cache;
  const offline_hub used(cache.path());
  const settings given{{"dataset", "xgrammar_bench"}};
  structured_bench without(given);
  EXPECT_LT(without.box.prepare(1), 0);
  EXPECT_EQ(without.box.option_at_fault(), "path");
  EXPECT_THAT(without.box.message(), HasSubstr("NousResearch/json-mode-eval"));

  const std::string commit(40, 'c');
  const std::string folder = "datasets--NousResearch--json-mode-eval/";
  cache.write(folder + "refs/main", commit);
  cache.write(folder + "snapshots/" + commit + "/train.jsonl",
              support::read_fixture("datasets/structured-output/json-mode-eval.jsonl"));
  structured_bench b(given);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.field("expected"), R"({"name": "Bo", "age": 41})");
}

}  // namespace
