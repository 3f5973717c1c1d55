#include "config/keys.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"
#include "options/check.hpp"

namespace inferbench::config {
namespace {

TEST(keys, every_default_passes_its_own_check) {
  for (const options::option& key : host_keys())
    EXPECT_EQ(complaint_of([&] { (void)options::fallback_of(key, test_environment()); }), "")
        << key.path();
}

TEST(keys, every_key_is_in_a_known_table_and_has_a_sentence_and_a_group) {
  const std::vector<std::string> known = tables();
  for (const options::option& key : host_keys()) {
    EXPECT_NE(std::ranges::find(known, key.table), known.end()) << key.path();
    EXPECT_FALSE(key.help.empty()) << key.path();
    EXPECT_FALSE(key.help.ends_with('.')) << key.path();
    EXPECT_FALSE(key.group.empty()) << key.path();
  }
}

TEST(keys, no_flag_is_declared_twice) {
  std::set<std::string> seen;
  for (const options::option& key : host_keys()) {
    const bool fresh = key.flag.empty() || seen.insert(key.flag).second;
    EXPECT_TRUE(fresh) << key.flag;
  }
}

TEST(keys, the_flags_of_upstream_are_there_by_name) {
  std::set<std::string> flags;
  for (const options::option& key : host_keys())
    flags.insert(key.flag);
  for (const char* name : {"append-result",
                           "backend",
                           "base-url",
                           "burstiness",
                           "chat-template-kwargs",
                           "dataset-name",
                           "dataset-path",
                           "disable-shuffle",
                           "disable-tqdm",
                           "enable-multimodal-chat",
                           "endpoint",
                           "extra-body",
                           "frequency-penalty",
                           "goodput",
                           "header",
                           "host",
                           "ignore-eos",
                           "input-len",
                           "insecure",
                           "label",
                           "logprobs",
                           "lora-assignment",
                           "lora-modules",
                           "max-concurrency",
                           "metadata",
                           "metric-percentiles",
                           "min-p",
                           "model",
                           "no-oversample",
                           "no-self-timed",
                           "no-stream",
                           "num-prompts",
                           "num-warmups",
                           "output-len",
                           "percentile-metrics",
                           "plot-dataset-stats",
                           "plot-timeline",
                           "port",
                           "presence-penalty",
                           "probe-request-rate",
                           "profile",
                           "ramp-up-end-rps",
                           "ramp-up-start-rps",
                           "ramp-up-strategy",
                           "ready-check-timeout-sec",
                           "repetition-penalty",
                           "request-id-prefix",
                           "request-rate",
                           "result-dir",
                           "result-filename",
                           "save-detailed",
                           "save-result",
                           "seed",
                           "self-timed",
                           "served-model-name",
                           "skip-chat-template",
                           "skip-tokenizer-init",
                           "temperature",
                           "timeline-itl-thresholds",
                           "tokenizer",
                           "tokenizer-mode",
                           "top-k",
                           "top-p",
                           "trust-remote-code",
                           "use-beam-search",
                           "num-runs",
                           "report-cached-tokens",
                           "steady-state-threshold",
                           "steady-state-min-window",
                           "no-steady-state",
                           "endpoint-type",
                           "custom-skip-chat-template"})
    EXPECT_TRUE(flags.contains(name)) << name;
}

}  // namespace
}  // namespace inferbench::config
