// Tests the correction of Mistral's pattern.
#include "tokenizers/model_files/mistral_regex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/model_folder.hpp"

namespace tokenizers::model_files {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string with_vocabulary(const std::string& pre_tokenizer, int entries) {
  std::string out = R"({"pre_tokenizer":)" + pre_tokenizer + R"(,"model":{"vocab":{)";
  for (int i = 0; i < entries; ++i)
    out += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) + "\":" + std::to_string(i);
  return out + "}}}";
}
std::string steps_of(const std::string& json) { return json.substr(0, json.find(R"(,"model")")); }

TEST(mistral_regex, takes_the_place_of_the_first_step) {
  const auto fixed = steps_of(with_mistral_regex(with_vocabulary(
      R"({"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"ByteLevel"}]})", 100'001)));
  EXPECT_THAT(fixed,
              AllOf(HasSubstr(R"([{"type":"Split","pattern":{"Regex":"[^\\r\\n\\p{L}\\p{N}]?)"),
                    HasSubstr(R"("behavior":"Isolated","invert":false},{"type":"ByteLevel"}])"),
                    testing::Not(HasSubstr("Digits"))));
}

TEST(mistral_regex, is_put_before_the_only_step) {
  EXPECT_THAT(
      steps_of(with_mistral_regex(with_vocabulary(R"({"type":"Digits"})", 100'001))),
      AllOf(StartsWith(R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split")"),
            testing::EndsWith(R"(},{"type":"Digits"}]})")));
  EXPECT_THAT(steps_of(with_mistral_regex(with_vocabulary(R"({"type":"Metaspace"})", 100'001))),
              testing::EndsWith(R"({"type":"ByteLevel","add_prefix_space":false,)"
                                R"("trim_offsets":true,"use_regex":false}]})"));
}

TEST(mistral_regex, does_not_change_smaller_vocabularies_and_uncut_texts) {
  for (const std::string& json :
       {with_vocabulary(R"({"type":"Digits"})", 100'000), with_vocabulary("null", 100'001),
        with_vocabulary("[]", 100'001), std::string("[1]"), std::string("{}")})
    EXPECT_EQ(with_mistral_regex(json), json);
}

}  // namespace
}  // namespace tokenizers::model_files
