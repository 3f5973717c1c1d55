#include "simulator/options.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {
namespace {

options parsed(const std::vector<std::string>& words) { return parse_options(words); }

std::string complaint(const std::vector<std::string>& words) {
  try {
    (void)parse_options(words);
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(options, without_flags_everything_has_a_default) {
  const options o = parsed({});
  EXPECT_EQ(o.host, "127.0.0.1");
  EXPECT_EQ(o.port, 8000);
  EXPECT_EQ(o.model, "simulated");
  EXPECT_EQ(o.ttft.mean_alone(), 50e6);
  EXPECT_EQ(o.itl.mean_alone(), 10e6);
  EXPECT_EQ(o.ttft.per_active(), 0);
  EXPECT_EQ(o.itl.per_active(), 0);
  EXPECT_EQ(o.max_num_seqs, 0U);
  EXPECT_EQ(o.tokens_per_event, 1U);
  EXPECT_FALSE(o.coalesce);
  EXPECT_TRUE(o.ground_truth.empty());
  EXPECT_EQ(o.check_media, 1);
  EXPECT_EQ(o.wrong_structure, 0);
  EXPECT_TRUE(o.media_facts.empty());
}

TEST(options, every_flag_reaches_its_member) {
  const options o = parsed({"--host",
                            "::1",
                            "--port=0",
                            "--model",
                            "a/b",
                            "--max-model-len",
                            "4096",
                            "--ttft",
                            "1ms + 2ms*active",
                            "--itl",
                            "uniform(0,2)",
                            "--slowdown",
                            "0.01",
                            "--max-num-seqs",
                            "256",
                            "--tokens-per-event",
                            "4",
                            "--output-tokens",
                            "77",
                            "--embedding-size",
                            "384",
                            "--coalesce",
                            "--seed",
                            "5",
                            "--prefix-cache-blocks",
                            "0",
                            "--max-body-bytes",
                            "1000",
                            "--ground-truth",
                            "t.jsonl",
                            "--check-media",
                            "0.25",
                            "--wrong-structure",
                            "0.2",
                            "--media-facts",
                            "m.jsonl"});
  EXPECT_EQ(o.host, "::1");
  EXPECT_EQ(o.port, 0);
  EXPECT_EQ(o.model, "a/b");
  EXPECT_EQ(o.max_model_len, 4096U);
  EXPECT_EQ(o.ttft.mean_alone(), 1e6);
  EXPECT_EQ(o.ttft.per_active(), 2e6);
  EXPECT_EQ(o.itl.mean_alone(), 1e9);
  EXPECT_EQ(o.slowdown, 0.01);
  EXPECT_EQ(o.max_num_seqs, 256U);
  EXPECT_EQ(o.tokens_per_event, 4U);
  EXPECT_EQ(o.output_tokens.mean(), 77);
  EXPECT_EQ(o.embedding_size, 384U);
  EXPECT_TRUE(o.coalesce);
  EXPECT_EQ(o.seed, 5U);
  EXPECT_EQ(o.prefix_cache_blocks, 0U);
  EXPECT_EQ(o.max_body_bytes, 1000U);
  EXPECT_EQ(o.ground_truth, "t.jsonl");
  EXPECT_EQ(o.check_media, 0.25);
  EXPECT_EQ(o.wrong_structure, 0.2);
  EXPECT_EQ(o.media_facts, "m.jsonl");
}

TEST(options, bad_input_gets_one_line_that_names_the_flag) {
  EXPECT_EQ(complaint({"--prot", "3"}), "--prot: no such option; did you mean --port?");
  EXPECT_EQ(complaint({"--frobnicate"}),
            "--frobnicate: no such option; see inferbench simulate --help");
  EXPECT_EQ(complaint({"--max-num", "3"}).find("--max-num: no such option"), 0U) << "no guessing";
  EXPECT_EQ(complaint({"--port", "70000"}),
            "--port: \"70000\" is not a whole number from 0 to 65535");
  EXPECT_EQ(complaint({"--port", ""}), "--port: \"\" is not a whole number from 0 to 65535");
  EXPECT_EQ(complaint({"--model", ""}), "--model: needs a value that is not empty");
  EXPECT_EQ(complaint({"--slowdown", "-1"}), "--slowdown: \"-1\" is not a number from 0 to 1000");
  for (const char* text : {"-0.1", "1.1", "nan", "all"})
    for (const std::string flag : {"--check-media", "--wrong-structure"})
      EXPECT_EQ(complaint({flag, text}), flag + ": \"" + text + "\" is not a number from 0 to 1");
  EXPECT_EQ(complaint({"--media-facts", "f", "--check-media", "0"}),
            "--media-facts: has no effect with --check-media 0; leave out one of the two");
  EXPECT_EQ(complaint({"8000"}), "\"8000\" is not an option; write options as --name value");
  EXPECT_EQ(complaint({"--coalesce", "x"}),
            "\"x\" is not an option; write options as --name value");
  EXPECT_EQ(complaint({"--port"}),
            "the required argument for option '--port' is missing; see inferbench simulate --help");
  for (const char* text : {"fast", "50 m", "uniform()", "1ms + 2ms*load"})
    EXPECT_EQ(complaint({"--ttft", text}).find("--ttft: "), 0U);
}

TEST(options, the_help_text_is_as_recorded) {
  EXPECT_EQ(help_text(), base::read_file(INFERBENCH_FIXTURES "/simulator/help.txt"));
}

}  // namespace
}  // namespace inferbench::simulator
