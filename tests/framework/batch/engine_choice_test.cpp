#include "batch/engine_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/batch_plugin.hpp"
#include "framework/offline/lines.hpp"
#include "framework/options/test_environment.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using ::testing::HasSubstr;

ifb_option declared_option(const char* name, ifb_type type, const char* fallback,
                           const char* flag = nullptr, std::uint32_t flags = 0) {
  ifb_option out{};
  out.struct_size = sizeof out;
  out.type = type;
  out.name = name;
  out.help = "For tests.";
  out.fallback = fallback;
  out.flag = flag;
  out.flags = flags;
  return out;
}

/// An engine of its own, the engine that upstream's names mean, and a backend without batches.
class engine_choices : public ::testing::Test {
 protected:
  engine_choices() {
    single_.query = [](const ifb_plugin*, const char*) -> const void* { return nullptr; };
    plugins_.put(own_);
    plugins_.put(upstreams_);
    plugins_.put(single_);
    plugins_.put(strict_);
  }

  engine_choice chosen(const std::string& name, const std::vector<std::string>& args) {
    return choose_engine(plugins_, name, offline::line_of(args, offline::benchmark::latency).engine,
                         env_);
  }
  /// The option of the plugin as a text.
  static std::string value_of(const engine_choice& from, std::string_view option) {
    const options::option_value* found = from.plugin.find(option);
    if (found == nullptr) return "not set";
    if (found->type == IFB_FLOAT) return base_text(found->number);
    if (found->type == IFB_STRING || found->type == IFB_JSON) return found->text;
    return std::to_string(found->integer);
  }
  std::string refusal(const std::string& name, const std::vector<std::string>& args) {
    return refusal_of([&] { return chosen(name, args); });
  }

 private:
  static std::string base_text(double value) { return std::to_string(value); }

  const std::vector<ifb_option> own_options_{
      declared_option("words", IFB_INT, "3"),
      declared_option("quiet", IFB_BOOL, "false"),
      declared_option("ttft", IFB_DURATION, "\"10ms\""),
      declared_option("limits", IFB_JSON, nullptr),
      declared_option("python", IFB_STRING, "\"python3\"", "python"),
      declared_option("model", IFB_STRING, nullptr, nullptr, IFB_OPT_GENERAL)};
  const std::vector<ifb_option> upstreams_options_{
      declared_option("adapter", IFB_STRING, "\"vllm\"", "engine-adapter"),
      declared_option("model", IFB_STRING, nullptr, nullptr, IFB_OPT_GENERAL)};
  const std::vector<ifb_option> strict_options_{
      declared_option("weights", IFB_STRING, nullptr, nullptr, IFB_OPT_REQUIRED)};
  const ifb_plugin own_ = scripted_plugin("my-engine", own_options_);
  const ifb_plugin upstreams_ = scripted_plugin("python-engine", upstreams_options_);
  const ifb_plugin strict_ = scripted_plugin("strict", strict_options_);
  ifb_plugin single_ = scripted_plugin("single");
  listed_plugins plugins_;
  const options::environment env_ = options::test_environment();
};

TEST_F(engine_choices, give_declared_options_to_the_plugin_and_all_others_to_the_engine) {
  const engine_choice found =
      chosen("my-engine", {"--my-engine-words", "7", "--python", "/opt/python", "--model", "m",
                           "--max-model-len", "4096", "--no-enable-prefix-caching"});
  EXPECT_EQ(found.plugin.use, "my-engine");
  EXPECT_EQ(value_of(found, "words"), "7");
  EXPECT_EQ(value_of(found, "python"), "/opt/python");
  EXPECT_EQ(value_of(found, "model"), "m");
  EXPECT_EQ(options::to_json(found.engine),
            R"({"model": "m", "max_model_len": 4096, "enable_prefix_caching": false})");
}

TEST_F(engine_choices, have_the_defaults_of_the_plugin) {
  const engine_choice found = chosen("my-engine", {});
  EXPECT_EQ(value_of(found, "words"), "3");
  EXPECT_EQ(value_of(found, "quiet"), "0");
  EXPECT_EQ(value_of(found, "ttft"), "10000000");
  EXPECT_EQ(value_of(found, "limits"), "not set");
  EXPECT_EQ(value_of(found, "model"), "not set");
  EXPECT_TRUE(found.engine.items.empty());
}

