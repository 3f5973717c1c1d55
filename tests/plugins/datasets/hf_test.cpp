// The dataset hf with files of JSON, which need no DuckDB.
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

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
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string zeta = fixture_path("hf/zed-industries--zeta");
const std::string vicuna = fixture_path("hf/Aeala--ShareGPT_Vicuna_unfiltered");

struct printed_text {
  static std::string& text() {
    static std::string all;
    return all;
  }
  static constexpr ifb_console_service table = {
      sizeof(ifb_console_service), 0,
      [](const ifb_host*, ifb_str said) { text() += ifb::view(said); },
      [](const ifb_host*, ifb_str, ifb_str) {}};
};

// The plugin with a tokenizer of bytes, and with options.
struct bench {
  explicit bench(const settings& given, bool counts = true) {
    if (counts) box.host.services[IFB_SERVICE_TOKENIZER] = &support::echo_tokenizer;
    box.host.services[IFB_SERVICE_CONSOLE] = &printed_text::table;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The prompts of all rows, or the reason for a row that is skipped.
  std::vector<std::string> prompts() {
    std::vector<std::string> out;
    for (std::uint64_t i = 0;; ++i) {
      const ifb_status status = box.read(i);
      if (status == IFB_END) return out;
      out.push_back(status == IFB_OK ? box.prompt() : box.message());
      if (status < 0) return out;
    }
  }
  std::string refusal() {
    EXPECT_LT(box.prepare(1), 0);
    return box.message();
  }
  dataset_box box{"hf"};
};

TEST(hf_dataset, rows_are_made_by_the_recipe_of_the_id) {
  bench b({{"path", zeta}, {"hf-name", "zed-industries/zeta"}});
  ASSERT_EQ(b.box.prepare(6), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 6);
  // The reader has shuffled the rows, and the host must not.
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_OVERSAMPLE | IFB_DATASET_PARALLEL});
  const auto prompts = b.prompts();
  ASSERT_EQ(prompts.size(), 6U);
  for (const std::string& each : prompts)
    EXPECT_THAT(each, StartsWith("### Instruction:\nYou are a code completion assistant"));
  // A row is the same whenever it is read.
  for (const std::uint64_t i : {5U, 0U, 3U, 3U}) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.prompt(), prompts[i]);
  }
}

TEST(hf_dataset, the_seed_and_the_split_decide_the_rows) {
  const auto rows = [](std::uint64_t seed, const char* split) {
    settings given{{"path", zeta}, {"hf-name", "zed-industries/zeta"}};
    if (split != nullptr) given["hf-split"] = split;
    bench b(given);
    EXPECT_EQ(b.box.prepare(1, seed), IFB_OK) << b.box.message();
    return b.prompts();
  };
  const auto train = rows(0, nullptr);
  EXPECT_EQ(rows(0, "train"), train);
  EXPECT_NE(rows(1, nullptr), train);
  EXPECT_THAT(rows(1, nullptr), ::testing::UnorderedElementsAreArray(train));
  EXPECT_EQ(rows(0, "eval").size(), 2U);
}

