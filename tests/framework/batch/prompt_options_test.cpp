// The options of the prompts' plugins among those of the engine.
#include "batch/prompt_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/batch_plugin.hpp"
#include "framework/offline/lines.hpp"
#include "framework/options/test_environment.hpp"

namespace inferbench::batch {
namespace {

/// The data sets and tokenizers are those of this build; the engine is made here.
class prompt_options : public ::testing::Test {
 protected:
  prompt_options() {
    plugins_.put(engine_);
    plugins_.put(like_data_);
  }

  /// "to the prompts; to the engine", as words.
  std::string shared(const std::string& dataset, const std::vector<std::string>& args,
                     const std::string& engine = "my-engine") {
    const auto of = offline::line_of(args).engine;
    offline::dataset_options data;
    data.name = dataset;
    data.num_prompts = 1;
    data.tokenizer_mode = "bytes";
    const auto rest = take_prompt_options(data, of, {engine, "m", installed_}, plugins_, env_);
    return text_of(data.plugin_options) + "; " + text_of(rest.all());
  }

 private:
  static std::string text_of(const std::vector<offline::engine_option>& all) {
    std::vector<std::string> words;
    for (const auto& each : all)
      offline::add_words(each, words);
    std::string out;
    for (const std::string& each : words)
      out += (out.empty() ? "" : " ") + each;
    return out;
  }

  static ifb_option option(const char* name, const char* flag) {
    ifb_option out{};
    out.struct_size = sizeof out;
    out.type = IFB_STRING;
    out.name = name;
    out.help = "For tests.";
    out.flag = flag;
    return out;
  }

  const std::vector<ifb_option> options_{option("input", "txt-slices-input"),
                                         option("txt-slices-input-len", "length")};
  const ifb_plugin engine_ = scripted_plugin("my-engine");
  const ifb_plugin like_data_ = scripted_plugin("like-data", options_);
  listed_plugins plugins_;
  const std::vector<std::string> installed_{"--plugin-dir", INFERBENCH_PLUGIN_FOLDER};
  const options::environment env_ = options::test_environment();
};

TEST_F(prompt_options, go_to_the_data_set_that_is_chosen) {
  const std::vector<std::string> args{"--txt-slices-input",     "f.txt", "--max-model-len", "9",
                                      "--txt_slices_input_len", "5",     "--enforce-eager"};
  EXPECT_EQ(shared("txt-slices", args),
            "--txt-slices-input=f.txt --txt-slices-input-len=5; --max-model-len=9 --enforce-eager");
  EXPECT_EQ(shared("long-document", args),
            "; --txt-slices-input=f.txt --max-model-len=9 --txt-slices-input-len=5 "
            "--enforce-eager");
}

TEST_F(prompt_options, stay_with_the_engine_that_has_the_name) {
  // This engine has the flag of one option, and the name of the other.
  EXPECT_EQ(shared("txt-slices", {"--txt-slices-input", "f.txt", "--txt-slices-input-len", "5"},
                   "like-data"),
            "; --txt-slices-input=f.txt --txt-slices-input-len=5");
  EXPECT_EQ(shared("txt-slices", {"--chat-template", "t.jinja"}), "; --chat-template=t.jinja");
  EXPECT_EQ(shared("txt-slices", {"--engine.txt-slices-input", "f.txt"}),
            "; --txt-slices-input=f.txt");
  // throughput sets the prefix of this data set by --prefix-len.
  EXPECT_EQ(shared("sonnet", {"--sonnet-prefix-len", "7", "--sonnet-input-len", "9"}),
            "--sonnet-input-len=9; --sonnet-prefix-len=7");
}

TEST_F(prompt_options, are_none_without_the_plugin) {
  EXPECT_EQ(shared("nobody", {"--nobody-count", "3"}), "; --nobody-count=3");
}

}  // namespace
}  // namespace inferbench::batch
