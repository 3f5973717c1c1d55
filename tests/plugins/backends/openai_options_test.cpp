// Tests the library through the contract: its plugins, their options, and the values that create
// refuses.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"

namespace backends {
namespace {

struct refusal {
  const char* id;
  support::settings given;
  const char* option;
  const char* message;
};

TEST(openai_options, that_are_unusable_are_refused_by_name) {
  const refusal cases[] = {
      {"openai",
       {{"model", ""}, {"endpoint", "/v1/completions"}},
       "model",
       "the name of the model is empty"},
      {"openai",
       {{"model", "m"}, {"endpoint", "/v1/embeddings"}},
       "endpoint",
       "\"/v1/embeddings\" does not end in completions; give the path of that endpoint, for "
       "example /v1/completions, or a backend other than openai"},
      {"openai", {{"model", "m"}, {"endpoint", ""}}, "endpoint", "\"\" does not end in"},
      {"openai-chat",
       {{"model", "m"}, {"endpoint", "/v1/completions"}},
       "endpoint",
       "does not end in chat/completions; give the path of that endpoint, for example "
       "/v1/chat/completions, or a backend other than openai-chat"},
      {"openai",
       {{"model", "m"}, {"endpoint", "/v1/completions"}, {"extra-body", "[1]"}},
       "extra-body",
       "not a JSON object (the JSON value is not an object); write {\"name\": value, ...}"},
      {"openai",
       {{"model", "m"}, {"endpoint", "/v1/completions"}, {"extra-body", "5"}},
       "extra-body",
       "not a JSON object"},
      {"openai-chat",
       {{"model", "m"}, {"endpoint", "/v1/chat/completions"}, {"extra-body", "{\"a\": tru}"}},
       "extra-body",
       "not a JSON object (malformed JSON at byte"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.message);
    codec_box box(c.id);
    EXPECT_EQ(box.plugin.create(c.given), IFB_E_CONFIG);
    EXPECT_EQ(box.plugin.error.code, IFB_E_CONFIG);
    EXPECT_EQ(box.plugin.option_at_fault(), c.option);
    EXPECT_THAT(box.plugin.error.message, testing::HasSubstr(c.message));
    EXPECT_EQ(box.plugin.get(), nullptr);
  }
}

TEST(openai_options, of_upstream_are_accepted) {
  codec_box completions("openai");
  // Upstream checks only the end of the URL, so it accepts this endpoint, too.
  EXPECT_EQ(completions.plugin.create({{"model", "m"}, {"endpoint", "/v1/chat/completions"}}),
            IFB_OK);
  codec_box chat("openai-chat");
  EXPECT_EQ(chat.plugin.create({{"model", "m"}, {"endpoint", "/x/chat/completions"}}), IFB_OK);
}

TEST(openai_options, are_declared_with_their_fallbacks) {
  const auto fallback = [](const codec_box& box, std::string_view name) -> std::string {
    for (const auto& o : ifb::options_of(box.plugin.plugin())) {
      if (o.name == name) return o.fallback == nullptr ? "none" : o.fallback;
    }
    return "undeclared";
  };
  const codec_box completions("openai");
  EXPECT_EQ(fallback(completions, "endpoint"), "\"/v1/completions\"");
  EXPECT_EQ(fallback(completions, "model"), "none");
  EXPECT_EQ(fallback(completions, "ignore-eos"), "false");
  EXPECT_EQ(fallback(completions, "logprobs"), "none");
  EXPECT_EQ(fallback(completions, "extra-body"), "none");
  const codec_box chat("openai-chat");
  EXPECT_EQ(fallback(chat, "endpoint"), "\"/v1/chat/completions\"");
  EXPECT_EQ(fallback(chat, "logprobs"), "undeclared");
}

TEST(openai_library, answers_to_vllm_too) {
  const support::plugin_box box(support::plugin_file("backends/vllm"), IFB_BACKEND, "openai");
  EXPECT_STREQ(box.plugin().license, "Apache-2.0");
}

TEST(openai_library, keeps_two_instances_apart) {
  codec_box a("openai", {{"model", "a"}});
  codec_box b("openai", {{"model", "b"}, {"ignore-eos", std::int64_t{1}}});
  a.open_any();
  b.open_any();
  EXPECT_STREQ(parse(a.body())["model"].GetString(), "a");
  EXPECT_STREQ(parse(b.body())["model"].GetString(), "b");
  EXPECT_FALSE(parse(a.body()).HasMember("ignore_eos"));
}

}  // namespace
}  // namespace backends
