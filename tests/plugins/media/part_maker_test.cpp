#include "datasets/media/part_maker.hpp"

#include <cstdint>
#include <filesystem>
#include <random>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/hub/fake_server.hpp"
#include "plugins/media/making.hpp"

namespace {

namespace codecs = inferbench::media;
using media_test::data_of;
using media_test::fixture;
using media_test::making;
using media_test::object_of_bytes;
using media_test::parsed;
using media_test::text_value;
using media_test::trouble_of;
using media_test::uri_of;
using row_media::media_folder;
using row_media::part_maker;
using ::testing::HasSubstr;

const making::choices client_side{.client_side = true};

TEST(part_maker, passes_the_path_or_url_of_an_image_on) {
  making m;
  const std::string here = m.folder.path();
  const std::pair<std::string, std::string> cases[] = {
      {"http://h/a.png", "http://h/a.png"},
      {"https://h/a b.png?x=1", "https://h/a b.png?x=1"},
      {"file:///a/b.png", "file:///a/b.png"},
      {"file://media/a.png", "file://media/a.png"},
      {"data:image/png;base64,AAAA", "data:image/png;base64,AAAA"},
      {"data:video/mp4;base64,AAAA", "data:video/mp4;base64,AAAA"},
      {"media/a b.png", "file://" + here + "/media/a b.png"},
      {"/abs/x/../a.png", "file:///abs/a.png"},
  };
  for (const auto& [given, sent] : cases) {
    const ifb_part part = m.image(text_value(given));
    EXPECT_EQ(part.kind, std::uint32_t{IFB_PART_IMAGE});
    EXPECT_EQ(uri_of(part), sent);
    EXPECT_EQ(data_of(part), "");
    EXPECT_TRUE(m.maker.prepare_image(text_value(given), {}));
    const ifb_part video = m.maker.video(text_value(given), {}, m.memory());
    EXPECT_EQ(video.kind, std::uint32_t{IFB_PART_VIDEO});
    EXPECT_EQ(uri_of(video), sent);
  }
}

TEST(part_maker, makes_a_jpeg_file_of_the_bytes_of_an_image) {
  making m;
  for (const char* const name : {"photo1.jpg", "test1.png", "alpha.png", "gray.png"}) {
    SCOPED_TRACE(name);
    const std::string file = fixture(name);
    const ifb_part part = m.image(object_of_bytes(file));
    EXPECT_STREQ(part.mime, "image/jpeg");
    EXPECT_EQ(data_of(part), codecs::encode_jpeg(codecs::decode_image(file)));
    EXPECT_EQ(uri_of(part), "");
  }
}

TEST(part_maker, reads_the_file_of_an_object_without_bytes) {
  making m;
  const std::string file = fixture("test1.png");
  m.folder.write("images/a.png", file);
  for (const char* const row :
       {R"({"bytes": null, "path": "images/a.png"})", R"({"path": "images/a.png"})"})
    EXPECT_EQ(data_of(m.image(parsed(row))), codecs::encode_jpeg(codecs::decode_image(file)))
        << row;
}

TEST(part_maker, keeps_the_image_of_a_key_and_makes_others_anew) {
  making m;
  const auto value = object_of_bytes(fixture("test1.png"));
  const ifb_part first = m.image(value, "17/0");
  EXPECT_EQ(m.image(value, "17/0").data.data, first.data.data);
  EXPECT_NE(m.image(value, "18/0").data.data, first.data.data);
  EXPECT_NE(m.image(value).data.data, m.image(value).data.data);
  making tight({.budget = 100});
  EXPECT_FALSE(tight.maker.prepare_image(value, "17/0"));
  EXPECT_EQ(data_of(tight.image(value, "17/0")), data_of(first));
}

// The file with an EXIF orientation, as the first segment.
std::string turned(std::string jpeg, char orientation) {
  const std::string exif =
      std::string("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 25) + orientation +
      std::string("\0\0\0\0\0\0", 6);
  const std::string head = {'\xFF', '\xE1', '\0', static_cast<char>(exif.size() + 2)};
  return jpeg.insert(2, head + exif);
}

TEST(part_maker, turns_images_upright_where_upstream_does) {
  const std::string file = turned(fixture("photo1.jpg"), 6);  // 96x64 as stored
  const auto size_of = [](const ifb_part& part) {
    const codecs::image found = codecs::decode_image(ifb::view(part.data));
    return std::pair(found.width, found.height);
  };
  making plain;
  EXPECT_EQ(size_of(plain.image(object_of_bytes(file))), std::pair(96U, 64U));
  making upright({.turn = codecs::orientation::upright});
  EXPECT_EQ(size_of(upright.image(object_of_bytes(file))), std::pair(64U, 96U));
  making here(client_side);
  here.folder.write("a.jpg", file);
  EXPECT_EQ(size_of(here.image(text_value("a.jpg"))), std::pair(64U, 96U));
}

TEST(part_maker, sends_images_that_it_reads_itself_as_png) {
  making m(client_side);
  for (const char* const name : {"photo1.jpg", "test1.png", "alpha.png", "gray.png"}) {
    SCOPED_TRACE(name);
    const std::string file = fixture(name);
    m.folder.write(std::string("a b/") + name, file);
    const ifb_part part = m.image(text_value(std::string("a b/") + name));
    EXPECT_STREQ(part.mime, "image/png");
    EXPECT_THAT(data_of(part), ::testing::StartsWith("\x89PNG"));
    EXPECT_EQ(codecs::decode_image(data_of(part)).rgb, codecs::decode_image(file).rgb);
    const std::string url = "file://" + m.folder.path() + "/a%20b/" + name;
    EXPECT_EQ(m.image(text_value(url)).data.data, part.data.data) << "is made once";
  }
  const std::string data = "data:image/png;base64,AAAA";
  EXPECT_EQ(uri_of(m.image(text_value(data))), data);
}

TEST(part_maker, fetches_an_image_once) {
  const hub_test::fake_server server(
      [](const hub_test::request&) { return hub_test::response{200, {}, fixture("test1.png")}; });
  making m(client_side);
  const auto url = text_value(server.address() + "/test1.png");
  EXPECT_TRUE(m.maker.prepare_image(url, {}));
  const ifb_part part = m.image(url);
  EXPECT_EQ(codecs::decode_image(data_of(part)).rgb,
            codecs::decode_image(fixture("test1.png")).rgb);
  EXPECT_EQ(server.lines().size(), 1U);
}

TEST(part_maker, names_the_image_that_cannot_be_used) {
  making m(client_side);
  m.folder.write("text.png", "no image; at all");
  // libcurl says how many milliseconds it has tried to connect.
  const auto timeless = [](const std::string& text) {
    return std::regex_replace(text, std::regex(" after [0-9]+ ms"), "");
  };
  const auto trouble = [&](const std::string& json) {
    const auto value = parsed(json);
    const std::string found = timeless(trouble_of([&] { return m.image(value); }));
    EXPECT_EQ(timeless(trouble_of([&] { return m.maker.prepare_image(value, {}); })), found);
    EXPECT_EQ(found.find("; "), found.npos) << found;
    return found;
  };
  EXPECT_THAT(trouble("\"text.png\""),
              HasSubstr("cannot decode the image " + m.folder.path("text.png") + ": "));
  EXPECT_THAT(trouble("\"none.png\""),
              HasSubstr("cannot read " + m.folder.path("none.png") + ": No such file"));
  EXPECT_THAT(trouble("\"http://127.0.0.1:1/a.png\""),
              HasSubstr("cannot fetch http://127.0.0.1:1/a.png: "));
  EXPECT_THAT(trouble(R"({"bytes": "x"})"), HasSubstr("cannot decode the image: "));
  EXPECT_THAT(trouble(R"({"bytes": ""})"), HasSubstr("cannot decode the image: "));
  for (const auto& [json, said] :
       {std::pair{"null", "null"}, std::pair{"3", "a number"}, std::pair{"true", "a truth value"},
        std::pair{"[]", "a list"}, std::pair{"{}", "an object without them"},
        std::pair{R"({"bytes": null})", "an object without them"}}) {
    const std::string expected =
        std::string("an image is a path, a URL or an object with \"bytes\", not ") + said;
    EXPECT_EQ(trouble(json), expected);
    EXPECT_EQ(trouble_of([&, value = parsed(json)] {
                m.maker.check_image(value);
                return 0;
              }),
              expected);
  }
}

TEST(part_maker, survives_files_that_are_cut_or_random) {
  making m;
  const std::string file = fixture("test1.png");
  // An image whose last bytes are missing may have all of its pixels.
  for (std::size_t size = 0; size < file.size() * 9 / 10; size += 7)
    EXPECT_NE(trouble_of([&] { return m.image(object_of_bytes(file.substr(0, size))); }), "")
        << size;
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    std::string noise(random() % 300, '\0');
    for (char& each : noise)
      each = static_cast<char>(random());
    static_cast<void>(trouble_of([&] { return m.image(object_of_bytes(noise)); }));
  }
}

TEST(part_maker, refuses_a_decompression_bomb) {
  making m;
  // A bitmap of 60000x60000 pixels, and the beginning of a GIF file of 65535x65535.
  const std::string bitmap(
      "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x60\xEA\0\0\x60\xEA\0\0\x01\0\x18\0", 30);
  const std::string gif("GIF89a\xFF\xFF\xFF\xFF\0\0\0,\0\0\0\0\xFF\xFF\xFF\xFF\0\x02\x02L\x01\0;",
                        28);
  EXPECT_THAT(trouble_of([&] { return m.image(object_of_bytes(bitmap + std::string(100, '\0'))); }),
              HasSubstr("cannot decode the image: "));
  EXPECT_THAT(trouble_of([&] { return m.image(object_of_bytes(gif)); }),
              HasSubstr("cannot decode the image: "));
}

TEST(part_maker, leaves_the_bytes_of_a_video_as_they_are) {
  making m;
  const std::string bytes(
      "\0\0\0\x18"
      "ftypmp42\xFF",
      13);
  const auto value = object_of_bytes(bytes);
  const ifb_part part = m.maker.video(value, "0", m.memory());
  EXPECT_STREQ(part.mime, "video/mp4");
  EXPECT_EQ(data_of(part), bytes);
  EXPECT_EQ(m.maker.video(value, "0", m.memory()).data.data, part.data.data);
  EXPECT_EQ(uri_of(m.maker.video(parsed(R"({"bytes": null, "path": "v/a.mp4"})"), {}, m.memory())),
            "file://" + m.folder.path("v/a.mp4"));
  EXPECT_EQ(trouble_of([&] { return m.maker.video(object_of_bytes(""), {}, m.memory()); }),
            "the video has no bytes");
  EXPECT_EQ(trouble_of([&] { return m.maker.video(parsed("null"), {}, m.memory()); }),
            "a video is a path, a URL or an object with \"bytes\", not null");
}

TEST(part_maker, lets_rows_of_strangers_name_no_file_outside) {
  const support::host host;
  support::arena blocks;
  const inferbench::support::temporary_folder folder;
  folder.write("secret.png", fixture("test1.png"));
  folder.write("data/a.png", fixture("test1.png"));
  const part_maker maker(ifb::host(host.table()), media_folder::of_strangers(folder.path("data")),
                         {});
  const ifb::arena memory(host.table(), blocks.handle());
  EXPECT_NE(data_of(maker.image(parsed(R"({"bytes": null, "path": "a.png"})"), {}, memory)), "");
  for (const char* const path : {"../secret.png", "/etc/hostname"}) {
    const auto object = parsed(std::string(R"({"bytes": null, "path": ")") + path + "\"}");
    const auto text = text_value(path);
    for (const auto* const value : {&object, &text}) {
      EXPECT_THAT(trouble_of([&] { return maker.image(*value, {}, memory); }),
                  HasSubstr("leads out of the data set's folder"));
      EXPECT_THAT(trouble_of([&] { return maker.video(*value, {}, memory); }),
                  HasSubstr("leads out of the data set's folder"));
      EXPECT_THAT(
          trouble_of([&] { return maker.sound(*value, row_media::sound_use::upload, {}, memory); }),
          HasSubstr("leads out of the data set's folder"));
    }
  }
}

}  // namespace
