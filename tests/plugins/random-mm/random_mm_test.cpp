// The plugin, through the C contract.
#include <algorithm>
#include <array>
#include <bit>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/bench.hpp"
#include "plugins/random-mm/codecs.hpp"

namespace random_mm {
namespace {

namespace media = inferbench::media;
using support::dataset_bench;
using support::number_tokenizer;
using support::settings;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// The test host passes a float as the bits of an integer.
std::int64_t bits(double value) { return std::bit_cast<std::int64_t>(value); }

settings with(const settings& more) {
  settings out = {{"input-len", "6"},
                  {"output-len", "8"},
                  {"bucket-config", "{(32, 32, 1): 0.5, (52, 64, 1): 0.5}"}};
  for (const auto& [name, value] : more)
    out[name] = value;
  return out;
}

number_tokenizer of_gpt2() {
  number_tokenizer out;
  out.size = 50257;
  return out;
}

// In a text every seventh id vanishes, so that most prompts are padded.
number_tokenizer that_needs_padding() {
  number_tokenizer out;
  out.decoded = [](std::span<const std::uint32_t> ids) {
    std::vector<std::uint32_t> text;
    for (const std::uint32_t id : ids)
      if (id % 7 != 0) text.push_back(id);
    return text;
  };
  return out;
}

std::vector<std::string> files_of(const ifb_sample& sample) {
  std::vector<std::string> out;
  for (const ifb_part& part : ifb::view(sample.media))
    out.emplace_back(ifb::view(part.data));
  return out;
}

std::vector<std::string> media_of(const ifb_sample& sample) {
  std::vector<std::string> out;
  for (const ifb_part& part : ifb::view(sample.media)) {
    const bool image = part.kind == IFB_PART_IMAGE;
    out.push_back(facts_of(ifb::view(part.data), image ? media::kind::image : media::kind::video));
    EXPECT_EQ(out.back().substr(0, out.back().find(' ')), part.mime);
    EXPECT_EQ(part.uri.size + part.name.size, 0U);
  }
  return out;
}

// Everything that a row yields, as a text.
std::string row_text(support::dataset_box& box, std::uint64_t row) {
  support::arena memory;
  ifb_sample sample{};
  sample.struct_size = sizeof sample;
  ifb_error error{};
  const ifb_status status = box.operations().read(box.get(), row, memory.handle(), &sample, &error);
  std::string out = std::to_string(status) + " " + error.message;
  for (const ifb_part_list& list : {sample.prompt, sample.media})
    for (const ifb_part& part : ifb::view(list))
      out += "|" + std::string(ifb::view(part.data));
  return out + "|" + std::to_string(sample.input_tokens) + "|" +
         std::to_string(sample.output_tokens);
}

std::vector<std::string> rows(dataset_bench& from, std::uint64_t count) {
  std::vector<std::string> out;
  for (std::uint64_t row = 0; row < count; ++row)
    out.push_back(row_text(from.box, row));
  return out;
}

using random_mm_dataset = media_test;

// The numbers of items, the sizes and the pixels are drawn as in tests/sdk/random, whose expected
// values were computed with NumPy.
TEST_F(random_mm_dataset, media_are_the_same_as_in_upstream) {
  dataset_bench b("random-mm",
                  with({{"base-items-per-request", 2},
                        {"num-mm-items-range-ratio", bits(0.5)},
                        {"limit-mm-per-prompt", R"({"image": 4})"}}),
                  of_gpt2());
  ASSERT_EQ(b.box.prepare(3, 42), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 3);
  EXPECT_EQ(b.box.operations().flags,
            std::uint32_t{IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL});
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts of 6 tokens, with 1 to 3 images, answers of 8"));
  ifb::numpy_pcg64 random(42);
  for (int i = 0; i < 3; ++i)
    (void)random.integer(0, 50257);  // the offsets
  const std::vector<std::vector<std::string>> expected = {
      {"image/jpeg 64x52x1", "image/jpeg 32x32x1"},
      {"image/jpeg 64x52x1", "image/jpeg 32x32x1"},
      {"image/jpeg 64x52x1", "image/jpeg 32x32x1", "image/jpeg 64x52x1"}};
  for (std::uint64_t row = 0; row < 3; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
    EXPECT_EQ(b.box.sample.input_tokens, 6);
    EXPECT_EQ(b.box.sample.output_tokens, 8);
    EXPECT_EQ(media_of(b.box.sample), expected[row]);
    std::vector<std::string> files;
    for (std::int64_t left = random.integer(1, 4); left > 0; --left) {
      const std::array<double, 2> sums = {0.5, 1.0};
      const bool small = random.choice(sums) == 0;
      std::vector<std::uint8_t> pixels(small ? 32 * 32 * 3 : 52 * 64 * 3);
      random.bytes(pixels);
      files.push_back(small ? media::encode_jpeg({32, 32, pixels})
                            : media::encode_jpeg({64, 52, pixels}));
    }
    EXPECT_EQ(files_of(b.box.sample), files);
  }
  EXPECT_EQ(b.box.read(3), IFB_END);
}

TEST_F(random_mm_dataset, a_row_is_the_same_on_any_thread_and_in_any_order) {
  const settings given = with({{"bucket-config", "{(16, 16, 1): 2, (7, 9, 1): 2, (16, 32, 3): 1}"},
                               {"base-items-per-request", 2},
                               {"num-mm-items-range-ratio", bits(1)},
                               {"range-ratio", "0.5"},
                               {"prefix-len", "3"}});
  for (const std::int64_t wanted : {200, 0}) {
    constexpr std::uint64_t count = 200;
    dataset_bench serial("random-mm", given, that_needs_padding());
    ASSERT_EQ(serial.box.prepare(wanted, 3), IFB_OK) << serial.box.message();
    const auto expected = rows(serial, count);
    EXPECT_EQ(rows(serial, count), expected) << "again";

    dataset_bench b("random-mm", given, that_needs_padding());
    ASSERT_EQ(b.box.prepare(wanted, 3), IFB_OK);
    constexpr std::uint64_t threads = 6;
    std::vector<std::vector<std::string>> found(threads, std::vector<std::string>(count));
    std::vector<std::thread> readers;
    // Each row is read by two threads, the second of which goes backwards.
    for (std::uint64_t t = 0; t < threads; ++t)
      readers.emplace_back([&, t] {
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint64_t row = t % 2 == 0 ? i : count - 1 - i;
          if (row % (threads / 2) == t / 2) found[t][row] = row_text(b.box, row);
        }
      });
    for (std::thread& reader : readers)
      reader.join();
    for (std::uint64_t row = 0; row < count; ++row) {
      const std::uint64_t t = row % (threads / 2) * 2;
      EXPECT_EQ(found[t][row], expected[row]) << row;
      EXPECT_EQ(found[t + 1][row], expected[row]) << row;
    }
  }
}

TEST_F(random_mm_dataset, seeds_tell_runs_apart) {
  const auto run = [](std::uint64_t seed, std::int64_t wanted) {
    dataset_bench b("random-mm", with({{"bucket-config", "{(64, 48, 8): 1}"}}));
    EXPECT_EQ(b.box.prepare(wanted, seed), IFB_OK) << b.box.message();
    return rows(b, 4);
  };
  for (const std::int64_t wanted : {4, 0}) {
    EXPECT_EQ(run(1, wanted), run(1, wanted));
    EXPECT_NE(run(1, wanted), run(2, wanted));
  }
}

TEST_F(random_mm_dataset, videos_have_the_frames_and_the_size_of_their_bucket) {
  dataset_bench b("random-mm", with({{"bucket-config", R"x({"(64, 48, 8)": 1})x"},
                                     {"limit-mm-per-prompt", R"({"image": 0, "video": 1})"}}));
  ASSERT_EQ(b.box.prepare(2), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(1), IFB_OK) << b.box.message();
  EXPECT_THAT(media_of(b.box.sample), ElementsAre("video/mp4 48x64x8"));
}

TEST_F(random_mm_dataset, with_the_chat_switch_the_prompt_has_text_and_media) {
  const settings given = with({{"base-items-per-request", 2}});
  dataset_bench plain("random-mm", given);
  ASSERT_EQ(plain.box.prepare(2, 5), IFB_OK) << plain.box.message();
  settings chat = given;
  chat["enable-multimodal-chat"] = 1;
  dataset_bench b("random-mm", chat);
  ASSERT_EQ(b.box.prepare(2, 5), IFB_OK) << b.box.message();
  ASSERT_EQ(plain.box.read(1), IFB_OK);
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_EQ(b.box.sample.media.count, 0U);
  const auto parts = ifb::view(b.box.sample.prompt);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].kind, std::uint32_t{IFB_PART_TEXT});
  EXPECT_EQ(b.box.prompt(), plain.box.prompt());
  EXPECT_EQ(b.box.sample.input_tokens, 6) << "the text alone";
  const auto files = files_of(plain.box.sample);
  ASSERT_THAT(files, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(parts[i + 1].kind, std::uint32_t{IFB_PART_IMAGE});
    EXPECT_STREQ(parts[i + 1].mime, "image/jpeg");
    EXPECT_EQ(b.box.prompt(i + 1), files[i]);
  }
}

