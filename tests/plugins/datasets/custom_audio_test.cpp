#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t chat_switch = 1;

struct audio_bench {
  explicit audio_bench(const std::string& path, settings given = {},
                       const ifb_tokenizer_service* tokenizer = &support::byte_counter) {
    if (tokenizer != nullptr) box.host.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The only sound of the sample.
  [[nodiscard]] const ifb_part& sound() const {
    EXPECT_EQ(box.sample.media.count, 1U);
    return ifb::view(box.sample.media).front();
  }
  [[nodiscard]] std::vector<std::string> metadata() const {
    std::vector<std::string> out;
    for (const ifb_field& each : ifb::metadata_of(box.sample))
      out.push_back(std::string(ifb::view(each.name)) + "=" + std::string(ifb::view(each.value)));
    return out;
  }
  /// The error message of prepare without the folder of the file.
  std::string trouble(const temporary_folder& folder) {
    EXPECT_LT(box.prepare(0), 0);
    std::string out = box.message();
    const std::string here = folder.path() + "/";
    for (std::size_t at = 0; (at = out.find(here)) != out.npos;)
      out.erase(at, here.size());
    return out;
  }
  dataset_box box{"custom_audio"};
};

class custom_audio_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(custom_audio_golden, samples_are_the_same_as_in_upstream) {
  support::is_golden("custom_audio", GetParam(),
                     "--custom-output-len -1 --num-prompts 10 --dataset-path '" +
                         fixture_path("custom_audio_short.jsonl") + "'");
}

INSTANTIATE_TEST_SUITE_P(seeds, custom_audio_golden, ::testing::ValuesIn(support::golden_runs));

TEST(custom_audio_dataset, a_sound_of_any_format_is_a_wav_file_with_its_length) {
  struct row {
    const char* prompt;
    std::int64_t output;
    std::uint16_t channels;
    std::uint32_t rate;
    const char* seconds;
  };
  const row rows[] = {
      {"Transcribe the audio.", 20, 1, 16000, "1.0"},
      {"Transcribe the audio.", 30, 1, 16000, "2.0"},
      {"", 15, 1, 16000, nullptr},
      {"Stereo, 44.1 kHz", 10, 2, 44100, "0.4"},
      {"Float samples, 8 kHz", 10, 1, 8000, "0.3"},
  };
  for (const std::int64_t chat : {0, 1}) {
    audio_bench b(fixture_path("custom_audio.jsonl"),
                  {{"output-len", -1}, {"enable-multimodal-chat", chat}});
    ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.info.rows, 5);
    EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE});
    for (std::uint64_t i = 0; i < std::size(rows); ++i) {
      SCOPED_TRACE(i);
      ASSERT_EQ(b.box.read(i), IFB_OK) << b.box.message();
      EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
      EXPECT_EQ(b.box.prompt(), rows[i].prompt);
      EXPECT_EQ(b.box.sample.input_tokens, std::int64_t(b.box.prompt().size()) + 1);
      EXPECT_EQ(b.box.sample.output_tokens, rows[i].output);
      const ifb_part& sound = b.sound();
      EXPECT_EQ(sound.kind, std::uint32_t{IFB_PART_AUDIO});
      EXPECT_STREQ(sound.mime, "audio/wav");
      EXPECT_EQ(ifb::view(sound.name), "audio.wav");
      const std::string_view wav = ifb::view(sound.data);
      ASSERT_GT(wav.size(), 44U);
      EXPECT_EQ(wav.substr(0, 4), "RIFF");
      EXPECT_EQ(static_cast<unsigned char>(wav[20]), 1);  // integers
      EXPECT_EQ(static_cast<unsigned char>(wav[22]), rows[i].channels);
      EXPECT_EQ(static_cast<unsigned char>(wav[24]) + 256U * static_cast<unsigned char>(wav[25]),
                rows[i].rate);
      EXPECT_EQ(static_cast<unsigned char>(wav[34]), 16);  // bits
      const auto fields = b.metadata();
      ASSERT_EQ(fields.size(), 1U);
      if (rows[i].seconds != nullptr)
        EXPECT_EQ(fields[0], std::string("input_audio_duration=") + rows[i].seconds);
      else
        EXPECT_THAT(fields[0], StartsWith("input_audio_duration=2."));
    }
    EXPECT_EQ(b.box.read(5), IFB_END);
  }
}

TEST(custom_audio_dataset, the_words_of_a_row_are_metadata) {
  audio_bench b(fixture_path("custom_audio_short.jsonl"));
  ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
  const std::vector<std::string> expected[] = {
      {"input_audio_duration=0.015"},
      {"input_audio_duration=0.0027210884353741495", "transcript=two voices"},
      {"input_audio_duration=0.005"},
      {"input_audio_duration=0.00075"},
      {"input_audio_duration=6.802721088435374e-05", "transcript=three frames"}};
  for (std::uint64_t i = 0; i < std::size(expected); ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK) << b.box.message();
    EXPECT_EQ(b.metadata(), expected[i]);
    EXPECT_EQ(b.box.sample.output_tokens, 256);
  }
  ASSERT_EQ(b.box.read(2), IFB_OK);
  EXPECT_EQ(b.box.prompt(), "");  // without the member "prompt"
}

