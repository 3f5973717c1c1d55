// The images, videos and sound that recipes take from rows: parts of samples, and the reasons why
// rows are skipped.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-media/media.hpp>

#include "datasets/hf/media_reader.hpp"
#include "datasets/hf/request_maker.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/hf_recipe.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
namespace codecs = inferbench::media;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string medium_fixture(const std::string& name) {
  return support::read_fixture("datasets/media/" + name);
}
std::string video_fixture() {
  return support::read_fixture("datasets/hf/yale-nlp--MMVU/videos/Art/0.mp4");
}

std::string recipe_with(const std::string& media, const std::string& more = {}) {
  return more + "prompt = \"{{ q }}\"\n[output]\ntokens = 5\n[[media]]\n" + media;
}
const std::string image_recipe = recipe_with("kind = \"image\"\ncolumn = \"image\"\n");
const std::string video_recipe = recipe_with(
    "kind = \"video\"\ncolumn = \"video\"\nbase-url = \"https://hub/o/n/resolve/main/\"\n");
const std::string sound_recipe = recipe_with("kind = \"audio\"\ncolumn = \"audio\"\n");

/// A row's object for a file: {"bytes": FILE, "path": null}.
ifb::json_value object_of(std::string_view file, ifb::json_document& owner) {
  auto& memory = owner.GetAllocator();
  ifb::json_value out(rapidjson::kObjectType);
  out.AddMember("bytes",
                ifb::json_value(file.data(), static_cast<rapidjson::SizeType>(file.size()), memory),
                memory);
  out.AddMember("path", ifb::json_value(), memory);
  return out;
}

// A recipe with the folder of its data set.
class media_bench {
 public:
  explicit media_bench(const std::string& recipe, hf::recording_lengths allowed = {},
                       bool multimodal_chat = false)
      : recipe_(support::recipe_of(recipe)) {
    host_.services[IFB_SERVICE_TOKENIZER] = &support::echo_tokenizer;
    const ifb::host host(host_.table());
    maker_.emplace(host, host.tokenizer(), recipe_,
                   hf::request_choices{.multimodal_chat = multimodal_chat}, hf::run_facts{});
    fs::create_directories(folder.path("data"));
    reader_.emplace(
        host, recipe_,
        std::make_unique<tables::attached_files>(
            host, hub::environment{},
            hub::repository_name{.id = folder.path("data"), .type = hub::repository_type::dataset},
            folder.path("data")),
        allowed);
  }

  /// Makes the sample of a row. Returns the reason if the row is skipped.
  std::string make(const ifb::json_value& row, std::uint64_t position = 0) {
    memory_ = std::make_unique<support::arena>();
    return make(row, position, *memory_, sample);
  }
  std::string make(const ifb::json_value& row, std::uint64_t position, support::arena& blocks,
                   ifb_sample& out) const {
    out = ifb::blank_sample();
    const ifb::arena memory(host_.table(), blocks.handle());
    std::string reason = maker_->make(row, memory, out);
    return reason.empty() ? reader_->add(row, position, memory, out) : reason;
  }
  std::string make(const std::string& row, std::uint64_t position = 0) {
    return make(static_cast<const ifb::json_value&>(ifb::read_json(row)), position);
  }
  /// A row with a prompt and one object with the bytes of a file.
  std::string make_of(const char* column, std::string_view file, std::uint64_t position = 0) {
    ifb::json_document row(rapidjson::kObjectType);
    row.AddMember("q", "what", row.GetAllocator());
    row.AddMember(rapidjson::StringRef(column), object_of(file, row), row.GetAllocator());
    return make(static_cast<const ifb::json_value&>(row), position);
  }
  [[nodiscard]] const ifb_part& part(std::size_t index = 0) const {
    return ifb::view(sample.media)[index];
  }
  [[nodiscard]] std::string uri() const { return std::string(ifb::view(part().uri)); }
  [[nodiscard]] std::string field(std::string_view name) const {
    for (const ifb_field& each : ifb::metadata_of(sample))
      if (ifb::view(each.name) == name) return std::string(ifb::view(each.value));
    return "(none)";
  }
  [[nodiscard]] const hf::request_maker& maker() const { return *maker_; }

