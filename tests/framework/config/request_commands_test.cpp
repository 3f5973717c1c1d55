// Tests which flags the commands `calibrate`, `tokenizer` and `dataset show` have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "framework/config/serve_bench.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class calibrate_command : public serve_bench {};

TEST_F(calibrate_command, a_calibration_has_no_configuration_to_print) {
  const auto calibrate = [&](const std::vector<std::string>& args) {
    return parse_calibrate(args, env, plugins);
  };
  EXPECT_THAT(calibrate({"--help=all"}).load.help, Not(HasSubstr("--print-config")));
  EXPECT_THAT(calibrate({"--help=all"}).load.help, HasSubstr("--duration-limit"));
  EXPECT_EQ(complaint_of([&] { (void)calibrate({"--print-config"}); }),
            "unknown flag --print-config; use inferbench serve --print-config or inferbench run "
            "--print-config");
  EXPECT_EQ(calibrate({"--duration-limit", "2s"}).limit_ns, 2'000'000'000U);
}

TEST(tokenizer_command, knows_tokenizer_and_server_and_nothing_else) {
  fake_catalog plugins;
  plugins.show_all();
  const options::environment env = test_environment();
  const auto plan_of = [&](std::vector<std::string> args) {
    return parse_tokenizer(args, env, plugins).plan;
  };
  const plan alone = plan_of({"--tokenizer", "org/name"});
  EXPECT_EQ(alone.tokenizer->use, "hf");
  EXPECT_EQ(alone.tokenizer->find("path")->text, "org/name");
  EXPECT_THAT(alone.tokenizers_after, IsEmpty());
  EXPECT_EQ(plan_of({"--model", "m", "--port", "9"}).tokenizers_after.size(), 1U);
  EXPECT_EQ(plan_of({"--tokenizer-mode", "bytes"}).tokenizer->use, "bytes");
  for (const char* flag : {"--num-prompts", "--dataset-name", "--backend", "--print-config"})
    EXPECT_THROW(plan_of({flag, "x"}), base::error) << flag;
}

TEST(dataset_show, knows_dataset_tokenizer_and_server_but_no_load) {
  fake_catalog plugins;
  const options::environment env = test_environment();
  const std::vector<std::string> good{"--random-input-len", "3",     "--seed", "5", "--model", "m",
                                      "--tokenizer-mode",   "bytes", "--port", "9"};
  const plan p = parse_dataset_show(good, env, plugins).plan;
  EXPECT_EQ(p.seed, 5U);
  EXPECT_EQ(p.model, "m");
  EXPECT_EQ(p.dataset.find("input-len")->integer, 3);
  EXPECT_EQ(p.backend.library.plugin, nullptr);
  EXPECT_THAT(p.reporters, IsEmpty());
  EXPECT_THAT(plugins.loads, ElementsAre("random", "bytes"));
  const std::vector<std::string> bad{"--request-rate", "3"};
  EXPECT_THAT(complaint_of([&] { (void)parse_dataset_show(bad, env, plugins); }),
              HasSubstr("unknown flag --request-rate"));
}

TEST(dataset_show, conversations_need_no_backend) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  const std::vector<std::string> words{"--model", "m", "--tokenizer-mode", "bytes", "--multi-turn"};
  const plan p = parse_dataset_show(words, env, plugins).plan;
  EXPECT_TRUE(p.load.multi_turn.on);
  EXPECT_EQ(p.load.turn_body, "");
}

}  // namespace
}  // namespace inferbench::config
