// Tests synthetic prompts with every tokenizer: the small tokenizers of the fixtures, and the real
// tokenizers if tests/tools/fetch_tokenizers has fetched them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/plugin_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "support/temporary_folder.hpp"
#include "support/tokenizer_cache.hpp"

namespace {

namespace fs = std::filesystem;
using support::dataset_box;
using support::plugin_tokenizer;
using support::settings;
using ::testing::HasSubstr;

std::vector<fs::path> below(const fs::path& folder) {
  std::vector<fs::path> out;
  if (fs::exists(folder))
    for (const auto& each : fs::directory_iterator(folder))
      out.push_back(each.path());
  std::ranges::sort(out);
  return out;
}

// Calls `look` with each tokenizer.
template <typename body>
void with_each(body&& look) {
  const inferbench::support::temporary_folder folder;
  std::size_t count = 0;
  const auto one = [&](const fs::path& path, const std::string& name) {
    SCOPED_TRACE(name);
    plugin_tokenizer tokenizer("hf", {{"path", path.string()}});
    ASSERT_EQ(tokenizer.trouble(), "");
    ++count;
    look(tokenizer);
  };
  for (const fs::path& file : below(std::string(INFERBENCH_FIXTURES) + "/tokenizers/synthetic")) {
    // This tokenizer truncates every text to a few tokens.
    if (file.stem() == "truncation_padding") continue;
    fs::create_directories(folder.root / file.stem());
    fs::copy_file(file, folder.root / file.stem() / "tokenizer.json");
    one(folder.root / file.stem(), file.stem());
  }
  EXPECT_GE(count, 20U);
  for (const fs::path& each : below(inferbench::support::tokenizer_cache()))
    if (fs::exists(each / "tokenizer.json")) one(each, each.filename());
}

// Checks the prompts of a dataset, which must have `asked` tokens each, and the log lines about
// their lengths.
void look_at_lengths(const char* dataset, const settings& given, plugin_tokenizer& tokenizer,
                     std::size_t asked, std::uint64_t seed) {
  dataset_box box(dataset);
  tokenizer.offer(box.host);
  ASSERT_EQ(box.create(given), IFB_OK) << box.message();
  ASSERT_EQ(box.prepare(100, seed), IFB_OK) << box.message();
  std::size_t wrong = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(box.read(i), IFB_OK) << box.message();
    const std::size_t tokens = tokenizer.count(box.prompt());
    ASSERT_EQ(box.sample.input_tokens, static_cast<std::int64_t>(tokens));
    wrong += tokens != asked ? 1 : 0;
  }
  const std::string told = std::to_string(wrong) + " of 100 prompts";
  const auto log = box.host.log();
  EXPECT_EQ(std::ranges::any_of(
                log, [](const auto& line) { return line.find("not of the") != std::string::npos; }),
            wrong != 0);
  if (wrong != 0) {
    EXPECT_THAT(log, ::testing::Contains(HasSubstr(told)));
  }
}

void random_prompts_have_their_length_or_the_others_are_reported(plugin_tokenizer& tokenizer) {
  SCOPED_TRACE("lengths of random prompts");
  for (const std::uint64_t seed : {0U, 42U})
    look_at_lengths("random", {{"input-len", std::to_string(30 + tokenizer.added())}}, tokenizer,
                    30, seed);
}

void prompts_as_ids_have_the_servers_count(plugin_tokenizer& tokenizer) {
  SCOPED_TRACE("prompts as ids");
  const std::string wanted = std::to_string(20 + tokenizer.added());
  dataset_box text("random");
  tokenizer.offer(text.host);
  ASSERT_EQ(text.create({{"input-len", wanted}}), IFB_OK);
  ASSERT_EQ(text.prepare(70, 1), IFB_OK);
  dataset_box ids("random");
  tokenizer.offer(ids.host);
  ASSERT_EQ(ids.create({{"input-len", wanted}, {"prompt-token-ids", std::int64_t{1}}}), IFB_OK);
  ASSERT_EQ(ids.prepare(70, 1), IFB_OK);
  for (std::uint64_t i = 0; i < 70; ++i) {
    ASSERT_EQ(text.read(i), IFB_OK);
    ASSERT_EQ(ids.read(i), IFB_OK);
    EXPECT_EQ(ids.sample.input_tokens,
              static_cast<std::int64_t>(tokenizer.count(text.prompt(), IFB_ENCODE_SPECIAL)));
  }
}

void pieces_of_prefix_repetition_add_up(plugin_tokenizer& tokenizer) {
  SCOPED_TRACE("prefix repetition");
  dataset_box box("prefix_repetition");
  tokenizer.offer(box.host);
  ASSERT_EQ(box.create({{"prefix-len", "20"}, {"suffix-len", "11"}, {"num-prefixes", 3}}), IFB_OK);
  ASSERT_EQ(box.prepare(80, 0), IFB_OK) << box.message();
  std::size_t wrong = 0;
  for (std::uint64_t i = 0; i < 80; ++i) {
    ASSERT_EQ(box.read(i), IFB_OK) << box.message();
    wrong += box.sample.input_tokens == 31 ? 0 : 1;
  }
  const auto log = box.host.log();
  if (wrong != 0) {
    EXPECT_THAT(log, ::testing::Contains(HasSubstr("not of the length")));
  }
}

// One case, because it takes seconds to read the large tokenizers.
TEST(any_tokenizer, makes_synthetic_prompts_of_the_length_that_was_asked_for) {
  with_each([](plugin_tokenizer& tokenizer) {
    random_prompts_have_their_length_or_the_others_are_reported(tokenizer);
    prompts_as_ids_have_the_servers_count(tokenizer);
    pieces_of_prefix_repetition_add_up(tokenizer);
  });
}

}  // namespace