TEST_F(random_mm_dataset, rows_without_an_end_have_media_of_their_own) {
  dataset_bench b("random-mm",
                  with({{"num-mm-items-range-ratio", bits(1)}, {"input-len", "uniform(4, 6)"}}));
  ASSERT_EQ(b.box.prepare(0, 3), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, -1);
  const std::string far = row_text(b.box, 123'456'789'012);
  EXPECT_NE(row_text(b.box, 0), far);
  EXPECT_EQ(row_text(b.box, 123'456'789'012), far);
  std::set<std::size_t> counts;
  for (std::uint64_t row = 0; row < 50; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK);
    counts.insert(b.box.sample.media.count);
  }
  EXPECT_THAT(counts, ElementsAre(0, 1, 2));
}

TEST_F(random_mm_dataset, a_size_that_a_video_cannot_have_is_refused_before_the_run) {
  dataset_bench b("random-mm", with({{"bucket-config", "{(8, 9000, 2): 1}"}}));
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "bucket-config");
  EXPECT_THAT(b.box.message(), HasSubstr("the bucket (8, 9000, 2) cannot be encoded"));
}

TEST_F(random_mm_dataset, memory_that_runs_out_is_a_status) {
  dataset_bench b("random-mm", with({}));
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  for (std::size_t allowed = 0; allowed < 3; ++allowed) {
    support::arena small(allowed);
    ifb_sample sample{};
    sample.struct_size = sizeof sample;
    EXPECT_EQ(b.box.operations().read(b.box.get(), 0, small.handle(), &sample, &b.box.error),
              IFB_E_MEMORY);
  }
}

TEST(random_mm_texts, without_media_are_the_prompts_of_random) {
  const settings given = {{"input-len", "40"},
                          {"output-len", "8"},
                          {"range-ratio", R"({"input": 0.5, "output": 0.25})"},
                          {"prefix-len", "2"}};
  settings none = given;
  none["base-items-per-request"] = 0;
  for (const std::int64_t wanted : {300, 0}) {
    dataset_bench random("random", given, that_needs_padding());
    dataset_bench b("random-mm", none, that_needs_padding());
    ASSERT_EQ(random.box.prepare(wanted, 9), IFB_OK) << random.box.message();
    ASSERT_EQ(b.box.prepare(wanted, 9), IFB_OK) << b.box.message();
    EXPECT_EQ(rows(b, 300), rows(random, 300));
    ASSERT_EQ(b.box.read(7), IFB_OK);
    EXPECT_EQ(b.box.sample.media.count, 0U);
  }
}

TEST(random_mm_texts, have_no_token_that_is_marked_as_special) {
  number_tokenizer few;
  few.size = 10;
  few.special = {2};
  few.skipped = {2, 7};
  dataset_bench b("random-mm", {{"input-len", "50"}, {"base-items-per-request", 0}}, few);
  ASSERT_EQ(b.box.prepare(5), IFB_OK) << b.box.message();
  EXPECT_THAT(b.prompts(), Each(AllOf(Not(HasSubstr("2")), Not(HasSubstr("7")))));
}

TEST(random_mm_texts, may_be_empty) {
  dataset_bench b("random-mm", {{"input-len", "0"}, {"base-items-per-request", 0}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.prompt(), "");
  EXPECT_EQ(b.box.sample.input_tokens, 0);
}

TEST(random_mm_texts, of_another_length_are_reported_once) {
  number_tokenizer grows;
  grows.tail = {9};
  dataset_bench b("random-mm", {{"input-len", "4"}, {"base-items-per-request", 0}}, grows);
  ASSERT_EQ(b.box.prepare(3), IFB_OK) << b.box.message();
  (void)b.prompts();
  (void)b.prompts();
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("prompts of 4 tokens, with 0 images, answers of 128",
                          HasSubstr("3 of 3 prompts are not of the length asked for")));
}

TEST(random_mm_texts, cannot_be_made_with_options_that_exclude_each_other) {
  const std::tuple<settings, const char*, const char*> cases[] = {
      {{{"base-items-per-request", 3}, {"limit-mm-per-prompt", R"({"image": 1, "video": 1})"}},
       "base-items-per-request",
       "at least 3 items, and the limits allow 1"},
      {{{"num-mm-items-range-ratio", bits(1.01)}}, "num-mm-items-range-ratio", "not 1.01"},
      {{{"limit-mm-per-prompt", R"({"video": 3})"}}, "limit-mm-per-prompt", "\"image\": N"},
      {{{"bucket-config", "{(64, 48, 0): 1}"}},
       "bucket-config",
       "invalid multimodal item configuration"},
      {{{"bucket-config", "[]"}}, "bucket-config", "at character 1"},
      {{{"range-ratio", "1.0"}}, "range-ratio", "below 1"},
      {{{"input-len", "many"}}, "input-len", "not \"many\""},
      {{{"prefix-len", "-1"}}, "prefix-len", "from 0 to"},
  };
  for (const auto& [given, option, said] : cases) {
    SCOPED_TRACE(option);
    dataset_bench b("random-mm", given);
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), option);
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  }
}

TEST(random_mm_texts, need_a_tokenizer) {
  support::dataset_box box("random-mm");
  ASSERT_EQ(box.create({}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("--tokenizer-mode"));
}

}  // namespace
}  // namespace random_mm