  inferbench::support::temporary_folder folder;
  ifb_sample sample{};

 private:
  support::host host_;
  hf::recipe recipe_;
  std::optional<hf::request_maker> maker_;
  std::optional<hf::media_reader> reader_;
  std::unique_ptr<support::arena> memory_;
};

TEST(hf_media, images_become_jpeg_files) {
  media_bench b(image_recipe);
  std::uint64_t position = 0;
  for (const char* name : {"photo1.jpg", "test1.png", "alpha.png", "gray.png"}) {
    SCOPED_TRACE(name);
    const std::string file = medium_fixture(name);
    ASSERT_EQ(b.make_of("image", file, position++), "");
    ASSERT_EQ(b.sample.media.count, 1U);
    EXPECT_EQ(b.part().kind, std::uint32_t{IFB_PART_IMAGE});
    EXPECT_STREQ(b.part().mime, "image/jpeg");
    EXPECT_EQ(b.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
    EXPECT_EQ(ifb::view(b.part().data), codecs::encode_jpeg(codecs::decode_image(file)));
    EXPECT_EQ(b.sample.metadata_count, 0U);
  }
}

TEST(hf_media, images_are_turned_upright) {
  const std::vector<std::uint8_t> pixels(std::size_t{32} * 16 * 3, 100);
  std::string file = codecs::encode_jpeg(codecs::image_view(32, 16, pixels));
  // EXIF data with one entry: orientation (0x112), one short, 6: turned by 90 degrees.
  const std::string exif("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0",
                         32);
  file.insert(2, "\xFF\xE1" + std::string({'\0', static_cast<char>(exif.size() + 2)}) + exif);
  media_bench b(image_recipe);
  ASSERT_EQ(b.make_of("image", file), "");
  const auto made = codecs::decode_image(ifb::view(b.part().data));
  EXPECT_EQ(made.width, 16U);
  EXPECT_EQ(made.height, 32U);
}

TEST(hf_media, an_image_is_made_once_however_often_its_row_is_read) {
  media_bench b(image_recipe);
  const std::string file = medium_fixture("test1.png");
  ASSERT_EQ(b.make_of("image", file, 3), "");
  const void* const first = b.part().data.data;
  ASSERT_EQ(b.make_of("image", file, 4), "");
  EXPECT_NE(b.part().data.data, first);
  ASSERT_EQ(b.make_of("image", file, 3), "");
  EXPECT_EQ(b.part().data.data, first);
}

TEST(hf_media, an_object_may_name_a_file_of_the_data_set) {
  media_bench b(image_recipe);
  b.folder.write("data/a/1.png", medium_fixture("test1.png"));
  ASSERT_EQ(b.make(R"({"q": "x", "image": {"bytes": null, "path": "a/1.png"}})"), "");
  EXPECT_STREQ(b.part().mime, "image/jpeg");
  EXPECT_EQ(b.make(R"({"q": "x", "image": {"bytes": null, "path": "a/2.png"}})"),
            "the data set lacks the file that \"image\" names");
}

TEST(hf_media, images_and_videos_that_texts_name_are_passed_on) {
  media_bench b(image_recipe);
  b.folder.write("data/a/1.png", "any");
  for (const char* row :
       {R"({"q": "x", "image": "a/1.png"})", R"({"q": "x", "image": "./a/1.png"})"}) {
    ASSERT_EQ(b.make(row), "") << row;
    EXPECT_EQ(b.uri(), "file://" + b.folder.path("data/a/1.png"));
    EXPECT_EQ(b.part().data.size, 0U);
  }
  for (const std::string url :
       {"http://h/a.png", "https://h/a.png", "data:image/png;base64,AAAA"}) {
    ASSERT_EQ(b.make(R"({"q": "x", "image": ")" + url + "\"}"), "");
    EXPECT_EQ(b.uri(), url);
  }

  media_bench video(video_recipe);
  video.folder.write("data/videos/1.mp4", "any");
  for (const char* path : {"https://hub/o/n/resolve/main/videos/1.mp4", "videos/1.mp4"}) {
    ASSERT_EQ(video.make(std::string(R"({"q": "x", "video": ")") + path + "\"}"), "");
    EXPECT_EQ(video.part().kind, std::uint32_t{IFB_PART_VIDEO});
    EXPECT_EQ(video.uri(), "file://" + video.folder.path("data/videos/1.mp4"));
  }
  // A video elsewhere is fetched by the server, as in upstream.
  ASSERT_EQ(video.make(R"({"q": "x", "video": "https://elsewhere/1.mp4"})"), "");
  EXPECT_EQ(video.uri(), "https://elsewhere/1.mp4");
  EXPECT_EQ(video.make(R"({"q": "x", "video": "https://hub/o/n/resolve/main/videos/2.mp4"})"),
            "the data set lacks the file that \"video\" names");
  const std::string file = video_fixture();
  ASSERT_EQ(video.make_of("video", file), "");
  EXPECT_STREQ(video.part().mime, "video/mp4");
  EXPECT_EQ(ifb::view(video.part().data), file);
}

TEST(hf_media, files_outside_of_the_data_set_are_refused) {
  namespace fs = std::filesystem;
  for (const auto& [recipe, column] :
       {std::pair(image_recipe, "image"), std::pair(video_recipe, "video"),
        std::pair(sound_recipe, "audio")}) {
    media_bench b(recipe);
    b.folder.write("secret", "x");
    fs::create_symlink("../secret", b.folder.path("data/link"));
    const auto said = [&](const std::string& path) {
      return b.make(std::string(R"({"q": "x", ")") + column + R"(": ")" + path + "\"}");
    };
    EXPECT_THAT(said("../secret"), HasSubstr("is not a path inside the data set"));
    EXPECT_THAT(said(b.folder.path("secret")), HasSubstr("is not a path inside the data set"));
    EXPECT_THAT(said("link"), HasSubstr("is a link that leads out of the data set"));
    EXPECT_EQ(said("file:///etc/passwd"),
              std::string("\"") + column + "\" names a file outside of the data set");
    EXPECT_EQ(said(""), std::string("\"") + column + "\" is an empty text");
    EXPECT_THAT(b.make(std::string(R"({"q": "x", ")") + column +
                       R"(": {"bytes": null, "path": "../secret"}})"),
                HasSubstr("is not a path inside the data set"));
  }
  media_bench video(video_recipe);
  EXPECT_THAT(video.make(R"({"q": "x", "video": "https://hub/o/n/resolve/main/../../x"})"),
              HasSubstr("is not a path inside the data set"));
}

TEST(hf_media, values_that_are_no_media_are_refused_in_one_clause) {
  for (const auto& [recipe, column] :
       {std::pair(image_recipe, "image"), std::pair(video_recipe, "video"),
        std::pair(sound_recipe, "audio")}) {
    media_bench b(recipe);
    const std::string begin = std::string(R"({"q": "x", ")") + column + "\": ";
    const std::string none = std::string("no value in \"") + column + "\"";
    EXPECT_EQ(b.make(begin + "null}"), none);
    EXPECT_EQ(b.make("{\"q\": \"x\"}"), none);
    EXPECT_EQ(b.make(begin + "[]}"), none);
    for (const char* value :
         {"7", "true", "[null]", "[[1]]", "{}", R"({"bytes": 5, "path": null})",
          R"({"bytes": null, "path": null})", R"({"bytes": null, "path": 3})",
          R"({"bytes": "", "path": null})", R"({"bytes": "; not a file", "path": null})"}) {
      // The bytes of a video are not looked at.
      if (std::string(column) == "video" && std::string(value).find("not a") != std::string::npos)
        continue;
      const std::string reason = b.make(begin + value + "}");
      EXPECT_THAT(reason, AllOf(testing::Not(""), testing::Not(HasSubstr("; ")))) << value;
    }
  }
}

TEST(hf_media, files_that_are_cut_are_refused) {
  media_bench images(image_recipe);
  for (const char* name : {"photo1.jpg", "test1.png"}) {
    const std::string file = medium_fixture(name);
    for (const std::size_t size : {std::size_t{1}, file.size() / 3})
      EXPECT_THAT(images.make_of("image", file.substr(0, size)), StartsWith("cannot decode"))
          << name << " " << size;
  }
  media_bench sounds(sound_recipe);
  const std::string file = medium_fixture("tone_1s.wav");
  for (const std::size_t size : {std::size_t{1}, std::size_t{30}})
    EXPECT_THAT(sounds.make_of("audio", file.substr(0, size)), StartsWith("cannot decode")) << size;
}

TEST(hf_media, a_row_may_have_no_medium_if_the_recipe_says_so) {
  media_bench b(recipe_with("kind = \"image\"\ncolumn = \"image\"\noptional = true\n"));
  for (const char* row :
       {R"({"q": "x"})", R"({"q": "x", "image": null})", R"({"q": "x", "image": []})"}) {
    EXPECT_EQ(b.make(row), "") << row;
    EXPECT_EQ(b.sample.media.count, 0U);
  }
  EXPECT_NE(b.make(R"({"q": "x", "image": 5})"), "");
}

TEST(hf_media, the_first_or_all_of_a_list_are_taken) {
  const std::string row = R"({"q": "x", "image": ["http://h/1", "http://h/2"]})";
  media_bench first(image_recipe);
  ASSERT_EQ(first.make(row), "");
  EXPECT_EQ(first.sample.media.count, 1U);
  EXPECT_EQ(first.uri(), "http://h/1");
  media_bench all(recipe_with("kind = \"image\"\ncolumn = \"image\"\ntake = \"all\"\n"));
  ASSERT_EQ(all.make(row), "");
  ASSERT_EQ(all.sample.media.count, 2U);
  EXPECT_EQ(ifb::view(all.part(1).uri), "http://h/2");
  EXPECT_NE(all.make(R"({"q": "x", "image": ["http://h/1", null]})"), "");
}

TEST(hf_media, media_move_into_the_message_with_the_chat_switch) {
  media_bench b(image_recipe, {}, true);
  ASSERT_EQ(b.make(R"({"q": "x", "image": "http://h/1"})"), "");
  EXPECT_EQ(b.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});

  media_bench chat(
      recipe_with("kind = \"image\"\ncolumn = \"image\"\n", "multimodal-chat = true\n"), {}, true);
  ASSERT_EQ(chat.make(R"({"q": "x", "image": "http://h/1"})"), "");
  EXPECT_EQ(chat.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_EQ(chat.sample.media.count, 0U);
  const auto parts = ifb::view(chat.sample.prompt);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(ifb::view(parts[0].data), "x");
  EXPECT_EQ(parts[1].kind, std::uint32_t{IFB_PART_IMAGE});
}

TEST(hf_media, sound_becomes_a_wav_file_with_its_length) {
  media_bench b(sound_recipe);
  const std::string file = medium_fixture("tone_2s.flac");
  ASSERT_EQ(b.make_of("audio", file), "");
  EXPECT_EQ(b.part().kind, std::uint32_t{IFB_PART_AUDIO});
  EXPECT_STREQ(b.part().mime, "audio/wav");
  EXPECT_EQ(ifb::view(b.part().name), "audio.wav");
  EXPECT_EQ(ifb::view(b.part().data), codecs::to_wav(file, codecs::precision::float32).file);
  EXPECT_EQ(b.field("input_audio_duration"), "2.0");
}

TEST(hf_media, samples_become_a_wav_file) {
  media_bench b(sound_recipe);
  const std::string path = R"("path": "not/there.wav", )";
  ASSERT_EQ(b.make(R"({"q": "x", "audio": {)" + path + R"("array": [0.0, 0.5, -0.5, 0.25],)" +
                   R"( "sampling_rate": 8}})"),
            "");
  const auto facts = codecs::inspect_sound(ifb::view(b.part().data));
  EXPECT_EQ(facts.rate, 8U);
  EXPECT_EQ(facts.frames, 4U);
  EXPECT_EQ(b.field("input_audio_duration"), "0.5");
}

TEST(hf_media, a_sound_file_of_the_data_set_is_sent_as_it_is) {
  media_bench b(recipe_with("kind = \"audio\"\ncolumn = \"url\"\n"));
  const std::string file = medium_fixture("tone_2s.mp3");
  b.folder.write("data/audio/call 1.mp3", file);
  ASSERT_EQ(b.make(R"({"q": "x", "url": "audio/call 1.mp3"})"), "");
  EXPECT_EQ(ifb::view(b.part().data), file);
  EXPECT_EQ(ifb::view(b.part().name), "call 1.mp3");
  EXPECT_STREQ(b.part().mime, "audio/mpeg");
  EXPECT_THAT(b.field("input_audio_duration"), StartsWith("2."));
  EXPECT_THAT(b.make(R"({"q": "x", "url": "https://h/a.mp3"})"), HasSubstr("URL"));
}

TEST(hf_media, recordings_outside_the_lengths_are_skipped) {
  const std::string file = medium_fixture("tone_1s.wav");
  for (const auto& [least, most, fits] :
       {std::tuple(0.0, 1.0, true), std::tuple(1.0, 1.0, true), std::tuple(1.01, 5.0, false),
        std::tuple(0.0, 0.99, false)}) {
    media_bench b(sound_recipe, {.least = least, .most = most});
    EXPECT_EQ(b.make_of("audio", file),
              fits ? "" : "recording outside --asr-min-audio-len-sec and --asr-max-audio-len-sec")
        << least << " " << most;
  }
}

TEST(hf_media, the_words_of_a_recording_are_kept) {
  media_bench b(recipe_with("kind = \"audio\"\ncolumn = \"audio\"\n",
                            "columns = [\"text?\"]\ntranscript = \"{{ text or '' }}\"\n"));
  const std::string audio = R"("audio": {"array": [0, 0.5], "sampling_rate": 8})";
  ASSERT_EQ(b.make(R"({"q": "x", "text": "gr\u00fcn", )" + audio + "}"), "");
  EXPECT_EQ(b.field("transcript"), "gr\u00fcn");
  EXPECT_EQ(b.field("input_audio_duration"), "0.25");
  for (const std::string text : {"", R"("text": null, )", R"("text": "", )"}) {
    ASSERT_EQ(b.make(R"({"q": "x", )" + text + audio + "}"), "");
    EXPECT_EQ(b.field("transcript"), "(none)");
  }
}

TEST(hf_media, columns_with_media_are_read_and_can_be_used_in_templates) {
  media_bench b(recipe_with("kind = \"image\"\ncolumn = \"image\"\noptional = true\n",
                            "columns = [\"extra\"]\n"));
  EXPECT_THAT(b.maker().columns(), testing::ElementsAre("extra", "image?", "q"));
  media_bench needed(image_recipe);
  EXPECT_THAT(needed.maker().columns(), testing::ElementsAre("q", "image"));
  media_bench used(image_recipe + "[[filter]]\nkeep = \"image != 'no'\"\nreason = \"none\"\n");
  EXPECT_EQ(used.make(R"({"q": "x", "image": "no"})"), "none");
  EXPECT_EQ(used.make(R"({"q": "x", "image": "http://h/1"})"), "");
}

TEST(hf_media, several_threads_make_the_media_of_one_row_once) {
  media_bench b(image_recipe);
  b.folder.write("data/a.png", medium_fixture("test1.png"));
  const ifb::json_document row =
      ifb::read_json(R"({"q": "x", "image": {"bytes": null, "path": "a.png"}})");
  std::vector<const void*> made(8);
  {
    std::vector<std::thread> threads;
    for (const void*& each : made)
      threads.emplace_back([&] {
        support::arena memory;
        ifb_sample out{};
        EXPECT_NO_THROW(EXPECT_EQ(b.make(row, 0, memory, out), ""));
        if (out.media.count == 1) each = ifb::view(out.media).front().data.data;
      });
    for (std::thread& each : threads)
      each.join();
  }
  EXPECT_NE(made.front(), nullptr);
  EXPECT_THAT(made, testing::Each(made.front()));
}

}  // namespace
