// `inferbench dataset show` with upstream's flags.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/dataset_show.hpp"
#include "plugins/random-mm/codecs.hpp"

namespace random_mm {
namespace {

using ::testing::HasSubstr;

std::string from_base64(std::string_view text) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t kept = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    kept = kept << 6U | static_cast<std::uint32_t>(letters.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(kept >> bits & 0xFFU);
  }
  return out;
}

// Replaces each data URL by its media type, width, height and number of frames.
std::string with_facts(std::string text) {
  for (std::size_t at = 0; (at = text.find("data:", at)) != std::string::npos;) {
    const std::size_t comma = text.find(',', at);
    const std::size_t end = text.find('"', at);
    if (comma > end) {
      ADD_FAILURE() << "a data URL without data";
      return text;
    }
    const bool image = text.compare(at, 11, "data:image/") == 0;
    const std::string mime = text.substr(at + 5, text.find(';', at) - at - 5);
    const std::string facts =
        facts_of(from_base64(std::string_view(text).substr(comma + 1, end - comma - 1)),
                 image ? inferbench::media::kind::image : inferbench::media::kind::video);
    EXPECT_EQ(facts.substr(0, facts.find(' ')), mime);
    text.replace(at, end - at, facts);
  }
  return text;
}

const std::string show_flags =
    "--num-prompts 20 --random-input-len 50 --random-output-len 20 --random-range-ratio 0.3 "
    "--random-prefix-len 7 --random-mm-base-items-per-request 2 "
    "--random-mm-num-mm-items-range-ratio 1.0 "
    "--random-mm-limit-mm-per-prompt '{\"image\": 2, \"video\": 1}' "
    "--random-mm-bucket-config '{(48, 32, 1): 0.5, (17, 23, 1): 0.2, (32, 16, 3): 0.3}'";

class random_mm_golden : public media_test,
                         public ::testing::WithParamInterface<support::golden_run> {};

TEST_P(random_mm_golden, follows_upstreams_rules) {
  const support::golden_run& run = GetParam();
  const auto tokenizer = inferbench::support::tokenizer_cache() / run.tokenizer;
  if (!std::filesystem::exists(tokenizer / "tokenizer.json")) {
    const char* const required = std::getenv("INFERBENCH_REQUIRE_TOKENIZERS");
    ASSERT_FALSE(required != nullptr && std::string_view(required) == "1") << tokenizer;
    GTEST_SKIP() << tokenizer << " is not there; tests/tools/fetch_tokenizers fetches it";
  }
  const support::command_output got =
      support::show("--dataset-name random-mm --tokenizer-mode hf --tokenizer '" +
                    tokenizer.string() + "' --seed " + std::to_string(run.seed) + " " + show_flags);
  ASSERT_EQ(got.status, 0) << got.out;
  EXPECT_EQ(with_facts(got.out),
            support::read_fixture(std::string("datasets/golden/random-mm_") + run.tokenizer + "_" +
                                  std::to_string(run.seed) + ".jsonl"));
}

INSTANTIATE_TEST_SUITE_P(all, random_mm_golden, ::testing::ValuesIn(support::golden_runs),
                         [](const auto& of) {
                           return std::string(of.param.tokenizer) + "_" +
                                  std::to_string(of.param.seed);
                         });

using random_mm_show = media_test;

TEST_F(random_mm_show, the_chat_switch_puts_the_media_into_the_prompt) {
  const support::command_output got = support::show(
      "--dataset-name random-mm --tokenizer-mode bytes --num-prompts 1 --input-len 5 "
      "--enable-multimodal-chat --random-mm-bucket-config '{\"(8, 16, 1)\": 1}'");
  ASSERT_EQ(got.status, 0) << got.out;
  EXPECT_THAT(with_facts(got.out),
              HasSubstr("{\"type\": \"image_url\", \"image_url\": {\"url\": \"image/jpeg "
                        "16x8x1\"}}], \"prompt_len\": 5"));
  EXPECT_THAT(got.out, HasSubstr("\"multi_modal_data\": null"));
}

TEST(random_mm_flags, a_bad_one_ends_the_command_with_its_name) {
  const std::pair<const char*, const char*> cases[] = {
      {"--random-mm-bucket-config '{(8, 8): 1}'", "--random-mm-bucket-config"},
      {"--random-mm-num-mm-items-range-ratio 2", "--random-mm-num-mm-items-range-ratio"},
      {"--random-mm-limit-mm-per-prompt '{\"image\": -1}'", "--random-mm-limit-mm-per-prompt"},
      {"--random-mm-base-items-per-request 300", "--random-mm-base-items-per-request"},
      {"--random-mm-base-items-per-request -1", "--random-mm-base-items-per-request"},
      {"--dataset-path x", "--dataset-path"},
  };
  for (const auto& [given, said] : cases) {
    SCOPED_TRACE(given);
    const support::command_output got =
        support::show(std::string("--dataset-name random-mm --tokenizer-mode bytes ") + given);
    EXPECT_NE(got.status, 0);
    EXPECT_THAT(got.out, HasSubstr(said));
  }
}

}  // namespace
}  // namespace random_mm
