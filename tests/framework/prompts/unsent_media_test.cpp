#include "prompts/unsent_media.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::prompts {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class unsent_media_test : public ::testing::Test {
 protected:
  dataset::sample_ptr numbered(std::uint64_t sequence, bool with_media) {
    dataset::sample_ptr out = pool.take();
    out->sequence = sequence;
    if (with_media) out->c.media = {&part, 1, sizeof part};
    return out;
  }

  const ifb_part part{sizeof(ifb_part), IFB_PART_IMAGE, nullptr, {}, {}, {}};
  dataset::pool pool;
  std::vector<std::string> lines;
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { lines.emplace_back(line); }};
  unsent_media subject{"openai", log};
};

TEST_F(unsent_media_test, samples_of_text_cause_no_message) {
  std::vector<dataset::sample_ptr> some;
  some.push_back(numbered(0, false));
  subject.see(some);
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(unsent_media_test, the_first_sample_with_media_causes_the_only_message) {
  std::vector<dataset::sample_ptr> some;
  for (std::uint64_t i = 0; i < 6; ++i)
    some.push_back(numbered(i, i >= 3));
  subject.see(some);
  subject.see(some);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("backend openai leaves out images, videos and sound, "
                                           "and request 4 is the first that has any")));
}

TEST_F(unsent_media_test, a_sound_that_is_not_sent_has_no_length) {
  const auto text = [](std::string_view of) { return ifb_str{of.data(), of.size()}; };
  const std::vector<ifb_field> fields{
      {text("a"), text("1")}, {text("input_audio_duration"), text("12.5")}, {text("b"), text("2")}};
  std::vector<dataset::sample_ptr> some;
  for (const bool with_media : {true, false}) {
    some.push_back(numbered(0, with_media));
    some.back()->c.metadata = fields.data();
    some.back()->c.metadata_count = fields.size();
  }
  subject.see(some);
  const ifb_sample& changed = some.front()->c;
  ASSERT_EQ(changed.metadata_count, 2U);
  EXPECT_EQ(std::string(changed.metadata[0].name.data, changed.metadata[0].name.size), "a");
  EXPECT_EQ(std::string(changed.metadata[1].name.data, changed.metadata[1].name.size), "b");
  EXPECT_EQ(some.back()->c.metadata_count, 3U);  // the fields of a dataset without media stay
}

}  // namespace
}  // namespace inferbench::prompts
