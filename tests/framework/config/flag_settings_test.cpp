#include "config/flag_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::IsSupersetOf;
using testing::Pair;
using testing::UnorderedElementsAre;

class flags_of_a_line : public testing::Test {
 protected:
  fields flags_of(std::vector<std::string> args) {
    return parse_serve(args, env, plugins).plan.flags;
  }
  static std::string of(const fields& all, std::string_view flag) {
    const auto at = std::ranges::find(all, flag, &fields::value_type::first);
    return at == all.end() ? "not said" : at->second;
  }

  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(flags_of_a_line, of_an_empty_line_are_the_settings_of_every_run) {
  EXPECT_THAT(flags_of({}), UnorderedElementsAre(
                                Pair("backend", "\"openai\""), Pair("dataset-name", "\"random\""),
                                Pair("endpoint", "\"/v1/completions\""), Pair("ignore-eos", "true"),
                                Pair("request-id-prefix", "\"bench-c0ffee01-\"")));
}

TEST_F(flags_of_a_line, each_flag_has_its_value_in_the_type_of_its_key) {
  EXPECT_THAT(
      flags_of({"--request-rate", "3", "--max-concurrency", "8", "--disable-tqdm", "--header",
                "A=secret", "--metric-percentiles", "50,99", "--goodput", "ttft:100",
                "--ready-check-timeout-sec", "5", "--no-oversample"}),
      IsSupersetOf({Pair("request-rate", "3.0"), Pair("max-concurrency", "8"),
                    Pair("disable-tqdm", "true"), Pair("header", "{\"A\": \"(cut)\"}"),
                    Pair("metric-percentiles", "[50.0, 99.0]"),
                    Pair("goodput", R"({"ttft": 100.0})"), Pair("ready-check-timeout-sec", "5.0"),
                    Pair("no-oversample", "true")}));
}

TEST_F(flags_of_a_line, flags_that_share_a_key_are_distinguished) {
  const fields all =
      flags_of({"--temperature", "0.5", "--top-k", "4", "--extra-body", R"({"a": 1})",
                "--skip-tokenizer-init", "--tokenizer-mode", "server"});
  EXPECT_EQ(of(all, "temperature"), "0.5");
  EXPECT_EQ(of(all, "top-k"), "4");
  EXPECT_EQ(of(all, "extra-body"), R"({"a": 1})");
  EXPECT_EQ(of(all, "skip-tokenizer-init"), "true");
  EXPECT_EQ(of(all, "tokenizer-mode"), "\"server\"");
  EXPECT_EQ(of(flags_of({"--temperature", "0"}), "extra-body"), "not said");
}

TEST_F(flags_of_a_line, reporters_and_their_own_flags_are_included) {
  plugins.show_all();
  const fields all = flags_of({"--reporter", "lines=a.csv", "--lines-wide", "--result-dir", "out",
                               "--reporter", "console", "--reporter", "mirror"});
  EXPECT_EQ(of(all, "reporter"), R"(["console", "lines=a.csv", "mirror"])");
  EXPECT_EQ(of(all, "lines-wide"), "true");
  EXPECT_EQ(of(all, "lines-file"), "not said");
  EXPECT_EQ(of(flags_of({"--save-result"}), "reporter"), "not said");
}

TEST_F(flags_of_a_line, reporters_of_a_file_are_flags_too) {
  plugins.show_all();
  support::temporary_folder files;
  const std::string file = files.write("a.toml",
                                       "[[reporter]]\nuse = \"lines\"\nfile = \"a.csv\"\n"
                                       "wide = true\n[[reporter]]\nuse = \"console\"\n");
  const fields all = parse_run(std::vector{file}, env, plugins).plan.flags;
  EXPECT_EQ(of(all, "reporter"), R"(["lines", "console"])");
  EXPECT_EQ(of(all, "lines-file"), "\"a.csv\"");
  EXPECT_EQ(of(all, "lines-wide"), "true");
}

TEST_F(flags_of_a_line, flags_without_effect_and_old_spellings_are_included) {
  const fields all = flags_of({"--hf-name", "org/data", "--endpoint-type", "openai-chat"});
  EXPECT_EQ(of(all, "hf-name"), "\"org/data\"");
  EXPECT_EQ(of(all, "backend"), "\"openai-chat\"");
  EXPECT_EQ(of(all, "endpoint-type"), "not said");
}

}  // namespace
}  // namespace inferbench::config