TEST(custom_audio_dataset, a_prompt_goes_through_the_template_unless_the_model_chats) {
  const std::string rows = fixture_path("custom_audio_short.jsonl");
  audio_bench speech(rows, {}, &support::echo_tokenizer);
  ASSERT_EQ(speech.box.prepare(0), IFB_OK) << speech.box.message();
  EXPECT_NE(speech.box.info.flags & IFB_DATASET_RENDERED, 0U);
  ASSERT_EQ(speech.box.read(0), IFB_OK) << speech.box.message();
  EXPECT_EQ(speech.box.prompt(),
            R"({"messages": [{"role": "user", "content": "Transcribe the audio."}], )"
            R"("add_generation_prompt": true})");
  EXPECT_EQ(speech.box.sample.input_tokens, std::int64_t(speech.box.prompt().size()) + 1);

  audio_bench chat(rows, {{"enable-multimodal-chat", chat_switch}}, &support::echo_tokenizer);
  ASSERT_EQ(chat.box.prepare(0), IFB_OK) << chat.box.message();
  EXPECT_EQ(chat.box.info.flags & IFB_DATASET_RENDERED, 0U);
  ASSERT_EQ(chat.box.read(0), IFB_OK) << chat.box.message();
  EXPECT_EQ(chat.box.prompt(), "Transcribe the audio.");
  EXPECT_EQ(chat.sound().data.size, speech.sound().data.size);
}

TEST(custom_audio_dataset, without_a_tokenizer_the_sounds_are_the_same) {
  audio_bench b(fixture_path("custom_audio_short.jsonl"), {{"output-len", 9}}, nullptr);
  ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.input_tokens, 1);
  EXPECT_EQ(b.box.sample.output_tokens, 9);
  EXPECT_EQ(b.sound().data.size, 44U + 240U);
}

TEST(custom_audio_dataset, a_sound_is_decoded_once) {
  const temporary_folder folder;
  folder.write("a.wav", support::read_fixture("datasets/media/short_mono.wav"));
  const std::string row = "{\"prompt\": \"p\", \"audio\": \"a.wav\"}\n";
  audio_bench b(folder.write("rows.jsonl", row + row));
  ASSERT_EQ(b.box.prepare(0), IFB_OK) << b.box.message();
  std::filesystem::remove(folder.path("a.wav"));
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  const void* const first = b.sound().data.data;
  ASSERT_EQ(b.box.read(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.sound().data.data, first);
}

TEST(custom_audio_dataset, a_wrong_row_stops_before_the_run_with_line_and_reason) {
  const std::string good = support::read_fixture("datasets/media/tone_1s.wav");
  const temporary_folder folder;
  folder.write("good.wav", good);
  folder.write("cut.wav", good.substr(0, 30));
  folder.write("text.wav", "no sound");
  folder.write("image.wav", support::read_fixture("datasets/media/test1.png"));
  folder.write("huge.wav", "x");
  ASSERT_EQ(::truncate(folder.path("huge.wav").c_str(), off_t{2} << 30U), 0);
  ASSERT_EQ(::mkfifo(folder.path("pipe.wav").c_str(), 0600), 0);
  std::filesystem::create_directory(folder.path("folder.wav"));
  std::filesystem::create_symlink("loop.wav", folder.path("loop.wav"));
  const std::pair<const char*, const char*> cases[] = {
      {R"({"prompt": "p"})", "there is no \"audio\", only prompt"},
      {R"({"prompt": 3, "audio": "good.wav"})", "\"prompt\" must be a text"},
      {R"({"audio": null})", "a sound is a path, an object with"},
      {R"({"audio": "http://h/a.wav"})", "a sound is a path, and not the URL http://h/a.wav"},
      {R"({"audio": [[], 16000]})", "the sound has no list of samples"},
      {R"({"audio": [[0, "x"], 16000]})", "a sample of the sound is not a number"},
      {R"({"audio": "none.wav"})", "cannot read none.wav: No such file or directory"},
      {R"({"audio": "cut.wav"})", "cannot decode the sound cut.wav: "},
      {R"({"audio": "text.wav"})", "cannot decode the sound text.wav: "},
      {R"({"audio": "image.wav"})", "cannot decode the sound image.wav: "},
      {R"({"audio": "huge.wav"})", "cannot read huge.wav: the file has 2147483648 bytes"},
      {R"({"audio": "pipe.wav"})", "cannot read pipe.wav: not a regular file"},
      {R"({"audio": "folder.wav"})", "cannot read folder.wav: Is a directory"},
      {R"({"audio": "loop.wav"})", "cannot read loop.wav: Too many levels of symbolic links"},
      {"[]", "the row is not a JSON object"},
  };
  for (const auto& [row, said] : cases) {
    SCOPED_TRACE(row);
    const std::string rows =
        folder.write("rows.jsonl", "{\"audio\": \"good.wav\"}\n\n" + std::string(row) + "\n");
    audio_bench b(rows);
    const std::string found = b.trouble(folder);
    EXPECT_THAT(found, StartsWith("rows.jsonl:3: "));
    EXPECT_THAT(found, HasSubstr(said));
    EXPECT_EQ(b.box.error.code, IFB_E_DATA);
    EXPECT_EQ(b.box.option_at_fault(), "path");
  }
  folder.write("rows.jsonl", "{\"audio\": \"good.wav\", \"output_tokens\": \"x\"}\n");
  audio_bench b(folder.path("rows.jsonl"), {{"output-len", -1}});
  EXPECT_EQ(b.trouble(folder), "rows.jsonl:1: \"output_tokens\" must be a number, not \"x\"");
}

TEST(custom_audio_dataset, only_files_of_json_lines_are_read) {
  audio_bench b(fixture_path("sharegpt.json"));
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(b.box.message(), HasSubstr("ends in .jsonl"));
  audio_bench length(fixture_path("custom_audio.jsonl"), {{"output-len", 0}});
  EXPECT_EQ(length.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(length.box.option_at_fault(), "output-len");
}

}  // namespace
