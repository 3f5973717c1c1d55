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

}  // namespace
}  // namespace inferbench::prompts
