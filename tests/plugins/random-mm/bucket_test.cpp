#include "datasets/random-mm/bucket.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "support/sanitizer.hpp"

namespace random_mm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> shown(std::string_view text) {
  std::vector<std::string> out;
  for (const bucket& each : parse_buckets(text))
    out.push_back(each.text() + " " + std::to_string(each.weight));
  return out;
}

std::string refusal_of(std::string_view text) {
  try {
    (void)parse_buckets(text);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "bucket-config");
    return e.message();
  }
  return "";
}

TEST(buckets, are_read_from_a_python_dict_or_from_json) {
  const char* const texts[] = {"{(256, 256, 1): 0.75, (720, 1280, 16): 0.25}",
                               "{(256,256,1):0.75,(720,1280,16):0.25}",
                               " {\n  (256, 256, 1): 7.5e-1,\n\t( +720 ,1280, 16, ) : .25 ,\r\n}\n",
                               R"x({"(256, 256, 1)": 0.75, "(720, 1280, 16)": 0.25})x",
                               R"x({'(256,256,1)': '0.75', " (720, 1280, 16) ": "+0.25"})x"};
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    EXPECT_THAT(shown(text), ElementsAre("(256, 256, 1) 0.750000", "(720, 1280, 16) 0.250000"));
  }
}

TEST(buckets, keep_the_order_of_the_text_and_the_last_weight_of_a_size) {
  EXPECT_THAT(shown("{(9, 9, 1): 1, (1, 1, 1): 2, '(9, 9, 1)': 3, (5, 5, 2): 0}"),
              ElementsAre("(9, 9, 1) 3.000000", "(1, 1, 1) 2.000000", "(5, 5, 2) 0.000000"));
}

TEST(buckets, know_their_modality_and_the_size_of_their_pixels) {
  const auto all = parse_buckets("{(64, 48, 8): 1, (17, 23, 1): 1}");
  EXPECT_EQ(all[0].kind(), modality::video);
  EXPECT_EQ(all[0].bytes(), 8U * 64 * 48 * 3);
  EXPECT_EQ(all[1].kind(), modality::image);
  EXPECT_EQ(all[1].bytes(), 17U * 23 * 3);
  const auto large = parse_buckets("{(10000, 10000, 7): 1}");
  EXPECT_EQ(large[0].bytes(), 2'100'000'000U);
}

TEST(buckets, of_an_empty_dict_are_none) { EXPECT_TRUE(parse_buckets(" { } ").empty()); }

TEST(buckets, in_another_form_are_refused_with_the_place) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "at character 1: expected \"{\", not the end; write {(HEIGHT, WIDTH, FRAMES): WEIGHT"},
      {"0.5", "at character 1: expected \"{\", not \"0.5\""},
      {"[1]", "at character 1: expected \"{\""},
      {"{", "at character 2: expected a tuple of three whole numbers"},
      {"{(1, 1)", "at character 7: expected a tuple"},
      {"{(1, 1): 1}", "at character 7: expected a tuple"},
      {"{(1, 1, 1.0): 1}", "at character 9: expected a tuple"},
      {"{(1, 1, x): 1}", "at character 9: expected a tuple"},
      {"{(1, 1, 99999999999999999999): 1}", "at character 9: expected a tuple"},
      {"{(1, 1, 1, 1): 1}", "at character 12: expected a tuple"},
      {"{[1, 1, 1]: 1}", "at character 2: expected a tuple"},
      {"{256: 1}", "at character 2: expected a tuple"},
      {R"x({"256x256": 1})x", "at character 3: expected a tuple"},
      {R"x({"(1, 1, 1)': 1})x", "at character 12: expected the end of the string"},
      {"{(1, 1, 1)}", "at character 11: expected \":\" and a weight, not \"}\""},
      {"{(1, 1, 1): }", "at character 13: expected a weight, such as 0.5"},
      {"{(1, 1, 1): half}", "at character 13: expected a weight"},
      {"{(1, 1, 1): 1,2}", "at character 15: expected a tuple"},
      {"{(1, 1, 1): 1", "at character 14: expected \",\" or \"}\", not the end"},
      {"{(1, 1, 1): 1} x", "at character 16: expected the end, not \"x\""},
      {"{(1, 1, 1): nan}", "not finite"},
      {"{(1, 1, 1): inf}", "not finite"},
      {"{(1, 1, 1): 1e999}", "expected a weight"},
      {"{(1, 1, 1): -0.5}", "negative"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    EXPECT_THAT(refusal_of(text), HasSubstr(said));
  }
}

TEST(buckets, without_frames_or_of_an_impossible_size_are_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {"{(64, 48, 0): 1}", "(64, 48, 0) is an invalid multimodal item configuration: it has 0"},
      {"{(64, 48, -1): 0}", "(64, 48, -1) is an invalid multimodal item configuration: it has -1"},
      {"{(0, 48, 1): 1}", "height and width are not from 1 to 65500"},
      {"{(64, -48, 1): 1}", "height and width are not from 1 to 65500"},
      {"{(64, 65501, 1): 1}", "height and width are not from 1 to 65500"},
      {"{(65500, 65500, 1): 1}", "has more than 178956970 pixels in a frame"},
      {"{(720, 1280, 777): 1}", "is a video of more than 2 GiB of pixels"},
      {"{(1, 1, 9000000000000000000): 1}", "is a video of more than 2 GiB of pixels"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    EXPECT_THAT(refusal_of(text), HasSubstr(said));
  }
}

TEST(buckets, cut_or_damaged_at_any_place_are_read_or_refused) {
  const std::string good = R"x({(256, 256, 1): 0.5, "(64, 48, 8)": '0.3', })x";
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(refusal_of(good.substr(0, size)), "") << size;
  std::mt19937 random(1);
  for (int i = 0; i < inferbench::support::reduced(20'000); ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k)
      text[random() % text.size()] =
          i % 2 == 0 ? static_cast<char>(random() % 256) : "{}(),:'\"019.-e "[random() % 15];
    (void)refusal_of(text);
  }
}

}  // namespace
}  // namespace random_mm
