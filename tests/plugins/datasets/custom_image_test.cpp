#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/dataset_show.hpp"
#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "plugins/hub/fake_server.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::dataset_box;
using support::fixture_path;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t image_switch = 1;

struct image_bench {
  explicit image_bench(const std::string& path, settings given = {},
                       const ifb_tokenizer_service* tokenizer = &support::echo_tokenizer) {
    if (tokenizer != nullptr) box.host.services[IFB_SERVICE_TOKENIZER] = tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The error message of prepare without the folder of the file.
  std::string trouble(const temporary_folder& folder, std::int64_t wanted = 0) {
    EXPECT_LT(box.prepare(wanted), 0);
    std::string out = box.message();
    const std::string here = folder.path() + "/";
    for (std::size_t at = 0; (at = out.find(here)) != out.npos;)
      out.erase(at, here.size());
    return out;
  }
  /// The parts of the prompt or the media: the text or URI, or the type of the file.
  static std::vector<std::string> shown(const ifb_part_list& list) {
    std::vector<std::string> out;
    for (const ifb_part& part : ifb::view(list)) {
      const bool inside = part.kind == IFB_PART_TEXT || part.kind == IFB_PART_JSON;
      out.emplace_back(part.uri.size != 0 ? ifb::view(part.uri)
                       : inside           ? ifb::view(part.data)
                                          : std::string_view(part.mime));
    }
    return out;
  }
  dataset_box box{"custom_image"};
};

std::string file_uri(const std::string& name) { return "file://" + fixture_path(name); }

class custom_image_golden : public ::testing::TestWithParam<support::golden_run> {};

TEST_P(custom_image_golden, samples_are_the_same_as_in_upstream) {
  const std::string rows =
      " --num-prompts 10 --dataset-path '" + fixture_path("custom_image.jsonl") + "'";
  support::is_golden("custom_image", GetParam(), rows);
  support::is_golden("custom_mm", GetParam(), rows, "custom_image");  // the old name
}

INSTANTIATE_TEST_SUITE_P(seeds, custom_image_golden, ::testing::ValuesIn(support::golden_runs));

TEST(custom_image_dataset, a_row_with_files_is_a_text_with_media) {
  image_bench b(fixture_path("custom_image.jsonl"));
  ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 7);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE});
  EXPECT_EQ(b.box.operations().flags, std::uint32_t{IFB_DATASET_PARALLEL});
  ASSERT_EQ(b.box.read(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
  EXPECT_EQ(b.box.prompt(), "Compare the two pictures.");
  EXPECT_THAT(image_bench::shown(b.box.sample.media),
              ElementsAre(file_uri("media/photo1.jpg"), file_uri("media/test1.png")));
  EXPECT_EQ(b.box.sample.input_tokens, 26);
  EXPECT_EQ(b.box.sample.output_tokens, 256);
  EXPECT_EQ(b.box.sample.messages.count, 0U);
  ASSERT_EQ(b.box.read(6), IFB_OK);
  EXPECT_THAT(image_bench::shown(b.box.sample.media), ElementsAre("http://127.0.0.1:9/none.png"));
  EXPECT_EQ(b.box.read(7), IFB_END);
}

TEST(custom_image_dataset, with_the_chat_switch_a_row_with_files_has_parts) {
  image_bench b(fixture_path("custom_image.jsonl"), {{"enable-multimodal-chat", image_switch}});
  ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_THAT(image_bench::shown(b.box.sample.prompt),
              ElementsAre("How many colours are in the picture?", file_uri("media/photo1.jpg")));
  EXPECT_EQ(b.box.sample.media.count, 0U);
  EXPECT_EQ(b.box.sample.input_tokens, 37);
}

TEST(custom_image_dataset, a_row_with_content_keeps_the_order_of_its_parts) {
  for (const std::int64_t chat : {0, 1}) {
    image_bench b(fixture_path("custom_image.jsonl"), {{"enable-multimodal-chat", chat}});
    ASSERT_EQ(b.box.prepare(10), IFB_OK) << b.box.message();
    ASSERT_EQ(b.box.read(2), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
    EXPECT_THAT(image_bench::shown(b.box.sample.prompt),
                ElementsAre("Compare these images: ", file_uri("media/test1.png"), " and ",
                            file_uri("media/small.webp")));
    EXPECT_EQ(b.box.sample.media.count, 0U);
    EXPECT_EQ(b.box.sample.input_tokens, 28);  // both texts, and the token of the model
    ASSERT_EQ(b.box.read(3), IFB_OK) << b.box.message();
    const auto parts = image_bench::shown(b.box.sample.prompt);
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_THAT(parts[0], StartsWith(R"({"type": "image_url", "image_url": {"url": )"
                                     R"("data:image/png;base64,iVBORw0KGgo)"));
    EXPECT_THAT(parts[0], ::testing::EndsWith(R"(AElFTkSuQmCC", "detail": "low"}})"));
    EXPECT_EQ(parts[1], "Describe it.");
  }
}

TEST(custom_image_dataset, all_members_of_an_image_url_are_sent) {
  const temporary_folder folder;
  folder.write("a.png", support::read_fixture("datasets/media/test1.png"));
  const std::string rows = folder.write(
      "rows.jsonl",
      R"({"content": [{"type": "image_url", "image_url": "a.png"}, )"
      R"({"type": "image_url", "image_url": {"detail": "high", "url": "a.png", "x": [1.0, {"y": null}]}}]})"
      "\n");
  image_bench b(rows);
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  const std::string uri = "file://" + folder.path("a.png");
  EXPECT_THAT(image_bench::shown(b.box.sample.prompt),
              ElementsAre(uri, R"({"type": "image_url", "image_url": {"url": ")" + uri +
                                   R"(", "detail": "high", "x": [1.0, {"y": null}]}})"));
  EXPECT_EQ(b.box.sample.input_tokens, 1);

  image_bench here(rows, {{"ensure-client-side-data", image_switch}});
  ASSERT_EQ(here.box.prepare(1), IFB_OK) << here.box.message();
  ASSERT_EQ(here.box.read(0), IFB_OK) << here.box.message();
  const auto parts = image_bench::shown(here.box.sample.prompt);
  EXPECT_EQ(parts[0], "image/png");
  const std::string png = here.box.prompt(0);
  EXPECT_EQ(parts[1], R"({"type": "image_url", "image_url": {"url": "data:image/png;base64,)" +
                          ifb::base64(png) + R"(", "detail": "high", "x": [1.0, {"y": null}]}})");
}