TEST(hf_dataset, unfit_rows_are_skipped_with_reason_and_place) {
  const temporary_folder folder;
  const std::string turn = R"({"from": "x", "value": "long enough"})";
  folder.write("train.json",
               R"([{"conversations": []}, {"conversations": [)" + turn + ", " + turn +
                   R"(]}, {"conversations": null}, {"conversations": [)" + turn +
                   R"(, {"from": "x", "value": "s"}]}, {"conversations": ["a", "b"]}])");
  bench b({{"path", folder.path()}, {"hf-name", "Aeala/ShareGPT_Vicuna_unfiltered"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.prompts(),
              ::testing::UnorderedElementsAre(
                  StartsWith("fewer than two turns; "), "long enough",
                  StartsWith("no value in \"conversations\"; "),
                  StartsWith("answer shorter than 4 tokens; "),
                  StartsWith("UndefinedError: 'str object' has no attribute 'value'; ")));
}

TEST(hf_dataset, rows_that_cannot_be_read_are_skipped_with_reason_and_place) {
  const temporary_folder folder;
  const std::string file = folder.write("train.jsonl",
                                        "{\"question\": \"which one?\"}\n{\"question\": \n"
                                        "{\"question\": \"which two?\"}\n{\"a\": 1} 2\n");
  bench b({{"path", file}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.prompts(),
              ::testing::UnorderedElementsAre(
                  "which one?", "malformed JSON: the line ends inside the row; " + file + ":2",
                  "which two?",
                  "malformed JSON: text after the row, a row is one JSON object on one line; " +
                      file + ":4"));
}

TEST(hf_dataset, a_length_of_the_user_replaces_the_recorded_one) {
  bench b({{"path", vicuna},
           {"hf-name", "Aeala/ShareGPT_Vicuna_unfiltered"},
           {"output-len", std::int64_t{3}}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.prompt(), StartsWith("Vicuna question "));
  EXPECT_EQ(b.box.sample.input_tokens, 19);
  EXPECT_EQ(b.box.sample.output_tokens, 3);
}

TEST(hf_dataset, a_recipe_of_one_s_own_is_used_from_its_file) {
  const temporary_folder folder;
  const std::string recipe = folder.write("my.toml",
                                          "chat-template = \"unless-skipped\"\nsplit = \"eval\"\n"
                                          "prompt = \"{{ assertions }}\"\n[output]\ntokens = 7\n");
  bench b({{"path", zeta}, {"hf-recipe", recipe}, {"skip-chat-template", std::int64_t{1}}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 2);
  bench rendered({{"path", zeta}, {"hf-recipe", recipe}});
  ASSERT_EQ(rendered.box.prepare(1), IFB_OK);
  EXPECT_EQ(rendered.box.info.flags,
            std::uint32_t{IFB_DATASET_OVERSAMPLE | IFB_DATASET_RENDERED | IFB_DATASET_PARALLEL});
}

TEST(hf_dataset, files_without_a_recipe_are_read_by_their_columns) {
  const temporary_folder folder;
  const std::string file =
      folder.write("rows.jsonl", R"({"id": 1, "question": "which one?", "answer": "this"})"
                                 "\n"
                                 R"({"id": 2, "question": "which two?"})"
                                 "\n"
                                 R"({"id": 3, "question": "?"})"
                                 "\n"
                                 R"({"id": 4, "question": 5})"
                                 "\n");
  bench b({{"path", file}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ::testing::Contains(AllOf(HasSubstr("there is no recipe for " + file),
                                        HasSubstr("give its id with --hf-name"))));
  EXPECT_THAT(b.prompts(),
              ::testing::UnorderedElementsAre(
                  "which one?", "which two?", StartsWith("prompt shorter than 4 tokens; "),
                  StartsWith("no column with a usual name has a text; ")));
}

TEST(hf_dataset, an_unknown_id_of_a_recipe_is_named) {
  const temporary_folder folder;
  const std::string file = folder.write("rows.jsonl", "{\"question\": \"which one?\"}\n");
  bench b({{"path", file}, {"hf-name", "no/such"}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_THAT(b.box.host.log(),
              ::testing::Contains(HasSubstr("there is no recipe for no/such: its columns")));
}

TEST(hf_dataset, a_readme_that_cannot_be_read_causes_one_warning) {
  const temporary_folder folder;
  folder.write("README.md", "---\nconfigs: [\n---\n");
  folder.write("train.jsonl", "{\"question\": \"which one?\"}\n");
  bench b({{"path", folder.path()},
           {"hf-name", "openai/gsm8k"},
           {"skip-chat-template", std::int64_t{1}}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(std::ranges::count_if(
                b.box.host.log(),
                [](const std::string& line) { return line.find("README.md") != line.npos; }),
            1);
}

TEST(hf_dataset, without_a_usual_column_the_columns_are_listed) {
  const temporary_folder folder;
  const std::string file = folder.write("rows.jsonl", "{\"mine\": \"a text\", \"other\": 1}\n");
  bench b({{"path", file}});
  const std::string said = b.refusal();
  EXPECT_THAT(said, HasSubstr("mine, other"));
  EXPECT_THAT(said, HasSubstr("--hf-text-column"));
  bench named({{"path", file}, {"hf-text-column", "mine"}});
  ASSERT_EQ(named.box.prepare(1), IFB_OK) << named.box.message();
  EXPECT_THAT(named.prompts(), ElementsAre("a text"));
  bench number({{"path", file}, {"hf-text-column", "other"}});
  ASSERT_EQ(number.box.prepare(1), IFB_OK);
  EXPECT_THAT(number.prompts(), ElementsAre(StartsWith("the prompt is not a text; ")));
}

TEST(hf_dataset, a_copy_may_lack_the_subset_and_the_split_of_the_recipe) {
  const temporary_folder folder;
  const std::string file = folder.write("train.jsonl", "{\"question\": \"which one?\"}\n");
  for (const std::string& path : {file, folder.path()}) {
    bench b({{"path", path}, {"hf-name", "openai/gsm8k"}, {"skip-chat-template", std::int64_t{1}}});
    ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    EXPECT_THAT(b.prompts(), ElementsAre("which one?"));
  }
  bench chosen({{"path", folder.path()}, {"hf-name", "openai/gsm8k"}, {"hf-split", "other"}});
  EXPECT_THAT(chosen.refusal(), HasSubstr("other"));
  EXPECT_EQ(chosen.box.option_at_fault(), "hf-split");
}

TEST(hf_dataset, a_column_that_the_recipe_needs_is_named_with_those_there_are) {
  bench b({{"path", vicuna}, {"hf-name", "openai/gsm8k"}});
  const std::string said = b.refusal();
  EXPECT_THAT(said, HasSubstr("question"));
  EXPECT_THAT(said, HasSubstr("id, conversations"));
}

TEST(hf_dataset, videos_are_named_by_their_paths_and_rows_without_theirs_are_skipped) {
  const temporary_folder folder;
  const std::string row =
      R"({"question": "Q?", "choices": {"A": "x", "B": ""}, "video": "https://huggingface.co/)"
      R"(datasets/yale-nlp/MMVU/resolve/main/videos/)";
  folder.write("validation.json", "[" + row + "1.mp4\"}, " + row + "2.mp4\"}]");
  folder.write("videos/1.mp4", "any");
  bench b({{"path", folder.path()}, {"hf-name", "yale-nlp/MMVU"}});
  ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
  EXPECT_THAT(b.prompts(), ::testing::UnorderedElementsAre(
                               "Q? A.x B.", "the data set lacks the file that \"video\" names; " +
                                                folder.path() + "/validation.json, row 2"));
  for (const std::uint64_t i : {0U, 1U}) {
    if (b.box.read(i) != IFB_OK) continue;
    const auto media = ifb::view(b.box.sample.media);
    ASSERT_EQ(media.size(), 1U);
    EXPECT_EQ(ifb::view(media.front().uri), "file://" + folder.path("videos/1.mp4"));
    EXPECT_EQ(b.box.sample.output_tokens, 128);
  }
}

TEST(hf_dataset, a_conversation_may_have_an_image) {
  const temporary_folder folder;
  const std::string turns =
      R"("conversations": [{"from": "x", "value": "long enough"}, {"from": "y", "value": "also"}])";
  folder.write("train.json", "[{" + turns + "}, {" + turns + R"(, "image": "http://h/1.png"}])");
  for (const std::int64_t chat : {0, 1}) {
    bench b({{"path", folder.path()},
             {"hf-name", "Aeala/ShareGPT_Vicuna_unfiltered"},
             {"enable-multimodal-chat", chat}});
    ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
    std::size_t images = 0;
    for (const std::uint64_t i : {0U, 1U}) {
      ASSERT_EQ(b.box.read(i), IFB_OK) << b.box.message();
      const auto parts = ifb::view(chat == 0 ? b.box.sample.media : b.box.sample.prompt);
      for (const ifb_part& part : parts)
        images += ifb::view(part.uri) == "http://h/1.png" ? 1 : 0;
    }
    EXPECT_EQ(images, 1U);
  }
}

TEST(hf_dataset, rows_are_the_same_however_many_threads_read_them) {
  bench b({{"path", zeta}, {"hf-name", "zed-industries/zeta"}});
  ASSERT_EQ(b.box.prepare(6), IFB_OK) << b.box.message();
  const auto expected = b.prompts();
  std::vector<std::vector<std::string>> found(6, std::vector<std::string>(expected.size()));
  {
    std::vector<std::thread> threads;
    for (auto& mine : found)
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < mine.size(); ++i) {
          support::arena memory;
          ifb_sample sample = ifb::blank_sample();
          ifb_error error{};
          if (b.box.operations().read(b.box.get(), i, memory.handle(), &sample, &error) == IFB_OK)
            mine[i] = std::string(ifb::view(ifb::view(sample.prompt).front().data));
        }
      });
    for (std::thread& each : threads)
      each.join();
  }
  EXPECT_THAT(found, ::testing::Each(expected));
}

TEST(hf_dataset, without_a_path_the_known_ids_are_listed) {
  dataset_box box("hf");
  EXPECT_EQ(box.create(settings{}), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("likaixin/InstructCoder"));
  EXPECT_THAT(box.message(), HasSubstr("Lin-Chen/MMStar"));
  EXPECT_THAT(box.message(), HasSubstr("gorilla-llm/Berkeley-Function-Calling-Leaderboard"));
  EXPECT_EQ(box.option_at_fault(), "path");
}

TEST(hf_dataset, it_needs_a_tokenizer) {
  bench b({{"path", vicuna}}, false);
  EXPECT_THAT(b.refusal(), HasSubstr("--tokenizer-mode"));
}

TEST(hf_dataset, its_recipe_is_printed_instead_of_samples) {
  printed_text::text().clear();
  bench b({{"path", "Lin-Chen/MMStar"}, {"print-recipe", std::int64_t{1}}}, false);
  EXPECT_EQ(b.box.prepare(1), IFB_E_CANCELLED);
  EXPECT_THAT(printed_text::text(), StartsWith("about = \"Questions about images"));
}

TEST(hf_dataset, samples_are_shown_like_those_of_other_datasets) {
  const auto got =
      support::show("--dataset-name hf --tokenizer-mode bytes --num-prompts 8 --dataset-path '" +
                    vicuna + "' --hf-name Aeala/ShareGPT_Vicuna_unfiltered");
  EXPECT_EQ(got.status, 0) << got.out;
  EXPECT_EQ(std::ranges::count(got.out, '\n'), 8);
  EXPECT_THAT(got.out, HasSubstr("\"request_id\": \"bench-7\""));
}

}  // namespace
