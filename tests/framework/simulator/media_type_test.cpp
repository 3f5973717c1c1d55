#include "simulator/media_type.hpp"

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

TEST(media_type, of_the_same_format_have_the_same_name) {
  for (const char* type : {"image/jpeg", "image/jpg", "IMAGE/JPEG", " image/pjpeg ; a=b"})
    EXPECT_EQ(format_of_type(type), "jpeg") << type;
  for (const char* type : {"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"})
    EXPECT_EQ(format_of_type(type), "wav") << type;
  for (const char* type : {"audio/mpeg", "audio/mp3", "audio/x-mp3"})
    EXPECT_EQ(format_of_type(type), "mp3") << type;
  for (const char* type : {"video/mp4", "audio/mp4", "audio/x-m4a", "video/quicktime"})
    EXPECT_EQ(format_of_type(type), "mp4") << type;
  for (const char* type : {"video/webm", "audio/webm", "video/x-matroska"})
    EXPECT_EQ(format_of_type(type), "webm") << type;
  for (const char* type : {"audio/ogg", "application/ogg", "audio/opus"})
    EXPECT_EQ(format_of_type(type), "ogg") << type;
  EXPECT_EQ(format_of_type("image/png"), "png");
  EXPECT_EQ(format_of_type("video/mpeg"), "mpeg") << "not MP3";
}

TEST(media_type, that_is_unknown_has_the_name_of_its_word) {
  EXPECT_EQ(format_of_type("audio/aac"), "aac");
  EXPECT_EQ(format_of_ending("aac"), "aac");
  EXPECT_EQ(format_of_type("nonsense"), "nonsense");
}

TEST(media_type, may_tell_nothing) {
  for (const char* type : {"", "  ", "application/octet-stream", "image/*", ";base64"})
    EXPECT_EQ(format_of_type(type), "") << type;
}

TEST(media_type, has_an_ending_of_file_names) {
  EXPECT_EQ(format_of_ending("JPG"), "jpeg");
  EXPECT_EQ(format_of_ending("wav"), "wav");
  EXPECT_EQ(format_of_ending("mpeg"), "mp3");
  EXPECT_EQ(format_of_ending("mpga"), "mp3");
  EXPECT_EQ(format_of_ending("m4a"), "mp4");
  EXPECT_EQ(ending_of("a.tar.gz"), "gz");
  EXPECT_EQ(ending_of("audio"), "");
  EXPECT_EQ(ending_of("audio."), "");
  EXPECT_EQ(ending_of("a.b/audio"), "");
  EXPECT_EQ(ending_of("a.more than an ending"), "");
}

}  // namespace
}  // namespace inferbench::simulator
