#include "tune/option_check.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "options/refusal.hpp"
#include "support/error_text.hpp"
#include "tune/tune_request.hpp"

namespace inferbench::tune {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using read_words = std::vector<std::vector<std::string>>;

/// Keeps the words of the commands that the check reads.
struct recording_readers {
  read_words serve;
  read_words find;
  command_readers readers{[this](std::span<const std::string> words) {
                            serve.emplace_back(words.begin(), words.end());
                          },
                          [this](std::span<const std::string> words) {
                            find.emplace_back(words.begin(), words.end());
                          }};
};

tune_request asked(const std::vector<std::string>& args) { return parse_tune(args, {}); }

/// The error of a check in which `serve` refuses the word `refused` with the flag `place`.
std::string refusal_of(const std::vector<std::string>& args, const std::string& refused,
                       const std::string& place) {
  const auto reader = [&](std::span<const std::string> words) {
    if (std::ranges::find(words, refused) != words.end())
      throw base::error("expected at least 1", "give more", {place, 0, 0});
  };
  return support::error_text([&] {
    require_options(asked(args), {reader, reader});
    return 0;
  });
}

/// The error of a check whose readers accept everything; it must be a misuse.
std::string decided_refusal(const std::vector<std::string>& args) {
  recording_readers seen;
  const auto check = [&] {
    require_options(asked(args), seen.readers);
    return 0;
  };
  std::string text = support::error_text(check);
  EXPECT_EQ(support::is_misuse(check), !text.empty()) << text;
  if (!text.empty()) {
    EXPECT_THAT(seen.serve, IsEmpty());
  }
  return text;
}

TEST(the_option_check, reads_the_commands_of_a_tuning_as_they_will_run) {
  recording_readers seen;
  require_options(asked({"--bench-options", "--temperature 0"}), seen.readers);
  ASSERT_THAT(seen.serve, SizeIs(4));  // without and with the options, without and with a profile
  EXPECT_THAT(seen.serve[0], AllOf(Contains("--random-input-len"), Not(Contains("--temperature"))));
  EXPECT_EQ(seen.serve[0].front(), "--backend");  // the name of the command is no argument
  EXPECT_THAT(seen.serve[1], Contains("--profile"));
  EXPECT_THAT(seen.serve[2], AllOf(Contains("--temperature"), Not(Contains("--profile"))));
  EXPECT_THAT(seen.serve[3], AllOf(Contains("--temperature"), Contains("--profile")));
  EXPECT_THAT(seen.find, IsEmpty());
}

TEST(the_option_check, reads_the_search_if_there_is_one) {
  recording_readers seen;
  require_options(asked({"--search=find", "--find-options", "--alpha 0.1", "--skip-profile"}),
                  seen.readers);
  EXPECT_THAT(seen.serve, Each(Not(Contains("--profile"))));
  ASSERT_THAT(seen.find, SizeIs(2));
  EXPECT_THAT(seen.find[0], AllOf(Contains("--goal"), Not(Contains("--alpha"))));
  EXPECT_THAT(seen.find[1], Contains("--alpha"));
}

TEST(the_option_check, names_the_flag_of_tune_in_the_errors_of_the_commands) {
  EXPECT_EQ(refusal_of({"--bench-options", "--workers 0"}, "--workers", "--workers"),
            "--bench-options: --workers: expected at least 1; give more");
  EXPECT_EQ(refusal_of({"--bench-options", "--workers 0"}, "--workers", ""),
            "--bench-options: expected at least 1; give more");
  EXPECT_EQ(
      refusal_of({"--search=find", "--bench-options", "--workers 1", "--find-options", "--alpha 0"},
                 "--alpha", "--alpha"),
      "--find-options: --alpha: expected at least 1; give more");
  // An error of tune's own words.
  EXPECT_EQ(refusal_of({"--bench-options", "--workers 1"}, "--goodput", "--random-input-len"),
            "--input-len: expected at least 1; give more");
}

TEST(the_option_check, keeps_the_status_of_an_error) {
  const auto refusing = [](bool misuse) {
    return support::is_misuse([&] {
      const auto reader = [&](std::span<const std::string> words) {
        if (std::ranges::find(words, "--x") == words.end()) return;
        if (misuse) throw options::usage_error("unknown");
        throw base::error("not there");
      };
      require_options(asked({"--bench-options", "--x"}), {reader, reader});
      return 0;
    });
  };
  EXPECT_TRUE(refusing(true));
  EXPECT_FALSE(refusing(false));
}

TEST(the_option_check, refuses_flags_that_the_tuning_sets) {
  EXPECT_EQ(decided_refusal({"--bench-options", "--request-rate 5"}),
            "--bench-options: the tuning sets --request-rate itself; the tuning decides how many "
            "requests it sends, and how fast");
  EXPECT_EQ(decided_refusal({"--bench-options", "--random_input_len=5"}),
            "--bench-options: the tuning sets --random-input-len itself; give --input-len to tune");
  EXPECT_EQ(decided_refusal({"--search=find", "--find-options", "--json x"}),
            "--find-options: the tuning sets --json itself; the tuning names its files itself");
  for (const char* const each :
       {"--base-url x", "--host=x", "--port 1", "--model m", "--num-prompts 5", "--profile",
        "--result-dir x", "--result-filename x", "--save-result", "--append-result", "--journal x",
        "--goodput ttft:1", "--percentile-metrics ttft", "--dry-run", "--num-runs 2",
        "--request-ra 5", "--temperature 0 --num_p 3"}) {
    EXPECT_NE(decided_refusal({"--bench-options", each}), "") << each;
  }
}

TEST(the_option_check, lets_the_user_replace_what_the_tuning_does_not_need) {
  for (const char* const each :
       {"--backend openai-chat", "--dataset-name sharegpt --dataset-path x", "--ignore-eos=false",
        "--temperature 0", "--label --", "--profile-duration 3s", "--model-name-that-is-longer x"})
    EXPECT_EQ(decided_refusal({"--bench-options", each}), "") << each;
  EXPECT_EQ(decided_refusal({"--search=find", "--find-options", "--goal ttft.p99<1s"}), "");
}

}  // namespace
}  // namespace inferbench::tune