TEST_F(engine_choices, switch_an_option_on_and_off_in_every_form) {
  const auto quiet = [this](const std::vector<std::string>& args) {
    return value_of(chosen("my-engine", args), "quiet");
  };
  EXPECT_EQ(quiet({"--my-engine-quiet"}), "1");
  EXPECT_EQ(quiet({"--my-engine-quiet", "True"}), "1");
  EXPECT_EQ(quiet({"--my-engine-quiet=false"}), "0");
  EXPECT_EQ(quiet({"--no-my-engine-quiet"}), "0");
  EXPECT_EQ(quiet({"--no-my-engine-quiet", "--my-engine-quiet"}), "1");
  EXPECT_EQ(quiet({"--my-engine-quiet", "--no-my-engine-quiet"}), "0");
  EXPECT_EQ(quiet({"--my_engine_quiet"}), "1");
}

TEST_F(engine_choices, take_the_last_of_equal_options) {
  EXPECT_EQ(
      value_of(chosen("my-engine", {"--my-engine-words", "1", "--my-engine-words=2"}), "words"),
      "2");
}

TEST_F(engine_choices, set_members_of_a_json_option) {
  const auto limits = [this](const std::vector<std::string>& args) {
    return value_of(chosen("my-engine", args), "limits");
  };
  EXPECT_EQ(limits({"--my-engine-limits.image.most", "3", "--my-engine-limits.name", "a"}),
            R"({"image": {"most": 3}, "name": "a"})");
  EXPECT_EQ(
      limits({"--my-engine-limits", R"({"image":1,"video":2})", "--my-engine-limits.image", "9"}),
      R"({"image": 9, "video": 2})");
}

TEST_F(engine_choices, refuse_a_value_that_the_plugin_cannot_have_and_name_the_flag) {
  EXPECT_THAT(refusal("my-engine", {"--my-engine-words", "many"}),
              ::testing::AllOf(HasSubstr("--my-engine-words"), HasSubstr("many")));
  EXPECT_EQ(refusal("my-engine", {"--my-engine-words"}), "2: --my-engine-words: needs a value");
  EXPECT_THAT(refusal("my-engine", {"--my-engine-limits", "[1"}), HasSubstr("--my-engine-limits"));
  EXPECT_THAT(refusal("my-engine", {"--my-engine-ttft", "soon"}), HasSubstr("--my-engine-ttft"));
}

TEST_F(engine_choices, name_the_flag_of_an_option_that_the_plugin_needs) {
  EXPECT_EQ(refusal("strict", {}), "1: strict needs a value for weights; give --strict-weights");
  EXPECT_EQ(value_of(chosen("strict", {"--strict-weights", "w"}), "weights"), "w");
}

TEST_F(engine_choices, mean_an_adapter_by_upstreams_names) {
  for (const auto& [name, adapter] :
       std::vector<std::pair<std::string, std::string>>{{"vllm", "vllm"},
                                                        {"vllm-chat", "vllm_chat"},
                                                        {"vllm-async", "vllm_async"},
                                                        {"hf", "hf"},
                                                        {"sglang", "sglang"}}) {
    const engine_choice found = chosen(name, {"--model", "m"});
    EXPECT_EQ(found.plugin.use, name);
    EXPECT_EQ(value_of(found, "adapter"), adapter);
    EXPECT_EQ(value_of(found, "model"), "m");
  }
}

TEST_F(engine_choices, let_the_user_replace_the_adapter) {
  EXPECT_EQ(value_of(chosen("vllm", {"--engine-adapter", "./mine.py"}), "adapter"), "./mine.py");
  EXPECT_EQ(value_of(chosen("python-engine", {}), "adapter"), "vllm");
}

TEST_F(engine_choices, refuse_a_backend_that_is_not_installed_or_has_no_batches) {
  EXPECT_EQ(refusal("nobody", {}), "1: no backend is called nobody");
  EXPECT_EQ(refusal("single", {}),
            "1: --backend: backend single takes single requests only and no batches; choose an "
            "engine such as vllm, or give --base-url to measure a server");
}

TEST_F(engine_choices, refuse_names_that_no_engine_can_have) {
  EXPECT_THAT(refusal_of([&] { return chosen("my-engine", {"--a..b", "1"}); }),
              ::testing::StartsWith("2: "));
}

}  // namespace
}  // namespace inferbench::batch
