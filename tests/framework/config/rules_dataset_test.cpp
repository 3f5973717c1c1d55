// Tests the rules about datasets: backends for their media, their general flags and their old
// names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"
#include "framework/config/rules_bench.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

class dataset_rules : public rules_bench {};

/// Adds the datasets of media, and backends that may send them.
void add_media(fake_catalog& to) {
  const ifb_option path = fake_catalog::option("path", IFB_PATH, "Data.", nullptr);
  to.add_with_own(IFB_DATASET, "random-mm", {});
  to.add_with_own(IFB_DATASET, "custom_mm", {path});
  to.add_with_own(
      IFB_DATASET, "hf",
      {fake_catalog::general(path),
       fake_catalog::flagged(fake_catalog::option("hf-name", IFB_STRING, "Name.", nullptr),
                             "hf-name"),
       fake_catalog::flagged(fake_catalog::option("hf-recipe", IFB_PATH, "Recipe.", nullptr),
                             "hf-recipe")});
  for (const char* name : {"openai-audio", "openai-embeddings-clip", "mine"})
    to.add_with_own(IFB_BACKEND, name,
                    {fake_catalog::option("model", IFB_STRING, "Model.", nullptr),
                     fake_catalog::option("extra-body", IFB_JSON, "More members.", nullptr)});
}

TEST_F(dataset_rules, datasets_with_media_need_a_backend_that_sends_media) {
  add_media(plugins);
  const auto complaint = [&](std::vector<std::string> args) {
    return complaint_of([&] { parse(std::move(args)); });
  };
  const auto of_random = [&](const std::string& backend) {
    return complaint({"--dataset-name", "random-mm", "--backend", backend});
  };
  const std::string unsuited =
      "--backend: dataset random-mm has images, videos or sound, for which backend ";
  EXPECT_EQ(of_random("openai"), unsuited + "openai is not suited; choose openai-chat");
  EXPECT_EQ(complaint({"--dataset-name", "random-mm"}),
            unsuited + "openai is not suited; choose openai-chat");
  EXPECT_EQ(complaint_of([&] { (void)parse_file("[dataset]\nuse = \"random-mm\"\n"); }),
            "backend.use: dataset random-mm has images, videos or sound, for which backend openai "
            "is not suited; choose openai-chat");
  EXPECT_EQ(of_random("openai-audio"), unsuited + "openai-audio is not suited; choose openai-chat");
  EXPECT_EQ(of_random("openai-chat"), "");
  EXPECT_EQ(of_random("mine"), "") << "upstream does not know this backend";

  const auto of_hub = [&](const std::string& backend, std::vector<std::string> more) {
    more.insert(more.end(), {"--dataset-name", "hf", "--backend", backend});
    return complaint(std::move(more));
  };
  const std::string remedy =
      " is not suited; choose openai-chat, openai-embeddings-chat, openai-embeddings-clip, "
      "openai-embeddings-vlm2vec, infinity-embeddings-clip";
  const std::vector<std::string> stars{"--dataset-path", "Lin-Chen/MMStar"};
  EXPECT_EQ(of_hub("openai", stars),
            "--backend: data set Lin-Chen/MMStar has images, videos or sound, for which backend "
            "openai" +
                remedy);
  EXPECT_EQ(of_hub("openai-responses", {"--dataset-path", "./rows", "--hf-name", "yale-nlp/MMVU"}),
            "--backend: data set yale-nlp/MMVU has images, videos or sound, for which backend "
            "openai-responses" +
                remedy);
  for (const char* backend : {"openai-chat", "openai-embeddings-clip", "mine"})
    EXPECT_EQ(of_hub(backend, stars), "") << backend;
  const std::vector<std::string> speech{"--dataset-path", "openslr/librispeech_asr"};
  EXPECT_THAT(of_hub("openai-audio", stars), EndsWith("openai-audio" + remedy));
  EXPECT_THAT(of_hub("openai-embeddings-clip", speech),
              EndsWith("is not suited; choose openai-chat, openai-audio"));
  for (const char* backend : {"openai-chat", "openai-audio", "mine"})
    EXPECT_EQ(of_hub(backend, speech), "") << backend;
  EXPECT_EQ(of_hub("openai", {"--dataset-path", "openai/gsm8k"}), "");
  EXPECT_EQ(
      of_hub("openai", {"--dataset-path", "Lin-Chen/MMStar", "--hf-recipe", "text_only.toml"}), "");

  plugins.others = {"hf", "random-mm"};
  EXPECT_EQ(of_random("openai"), "") << "the dataset is not of this program";
  EXPECT_EQ(of_hub("openai", stars), "");
  plugins.others = {"openai"};
  EXPECT_EQ(of_random("openai"), "") << "the backend is not of this program";
}

