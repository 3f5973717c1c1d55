#include "offline/other_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

latency_options latency_in(const std::vector<std::string>& args) {
  return latency_options_of(line_of(args, benchmark::latency));
}

mm_processor_options mm_in(const std::vector<std::string>& args) {
  return mm_processor_options_of(line_of(args, benchmark::mm_processor));
}

TEST(latency_options, defaults_are_those_of_upstream) {
  const latency_options found = latency_in({});
  EXPECT_EQ(found.engine, "vllm");
  EXPECT_EQ(found.input_len, 32);
  EXPECT_EQ(found.output_len, 128);
  EXPECT_EQ(found.batch_size, 8);
  EXPECT_EQ(found.n, 1);
  EXPECT_EQ(found.warmups, 10);
  EXPECT_EQ(found.iterations, 30);
  EXPECT_TRUE(found.detokenize);
}

TEST(latency_options, prefix_caching_is_off_unless_it_was_asked_for) {
  EXPECT_EQ(latency_in({}).passed_on.toggle("enable-prefix-caching"), false);
  EXPECT_EQ(latency_in({"--enable-prefix-caching"}).passed_on.toggle("enable-prefix-caching"),
            true);
  EXPECT_THAT(latency_in({"--no-enable-prefix-caching"}).passed_on.all(),
              ElementsAre(engine_option{"no-enable-prefix-caching", {}}));
}

TEST(latency_options, numbers_out_of_range_are_refused) {
  for (const char* flag : {"--num-iters", "--batch-size", "--input-len", "--output-len", "--n"})
    EXPECT_THAT(refusal_of([&] { return latency_in({flag, "0"}); }),
                StartsWith(std::string("1: ") + flag + ": must be at least 1"));
  EXPECT_EQ(latency_in({"--num-iters-warmup", "0"}).warmups, 0);
}

TEST(latency_options, prompt_and_output_must_fit_into_the_context_length) {
  EXPECT_NO_THROW(require_room(32, 128, 160));
  EXPECT_NO_THROW(require_room(32, 128, -1));
  EXPECT_THAT(refusal_of([] {
                require_room(32, 129, 160);
                return 0;
              }),
              HasSubstr("exceed the engine's 160 tokens"));
}

TEST(startup_options, defaults_are_those_of_upstream) {
  const startup_options found = startup_options_of(line_of({}, benchmark::startup));
  EXPECT_EQ(found.cold, 3);
  EXPECT_EQ(found.warmups, 1);
  EXPECT_EQ(found.warm, 3);
  EXPECT_TRUE(found.passed_on.all().empty());
}

startup_options startup_in(const std::vector<std::string>& args) {
  return startup_options_of(line_of(args, benchmark::startup));
}

TEST(startup_options, server_cmd_adds_a_server_with_defaults_that_flags_replace) {
  EXPECT_FALSE(startup_in({}).server);
  const startup_options usual = startup_in({"--server-cmd", "vllm serve 'a b'"});
  ASSERT_TRUE(usual.server);
  EXPECT_EQ(usual.server->command, "vllm serve 'a b'");
  EXPECT_FALSE(usual.server->url);
  EXPECT_FALSE(usual.server->ready_path);
  EXPECT_TRUE(usual.server->first_token);
  EXPECT_EQ(usual.server->timeout_s, 1800);
  const startup_options given =
      startup_in({"--server-cmd=a", "--server-url=unix:/s", "--ready-path=/ready", "--model=m",
                  "--no-first-token", "--startup-timeout", "0.5", "--num-iters-cold=2"});
  EXPECT_EQ(given.server->url, "unix:/s");
  EXPECT_EQ(given.server->ready_path, "/ready");
  EXPECT_FALSE(given.server->first_token);
  EXPECT_EQ(given.server->timeout_s, 0.5);
  EXPECT_EQ(given.model, "m");
  EXPECT_EQ(given.cold, 2);
  EXPECT_TRUE(startup_in({"--server-cmd=a", "--first-token"}).server->first_token);
}

