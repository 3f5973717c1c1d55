#include "datasets/media/sample_values.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/media/unusable.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ifb::json_document parsed_pair(const std::string& text) {
  ifb::json_document out;
  out.Parse<rapidjson::kParseNanAndInfFlag>(text.c_str());
  EXPECT_TRUE(out.IsArray() && out.Size() == 2) << text;
  return out;
}

row_media::sample_values read_pair(const std::string& text) {
  const ifb::json_document both = parsed_pair(text);
  return row_media::read_samples(both[0], both[1]);
}

TEST(sample_values, are_mono_as_a_list_of_numbers) {
  const auto found = read_pair("[[0, 0.5, -1.0], 16000]");
  EXPECT_EQ(found.rate, 16000U);
  EXPECT_EQ(found.channels, 1U);
  EXPECT_THAT(found.samples, ElementsAre(0, 0.5, -1));
}

TEST(sample_values, are_interleaved_from_a_list_of_frames) {
  const auto found = read_pair("[[[1, 2], [3, 4], [5, 6]], 44100.0]");
  EXPECT_EQ(found.rate, 44100U);
  EXPECT_EQ(found.channels, 2U);
  EXPECT_THAT(found.samples, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(sample_values, of_another_type_are_unusable) {
  const std::pair<const char*, const char*> cases[] = {
      {"[[], 16000]", "no list of samples"},
      {"[null, 16000]", "no list of samples"},
      {"[{}, 16000]", "no list of samples"},
      {"[[0, null], 16000]", "a sample of the sound is not a number"},
      {"[[0, \"1\"], 16000]", "a sample of the sound is not a number"},
      {"[[0, NaN], 16000]", "a sample of the sound is not a number"},
      {"[[0, [1]], 16000]", "a sample of the sound is not a number"},
      {"[[[]], 16000]", "has 0 channels"},
      {"[[[1, 2], [3]], 16000]", "differ in their number of channels"},
      {"[[[1, 2], 3], 16000]", "differ in their number of channels"},
      {"[[[1, null]], 16000]", "a sample of the sound is not a number"},
      {"[[0], 0]", "the sampling rate"},
      {"[[0], -1]", "the sampling rate"},
      {"[[0], 0.5]", "the sampling rate"},
      {"[[0], 1e300]", "the sampling rate"},
      {"[[0], NaN]", "the sampling rate"},
      {"[[0], \"16000\"]", "the sampling rate"},
      {"[[0], null]", "the sampling rate"},
  };
  for (const auto& [text, said] : cases) {
    try {
      static_cast<void>(read_pair(text));
      ADD_FAILURE() << text;
    } catch (const row_media::unusable& e) {
      EXPECT_THAT(e.what(), HasSubstr(said)) << text;
    }
  }
}

}  // namespace
