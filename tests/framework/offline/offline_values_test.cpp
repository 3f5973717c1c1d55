#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using testing::StartsWith;

std::string whole_refusal(const std::string& text) {
  const offline_line line = line_of({"--num-prompts=" + text});
  return refusal_of([&] { return offline_values(line).whole("num-prompts"); });
}

std::string limit_in(const std::vector<std::string>& args) {
  const offline_line line = line_of(args);
  return pytext::python_json(offline_values(line).object("random-mm-limit-mm-per-prompt"));
}

TEST(offline_values, the_last_of_equal_flags_counts) {
  const offline_line line = line_of({"--n", "2", "--n=1_0"});
  EXPECT_EQ(offline_values(line).whole("n"), 10);
}

TEST(offline_values, defaults_are_those_of_the_command) {
  const offline_line throughput = line_of({});
  const offline_line latency = line_of({}, benchmark::latency);
  EXPECT_EQ(offline_values(throughput).whole("input-len"), std::nullopt);
  EXPECT_EQ(offline_values(latency).whole("input-len"), 32);
  EXPECT_EQ(offline_values(throughput).real("asr-max-audio-len-sec"),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(offline_values(throughput).text("output-json"), std::nullopt);
}

TEST(offline_values, texts_that_are_no_whole_numbers_are_refused_like_by_a_parser) {
  for (const char* text : {"x", "", "1.5", "0x10", "1e3", "99999999999999999999", "1__0"})
    EXPECT_THAT(whole_refusal(text), StartsWith("2: --num-prompts: ")) << text;
}

TEST(offline_values, numbers_out_of_range_are_refused_after_the_parser) {
  EXPECT_EQ(whole_refusal("0"), "1: --num-prompts: must be at least 1, not 0");
  EXPECT_EQ(whole_refusal("-5"), "1: --num-prompts: must be at least 1, not -5");
  EXPECT_EQ(whole_refusal("9223372036854775807"),
            "1: --num-prompts: must be at most 2147483647, not 9223372036854775807");
}

TEST(offline_values, numbers_are_read_as_python_reads_them) {
  const offline_line line = line_of({"--asr-max-audio-len-sec=inf", "--asr-min-audio-len-sec=x"});
  const offline_values values(line);
  EXPECT_EQ(values.real("asr-max-audio-len-sec"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(refusal_of([&] { return values.real("asr-min-audio-len-sec"); }),
            "2: --asr-min-audio-len-sec: \"x\" is not a number");
}

TEST(offline_values, choices_name_the_nearest_name) {
  const offline_line line = line_of({"--lora-assignment", "round-robbin"});
  const std::string names[] = {"random", "round-robin"};
  EXPECT_EQ(
      refusal_of([&] { return offline_values(line).choice("lora-assignment", names); }),
      "2: --lora-assignment: \"round-robbin\" is not one of random, round-robin; did you mean "
      "round-robin?");
}

TEST(offline_values, members_of_an_object_are_laid_over_the_object_before_them) {
  EXPECT_EQ(limit_in({}), R"({"image": 255, "video": 1})");
  EXPECT_EQ(limit_in({"--random-mm-limit-mm-per-prompt.image", "3"}), R"({"image": 3})");
  EXPECT_EQ(limit_in({"--random-mm-limit-mm-per-prompt", R"({"video": 0})",
                      "--random-mm-limit-mm-per-prompt.image=3"}),
            R"({"video": 0, "image": 3})");
}

TEST(offline_values, an_object_that_is_none_is_refused) {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { return limit_in({"--random-mm-limit-mm-per-prompt=" + text}); });
  };
  EXPECT_THAT(refused("{"), StartsWith("2: --random-mm-limit-mm-per-prompt: is not JSON: "));
  EXPECT_EQ(refused("[1]"),
            "2: --random-mm-limit-mm-per-prompt: must be a JSON object, not a list");
  EXPECT_THAT(refused(std::string(100'000, '[')), StartsWith("2: "));
  EXPECT_THAT(refusal_of([] { return limit_in({"--random-mm-limit-mm-per-prompt.a..b=1"}); }),
              StartsWith("2: "));
}

TEST(offline_values, the_arguments_are_those_of_upstreams_parser) {
  const offline_line line =
      line_of({"--model", "m", "--input-len", "32", "-tp", "2", "--no-enable-prefix-caching",
               "--compilation-config.mode", "3", "--output-json", "r.json"},
              benchmark::latency);
  support::expect_golden(pytext::python_json(arguments_of(line)) + "\n",
                         std::string(INFERBENCH_FIXTURES) + "/offline/arguments_latency.json");
}

}  // namespace
}  // namespace inferbench::offline
