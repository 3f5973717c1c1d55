// Options with general names: with IFB_OPT_GENERAL the run's flag sets them; without it they are
// the plugin's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class general_options : public testing::Test {
 protected:
  general_options() {
    using c = fake_catalog;
    plugins.add_with_own(IFB_BACKEND, "acme",
                         {c::general(c::option("model", IFB_STRING, "Model.", nullptr)),
                          c::option("api-key", IFB_STRING, "Key of its own.", "\"mine\"")});
    plugins.add_with_own(IFB_DATASET, "acme-rows",
                         {c::option("trust-remote-code", IFB_STRING, "Whom.", "\"nobody\"")});
    plugins.add_with_own(IFB_TOKENIZER, "acme-words",
                         {c::option("model", IFB_STRING, "Shape of words.", "\"short\"")});
    plugins.add_with_own(IFB_REPORTER, "acme-out",
                         {c::option("label", IFB_STRING, "Colour.", "\"red\""),
                          c::option("result-filename", IFB_STRING, "Prefix.", "\"x\""),
                          c::general(c::option("result-dir", IFB_PATH, "Folder.", nullptr))});
  }
  plan plan_of(std::vector<std::string> args) { return parse_serve(args, env, plugins).plan; }
  static std::string text(const options::plugin_choice& of, std::string_view option) {
    const options::option_value* value = of.find(option);
    return value == nullptr ? "not set" : value->text;
  }

  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(general_options, of_a_plugin_without_the_bit_keep_their_own_values) {
  env.variables["OPENAI_API_KEY"] = "k";
  const plan p = plan_of({"--backend", "acme", "--model", "m", "--dataset-name", "acme-rows",
                          "--trust-remote-code", "--tokenizer-mode", "acme-words", "--label", "l",
                          "--reporter", "acme-out", "--result-dir", "out"});
  EXPECT_EQ(text(p.backend, "model"), "m");
  EXPECT_EQ(text(p.backend, "api-key"), "mine");
  EXPECT_EQ(text(p.dataset, "trust-remote-code"), "nobody");
  EXPECT_EQ(text(*p.tokenizer, "model"), "short");
  ASSERT_EQ(p.reporters.size(), 2U);
  EXPECT_EQ(text(p.reporters[1], "label"), "red");
  EXPECT_EQ(text(p.reporters[1], "result-filename"), "x");
  EXPECT_EQ(text(p.reporters[1], "result-dir"), "out");
}

TEST_F(general_options, of_a_plugin_without_the_bit_have_their_own_flags_and_keys) {
  const plan p = plan_of({"--backend", "acme", "--acme-api-key", "k", "--dataset-name", "acme-rows",
                          "--acme-rows-trust-remote-code", "me", "--tokenizer-mode", "acme-words",
                          "--acme-words-model", "long"});
  EXPECT_EQ(text(p.backend, "api-key"), "k");
  EXPECT_EQ(text(p.dataset, "trust-remote-code"), "me");
  EXPECT_EQ(text(*p.tokenizer, "model"), "long");
  for (const char* line : {"api-key = \"k\"", "trust-remote-code = \"me\"", "model = \"long\""})
    EXPECT_THAT(p.toml, HasSubstr(line));
}

TEST_F(general_options, of_a_plugin_without_the_bit_are_not_set_by_the_run) {
  const plan p = plan_of(
      {"--backend", "acme", "--dataset-name", "acme-rows", "--tokenizer-mode", "acme-words"});
  options::plugin_choice words = *p.tokenizer;
  words.set_text("model", "org/name");
  EXPECT_EQ(text(words, "model"), "short");
  options::plugin_choice backend = p.backend;
  backend.set_text("model", "org/name");
  EXPECT_EQ(text(backend, "model"), "org/name");
}

// A reporter cannot be told its file if it has only an option of its own with that name.
TEST_F(general_options, without_the_bit_a_result_filename_is_not_the_file_of_a_reporter) {
  EXPECT_EQ(complaint_of([&] { (void)plan_of({"--reporter", "acme-out=a.txt"}); }),
            "--reporter: reporter acme-out cannot be told to write to a.txt: it has no option "
            "file; leave =a.txt out");
}

// The host would take the value of such a flag, and the option could never be set.
TEST_F(general_options, of_a_plugin_may_not_have_a_flag_of_the_host) {
  ifb_option own = fake_catalog::option("rows", IFB_INT, "Rows.", nullptr);
  own.flag = "num-prompts";
  plugins.add_with_own(IFB_DATASET, "acme-flags", {own});
  EXPECT_EQ(complaint_of([&] { (void)plan_of({"--dataset-name", "acme-flags"}); }),
            "dataset acme-flags declares the flag --num-prompts for its option rows, but the host "
            "has this flag; leave ifb_option.flag NULL, or name another flag");
}

TEST_F(general_options, are_printed_and_echoed_with_the_flag_that_sets_them) {
  const plan p = plan_of({"--backend", "acme", "--model", "m", "--endpoint", "/x"});
  EXPECT_THAT(p.flags, Contains(testing::Pair("model", "\"m\"")));
  EXPECT_THAT(p.flags, Not(Contains(testing::Pair("acme-api-key", testing::_))));
}

TEST_F(general_options, that_hide_another_build_are_told_once) {
  plugins.hides = {"/later/backends/openai.so"};
  const std::vector<std::string> warnings = parse_serve({}, env, plugins).warnings;
  EXPECT_EQ(std::ranges::count(warnings,
                               "backend openai of /plugins/openai.so hides "
                               "/later/backends/openai.so"),
            1);
}

}  // namespace
}  // namespace inferbench::config