TEST(startup_options, cold_env_may_be_given_several_times) {
  EXPECT_THAT(startup_in({"--cold-env", "A", "--cold_env=B"}).cold_environment,
              ElementsAre("A", "B"));
}

TEST(startup_options, options_of_a_server_and_of_an_engine_exclude_each_other) {
  const auto refused = [](const std::vector<std::string>& args) {
    return refusal_of([&] { return startup_in(args); });
  };
  for (const char* flag :
       {"--server-url=http://a", "--ready-path=/a", "--no-first-token", "--startup-timeout=5"})
    EXPECT_THAT(refused({flag}), HasSubstr(": is for servers only; give the server's command"))
        << flag;
  EXPECT_THAT(refused({"--server-cmd=a", "--backend=vllm"}), StartsWith("2: --backend: "));
  EXPECT_THAT(refused({"--server-cmd=a", "--enforce-eager"}),
              StartsWith("2: --enforce-eager: is not used with --server-cmd; write it into the "
                         "command"));
}

TEST(startup_options, invalid_values_of_server_options_are_refused) {
  const auto refused = [](const std::string& flag) {
    return refusal_of([&] { return startup_in({"--server-cmd=a", flag}); });
  };
  EXPECT_THAT(refused("--ready-path=ready"), StartsWith("2: --ready-path: must begin with \"/\""));
  EXPECT_THAT(refused("--ready-path="), StartsWith("2: --ready-path: must begin with \"/\""));
  for (const char* time : {"0", "-1", "nan", "inf", "1e300"})
    EXPECT_THAT(refused("--startup-timeout=" + std::string(time)),
                StartsWith("1: --startup-timeout: must be "))
        << time;
  EXPECT_THAT(refused("--startup-timeout=x"), StartsWith("2: --startup-timeout: "));
}

TEST(mm_processor_options, defaults_are_those_of_upstream) {
  const mm_processor_options found = mm_in({});
  EXPECT_EQ(found.engine, "vllm-chat");
  EXPECT_EQ(found.data.name, "random-mm");
  EXPECT_EQ(found.data.num_prompts, 10);
  EXPECT_EQ(found.data.num_warmups, 1);
  EXPECT_THAT(found.percentiles, ElementsAre(99));
  EXPECT_TRUE(found.show_progress);
  EXPECT_THAT(found.passed_on.all(), ElementsAre(engine_option{"enable-mm-processor-stats", {}}));
}

TEST(mm_processor_options, data_sets_without_images_are_refused) {
  const auto refused = [](const std::vector<std::string>& args) {
    return refusal_of([&] { return mm_in(args); });
  };
  EXPECT_THAT(refused({"--dataset-name", "sharegpt"}),
              StartsWith("2: --dataset-name: \"sharegpt\" is not one of random-mm, hf"));
  EXPECT_THAT(refused({"--dataset-name", "hf"}), StartsWith("1: --dataset-path: is required"));
  EXPECT_THAT(refused({"--dataset-name", "hf", "--dataset-path", "openai/gsm8k"}),
              StartsWith("1: --dataset-path: openai/gsm8k has no images"));
  EXPECT_EQ(refused({"--dataset-name", "hf", "--dataset-path", "lmarena-ai/VisionArena-Chat"}),
            "accepted");
}

TEST(mm_processor_options, percentiles_are_numbers_separated_by_commas) {
  EXPECT_THAT(percentiles_in("50, 99.9"), ElementsAre(50, 99.9));
  for (const char* text : {"", "50,", "x", "101", "-1", "nan", "50;99"})
    EXPECT_THAT(refusal_of([&] { return percentiles_in(text); }),
                StartsWith("1: --metric-percentiles: "))
        << text;
}

}  // namespace
}  // namespace inferbench::offline