TEST_F(dataset_rules,
       the_plan_knows_backends_that_leave_out_media_and_prompts_that_keep_their_length) {
  add_media(plugins);
  EXPECT_TRUE(parse({}).plan.media_left_out);
  EXPECT_FALSE(parse({"--backend", "openai-chat"}).plan.media_left_out);
  EXPECT_FALSE(parse({"--backend", "mine"}).plan.media_left_out);
  EXPECT_TRUE(parse({}).plan.align_prompts);
  EXPECT_FALSE(
      parse({"--backend", "openai-chat", "--dataset-name", "random-mm"}).plan.align_prompts);
  plugins.others = {"openai"};
  EXPECT_FALSE(parse({}).plan.media_left_out);
}

TEST_F(dataset_rules, an_old_name_of_a_dataset_is_taken_with_a_note) {
  add_media(plugins);
  EXPECT_THAT(parse({"--dataset-name", "custom_mm", "--dataset-path", "x.jsonl"}).warnings,
              ElementsAre("dataset custom_mm is an old name of custom_image"));
}

TEST_F(dataset_rules, general_flags_of_datasets_go_to_datasets_that_declare_them) {
  const request r = parse({"--dataset-name", "hub", "--no-stream", "--skip-chat-template",
                           "--enable-multimodal-chat", "--chat-template-kwargs.thinking", "true",
                           "--trust-remote-code"});
  EXPECT_EQ(r.plan.dataset.find("no-stream")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("skip-chat-template")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("enable-multimodal-chat")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("trust-remote-code")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("chat-template-kwargs")->text, R"({"thinking": true})");
  EXPECT_THAT(r.warnings, IsEmpty());
  EXPECT_THAT(parse({"--no-stream"}).warnings,
              ElementsAre("--no-stream has no effect: dataset random has no option no-stream"));
}

TEST_F(dataset_rules, old_spellings_are_taken_with_a_note) {
  const request r = parse({"--backend", "openai", "--endpoint-type", "openai-chat",
                           "--dataset-name", "hub", "--custom_skip_chat_template"});
  EXPECT_EQ(r.plan.backend.use, "openai-chat");
  EXPECT_EQ(r.plan.dataset.find("skip-chat-template")->integer, 1);
  EXPECT_THAT(r.warnings, ElementsAre("--endpoint-type is an old spelling of --backend",
                                      "--custom-skip-chat-template is an old spelling of "
                                      "--skip-chat-template"));
  // The old flag takes precedence in either order.
  EXPECT_EQ(parse({"--endpoint-type", "openai-chat", "--backend", "openai"}).plan.backend.use,
            "openai-chat");
}

TEST_F(dataset_rules, flags_of_datasets_that_are_not_installed_are_taken_with_a_note) {
  const request r = parse({"--hf-split", "train", "--custom-ensure-client-side-data",
                           "--random-mm-limit-mm-per-prompt.image", "3", "--speed-bench-cat=x"});
  EXPECT_THAT(r.warnings, testing::UnorderedElementsAre(
                              "--speed-bench-cat is read as --speed-bench-category",
                              "--hf-split has no effect: dataset hf is not installed",
                              "--custom-ensure-client-side-data has no effect: dataset "
                              "custom_image is not installed",
                              "--random-mm-limit-mm-per-prompt has no effect: dataset random-mm "
                              "is not installed",
                              "--speed-bench-category has no effect: dataset speed_bench is not "
                              "installed"));
  EXPECT_EQ(r.plan.dataset_name, "random");
  // If an installed dataset declares the flag, the warning names that dataset.
  EXPECT_THAT(parse({"--no-reranker"}).warnings,
              ElementsAre("--no-reranker has no effect: dataset prefix_repetition is not in use"));
}

}  // namespace
}  // namespace inferbench::config