TEST(custom_image_dataset, with_client_side_data_every_image_is_png) {
  const hub_test::fake_server server([](const hub_test::request&) {
    return hub_test::response{200, {}, support::read_fixture("datasets/media/photo1.jpg")};
  });
  const temporary_folder folder;
  std::filesystem::copy(fixture_path("media"), folder.path("my media"));
  const std::string data = "data:image/png;base64,AAAA";
  const std::string rows = folder.write(
      "rows.jsonl", R"({"prompt": "p", "image_files": ["my media/test1.png", "file://)" +
                        folder.path() + R"(/my%20media/test1.png", ")" + server.address() +
                        R"(/a.jpg", ")" + data + "\", \"my media/small.webp\"]}\n");
  image_bench b(rows, {{"ensure-client-side-data", image_switch}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  // All images of the run are in memory.
  std::filesystem::remove_all(folder.path("my media"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
    EXPECT_THAT(image_bench::shown(b.box.sample.media),
                ElementsAre("image/png", "image/png", "image/png", data, "image/png"));
    const auto media = ifb::view(b.box.sample.media);
    EXPECT_EQ(media[0].data.data, media[1].data.data);
    EXPECT_THAT(ifb::view(media[2].data), StartsWith("\x89PNG"));
  }
  EXPECT_EQ(server.lines().size(), 1U);
}

TEST(custom_image_dataset, the_length_of_an_answer_is_the_flag_s_or_with_minus_1_the_row_s) {
  const temporary_folder folder;
  const std::string rows = folder.write(
      "rows.jsonl", "{\"prompt\": \"p\", \"image_files\": [\"a\"], \"output_tokens\": 40}\n");
  for (const auto& [given, expected] :
       {std::pair{settings{}, 256}, std::pair{settings{{"output-len", 7}}, 7},
        std::pair{settings{{"output-len", -1}}, 40}}) {
    const ifb_tokenizer_service* const none = nullptr;
    for (const ifb_tokenizer_service* const tokenizer : {&support::echo_tokenizer, none}) {
      image_bench b(rows, given, tokenizer);
      ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
      ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
      EXPECT_EQ(b.box.sample.output_tokens, expected);
      EXPECT_EQ(b.box.sample.input_tokens, tokenizer == nullptr ? 1 : 2);
      EXPECT_EQ(b.box.prompt(), "p");
    }
  }
  for (const std::int64_t length : {0, -2}) {
    image_bench b(rows, {{"output-len", length}});
    EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
    EXPECT_EQ(b.box.option_at_fault(), "output-len");
  }
  folder.write("rows.jsonl", "{\"prompt\": \"p\", \"image_files\": [\"a\"]}\n");
  image_bench none(rows, {{"output-len", -1}});
  EXPECT_THAT(none.trouble(folder), HasSubstr("rows.jsonl:1: the row has no \"output_tokens\""));
}

TEST(custom_image_dataset, a_wrong_row_stops_before_the_run_with_line_and_reason) {
  const std::string layouts =
      "a row has \"content\", or \"prompt\" and \"image_files\"; this one has ";
  const std::string types = "the type of a part of \"content\" must be text, image or image_url";
  const std::pair<std::string, std::string> cases[] = {
      {"{", "2:2: malformed JSON: the line ends inside the row"},
      {"[1]", "2: the row is not a JSON object"},
      {"{}", "2: " + layouts + "no members"},
      {R"({"prompt": "p"})", "2: " + layouts + "only prompt"},
      {R"({"image_files": ["a"], "x": 1})", "2: " + layouts + "only image_files, x"},
      {R"({"prompt": 1, "image_files": ["a"]})", "2: \"prompt\" must be a text"},
      {R"({"prompt": "p", "image_files": []})",
       "2: \"image_files\" must be a list with at least one image"},
      {R"({"prompt": "p", "image_files": "a"})",
       "2: \"image_files\" must be a list with at least one image"},
      {R"({"prompt": "p", "image_files": ["a", null]})",
       "2: the image in \"image_files\" must be a path or a URL"},
      {R"({"prompt": "p", "image_files": [{"bytes": "x"}]})",
       "2: the image in \"image_files\" must be a path or a URL"},
      {R"({"prompt": "p", "image_files": [""]})", "2: the path of the file is empty"},
      {R"({"prompt": "p", "image_files": ["a\u0000b"]})", "2: the path a?b contains a zero byte"},
      {R"({"content": "text", "prompt": "p", "image_files": ["a"]})",
       "2: \"content\" must be a list with at least one part"},
      {R"({"content": null})", "2: \"content\" must be a list with at least one part"},
      {R"({"content": []})", "2: \"content\" must be a list with at least one part"},
      {R"({"content": ["text"]})", "2: a part of \"content\" must be an object"},
      {R"({"content": [{"type": "text"}]})", "2: \"text\" in a part of type text must be a text"},
      {R"({"content": [{"type": "text", "text": 1}]})",
       "2: \"text\" in a part of type text must be a text"},
      {R"({"content": [{"type": "image"}]})", "2: the image in \"image\" must be a path or a URL"},
      {R"({"content": [{"type": "image_url", "image_url": 3}]})",
       "2: the image in \"image_url\" must be a path or a URL"},
      {R"({"content": [{"type": "image_url", "image_url": {"url": 3}}]})",
       "2: the image in \"image_url\" must be a path or a URL"},
      {R"({"content": [{"type": "audio", "audio": "a"}]})", "2: " + types + ", not audio"},
      {R"({"content": [{"type": 3}]})", "2: " + types},
  };
  const temporary_folder folder;
  for (const auto& [row, said] : cases) {
    const std::string rows = folder.write("rows.jsonl", R"({"prompt": "p", "image_files": ["a"]})"
                                                        "\n" +
                                                            row + "\n");
    image_bench b(rows);
    EXPECT_EQ(b.trouble(folder), "rows.jsonl:" + said);
    EXPECT_EQ(b.box.option_at_fault(), "path");
  }
  image_bench fixture(fixture_path("custom_image_bad.jsonl"));
  EXPECT_EQ(fixture.box.prepare(1), IFB_E_DATA);
  EXPECT_EQ(fixture.box.message(), fixture_path("custom_image_bad.jsonl") +
                                       ":8: \"content\" must be a list with at least one part");
}

TEST(custom_image_dataset, only_files_of_json_lines_are_read) {
  image_bench b(fixture_path("sharegpt.json"));
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "path");
  EXPECT_THAT(b.box.message(), HasSubstr("ends in .jsonl"));
  image_bench missing("/nonexistent/rows.jsonl");
  EXPECT_EQ(missing.box.prepare(1), IFB_E_IO);
}

TEST(custom_image_dataset, an_image_that_cannot_be_read_here_stops_before_the_run) {
  const std::string good = support::read_fixture("datasets/media/test1.png");
  const temporary_folder folder;
  folder.write("good.png", good);
  folder.write("cut.png", good.substr(0, good.size() / 2));
  folder.write("text.png", "no image");
  folder.write("bomb.bmp", std::string("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x60\xEA\0\0\x60\xEA"
                                       "\0\0\x01\0\x18\0",
                                       30) +
                               std::string(100, '\0'));
  folder.write("huge.png", "x");
  ASSERT_EQ(::truncate(folder.path("huge.png").c_str(), off_t{2} << 30U), 0);
  std::filesystem::create_directory(folder.path("folder.png"));
  ASSERT_EQ(::mkfifo(folder.path("pipe.png").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop.png", folder.path("loop.png"));
  const hub_test::fake_server server([](const hub_test::request&) {
    return hub_test::response{302, {{"Location", "file:///etc/hostname"}}, ""};
  });
  const std::pair<std::string, std::string> cases[] = {
      {"cut.png", "cannot decode the image cut.png: "},
      {"text.png", "cannot decode the image text.png: "},
      {"bomb.bmp", "cannot decode the image bomb.bmp: "},
      {"huge.png", "cannot read huge.png: the file has 2147483648 bytes, more than the 536870912"},
      {"folder.png", "cannot read folder.png: Is a directory"},
      {"pipe.png", "cannot read pipe.png: not a regular file"},
      {"loop.png", "cannot read loop.png: Too many levels of symbolic links"},
      {"none.png", "cannot read none.png: No such file or directory"},
      {server.address() + "/a", "redirects to \"file:///etc/hostname\""},
      {"http://127.0.0.1:1/a.png", "cannot fetch http://127.0.0.1:1/a.png: "},
  };
  for (const auto& [image, said] : cases) {
    SCOPED_TRACE(image);
    const std::string rows = folder.write("rows.jsonl",
                                          "{\"prompt\": \"p\", \"image_files\": [\"good.png\"]}\n\n"
                                          "{\"prompt\": \"p\", \"image_files\": [\"good.png\", \"" +
                                              image + "\"]}\n");
    image_bench b(rows, {{"ensure-client-side-data", image_switch}});
    const std::string found = b.trouble(folder);
    EXPECT_THAT(found, StartsWith("rows.jsonl:3: "));
    EXPECT_THAT(found, HasSubstr(said));
    EXPECT_EQ(b.box.error.code, IFB_E_DATA);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    image_bench passed_on(rows);  // the server reads the images
    EXPECT_EQ(passed_on.box.prepare(0), IFB_OK) << passed_on.box.message();
  }
}

TEST(custom_image_dataset, only_the_images_that_the_run_sends_are_read_before_it) {
  const temporary_folder folder;
  folder.write("good.png", support::read_fixture("datasets/media/test1.png"));
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += std::string(R"({"prompt": "p", "image_files": [")") + (i == 3 ? "none" : "good") +
            ".png\"]}\n";
  const std::string rows = folder.write("rows.jsonl", text);
  const auto order_of = [](std::uint64_t seed) {
    auto out = ifb::ascending<std::uint64_t>(10);
    ifb::python_random(seed).shuffle(out);
    return out;
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto order = order_of(seed);
    const auto place = std::ranges::find(order, 3U) - order.begin();
    image_bench b(rows, {{"ensure-client-side-data", image_switch}});
    if (place > 0) {
      EXPECT_EQ(b.box.prepare(place, seed), IFB_OK) << b.box.message();
      EXPECT_EQ(b.box.read(3), IFB_E_DATA);
      EXPECT_THAT(b.box.message(), HasSubstr("rows.jsonl:4: cannot read"));
    }
    image_bench more(rows, {{"ensure-client-side-data", image_switch}});
    EXPECT_EQ(more.box.prepare(place + 1, seed), IFB_E_DATA);
  }
}

}  // namespace
