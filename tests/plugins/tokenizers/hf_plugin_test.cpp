// Tests the tokenizer "hf" through the C contract: folders, the cache, the hub, and its options.
#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/hub/fake_hub.hpp"
#include "plugins/tokenizers/tokenizer_box.hpp"

namespace tokenizers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using ids = std::vector<std::uint32_t>;

constexpr const char* words = R"({
  "version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [{"id": 3, "content": "<s>", "single_word": false, "lstrip": false,
    "rstrip": false, "normalized": false, "special": true}],
  "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
             {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}}},
  "decoder": null,
  "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "hello": 1, "world": 2},
            "unk_token": "[UNK]"}})";

class hf_plugin : public testing::Test, public tokenizer_box {
 protected:
  hf_plugin() : tokenizer_box("tokenizers/hf", "hf") {
    set("HF_HUB_CACHE", cache.path.string());
    set("HF_ENDPOINT", "http://127.0.0.1:1");
    set("HF_TOKEN", "hf_secret");
    set("no_proxy", "*");
    unsetenv("HF_HUB_OFFLINE");
    unsetenv("TRANSFORMERS_OFFLINE");
  }
  static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
  void put(const std::string& name, const std::string& text) {
    hub_test::write(folder.path / name, text);
  }
  void create(support::settings more = {}) {
    more.try_emplace("path", folder.path.string());
    ASSERT_EQ(plugin.create(more), IFB_OK) << plugin.error.message;
  }
  std::string refusal(const support::settings& given) {
    EXPECT_LT(plugin.create(given), 0);
    return plugin.error.message;
  }
  std::string render(const std::string& chat) {
    std::string text(1000, '#');
    std::size_t needed = 0;
    status = calls.render(plugin.get(), ifb::str(chat), text.data(), text.size(), &needed,
                          &plugin.error);
    text.resize(status == IFB_OK ? needed : 0);
    return text;
  }

  hub_test::folder folder;
  hub_test::folder cache;
};

TEST_F(hf_plugin, encodes_and_decodes_with_the_model_in_a_folder) {
  put("tokenizer.json", words);
  create();
  EXPECT_EQ(encode("hello there world"), (ids{1, 0, 2}));
  EXPECT_EQ(encode("hello<s>", IFB_ENCODE_SPECIAL), (ids{3, 1, 3}));
  EXPECT_EQ(count("hello world", IFB_ENCODE_SPECIAL), 3U);
  EXPECT_EQ(decode({3, 1, 2}), "<s> hello world");
  EXPECT_EQ(decode({3, 1, 2}, IFB_DECODE_SKIP_SPECIAL), "hello world");
  std::uint32_t both[4] = {};
  std::uint32_t types[4] = {};
  std::size_t needed = 0;
  EXPECT_EQ(calls.encode_pair(plugin.get(), ifb::str("hello"), ifb::str("world"),
                              IFB_ENCODE_SPECIAL, both, types, 4, &needed, nullptr),
            IFB_OK);
  EXPECT_EQ(ids(both, both + needed), (ids{3, 1, 2}));
  EXPECT_EQ(ids(types, types + needed), (ids{0, 0, 1}));
}

TEST_F(hf_plugin, describes_its_vocabulary) {
  put("tokenizer.json", words);
  put("tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": "</s>"})");
  create();
  const auto v = vocabulary();
  EXPECT_EQ(v.size, 3U);
  EXPECT_EQ(v.total_size, 5U) << "the file's <s> and the configuration's </s>";
  EXPECT_EQ(v.added, 1U);
  EXPECT_EQ(ids(v.special_ids, v.special_ids + v.special_id_count), (ids{3, 4}));
  EXPECT_EQ(v.source, folder.path.string());
  EXPECT_EQ(std::string(v.digest).size(), 64U);
  EXPECT_EQ(encode("</s>"), (ids{4}));
}

TEST_F(hf_plugin, has_another_digest_for_whatever_changes_ids_or_prompts) {
  put("tokenizer.json", words);
  std::vector<std::string> seen;
  const auto with = [&](const support::settings& given) {
    tokenizer_box other("tokenizers/hf", "hf");
    support::settings all = given;
    all["path"] = folder.path.string();
    ASSERT_EQ(other.plugin.create(all), IFB_OK) << other.plugin.error.message;
    seen.emplace_back(other.vocabulary().digest);
  };
  with({});
  with({{"legacy-bos-eos", std::int64_t{1}}});
  with({{"fix-mistral-regex", std::int64_t{1}}});
  with({{"chat-template", std::string("{{ 1 }}")}});
  with({{"chat-template-kwargs", std::string(R"({"a": 1})")}});
  put("chat_template.jinja", "x");
  with({});
  put("tokenizer_config.json", "{}");
  with({});
  const std::set<std::string> different(seen.begin(), seen.end());
  EXPECT_EQ(different.size(), seen.size());
  with({});
  EXPECT_EQ(seen.back(), seen[seen.size() - 2]);
}

TEST_F(hf_plugin, prefers_the_path_to_the_model_and_needs_one_of_them) {
  put("tokenizer.json", words);
  create({{"model", std::string("org/other")}});
  EXPECT_EQ(encode("hello"), (ids{1}));
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("no tokenizer is named"), HasSubstr("--tokenizer")));
  EXPECT_EQ(plugin.option_at_fault(), "path");
}

TEST_F(hf_plugin, takes_the_path_of_a_file_too) {
  put("other.json", words);
  create({{"path", (folder.path / "other.json").string()}});
  EXPECT_EQ(encode("hello"), (ids{1}));
}

TEST_F(hf_plugin, names_the_missing_file_and_the_option_that_named_it) {
  EXPECT_THAT(refusal({{"path", folder.path.string()}}),
              AllOf(HasSubstr("the folder " + folder.path.string() + " has no tokenizer.json"),
                    HasSubstr("--tokenizer")));
  EXPECT_EQ(plugin.option_at_fault(), "path");
  EXPECT_THAT(refusal({{"model", std::string("./no/such/folder")}}),
              HasSubstr("there is no folder \"./no/such/folder\""));
  EXPECT_EQ(plugin.option_at_fault(), "model");
  EXPECT_THAT(refusal({{"model", std::string("org/name")}, {"revision", std::string("../x")}}),
              HasSubstr("is not a branch, tag or commit"));
  EXPECT_EQ(plugin.option_at_fault(), "revision");
  EXPECT_THAT(refusal({{"model", std::string("org/name")}}),
              HasSubstr("http://127.0.0.1:1 cannot be reached"));
  EXPECT_EQ(plugin.option_at_fault(), "model");
}

TEST_F(hf_plugin, reports_the_position_of_an_error_in_a_file) {
  put("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"a": "b"}}})");
  EXPECT_THAT(refusal({{"path", folder.path.string()}}), HasSubstr("tokenizer.json: model.vocab"));
  put("tokenizer.json", std::string(words).substr(0, 400));
  EXPECT_THAT(refusal({{"path", folder.path.string()}}), HasSubstr("tokenizer.json:"));
}

TEST_F(hf_plugin, loads_from_the_hub_and_then_from_the_cache) {
  hub_test::fake_hub net;
  net.files["tokenizer.json"] = {words, "etag"};
  net.files["chat_template.jinja"] = {"{{ messages|length }}", "template"};
  set("HF_ENDPOINT", net.server.address());
  create({{"path", std::string("org/name")}});
  EXPECT_EQ(encode("world"), (ids{2}));
  EXPECT_EQ(render(R"({"messages": [1, 2]})"), "2");
  EXPECT_EQ(vocabulary().source, std::string("org/name@") + hub_test::commit);
  const auto asked = net.server.requests().size();
  EXPECT_GT(asked, 2U);
  set("HF_HUB_OFFLINE", "1");
  tokenizer_box second("tokenizers/hf", "hf");
  ASSERT_EQ(second.plugin.create({{"model", std::string("org/name")}}), IFB_OK)
      << second.plugin.error.message;
  EXPECT_EQ(second.encode("world"), (ids{2}));
  EXPECT_EQ(net.server.requests().size(), asked);
  EXPECT_STREQ(second.vocabulary().digest, vocabulary().digest);
}

TEST_F(hf_plugin, says_that_it_may_not_ask_the_hub) {
  set("HF_HUB_OFFLINE", "1");
  EXPECT_THAT(refusal({{"path", std::string("org/name")}}),
              AllOf(HasSubstr("org/name (revision main) is not in the cache"),
                    HasSubstr("HF_HUB_OFFLINE")));
  EXPECT_EQ(plugin.option_at_fault(), "path");
}

TEST_F(hf_plugin, lets_the_configuration_decide_about_ends_only_on_request) {
  put("tokenizer.json", words);
  put("tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": "</s>",
      "add_bos_token": false, "add_eos_token": true})");
  create();
  EXPECT_EQ(encode("hello", IFB_ENCODE_SPECIAL), (ids{3, 1}));
  tokenizer_box legacy("tokenizers/hf", "hf");
  ASSERT_EQ(
      legacy.plugin.create({{"path", folder.path.string()}, {"legacy-bos-eos", std::int64_t{1}}}),
      IFB_OK);
  EXPECT_EQ(legacy.encode("hello", IFB_ENCODE_SPECIAL), (ids{1, 4}));
}

TEST_F(hf_plugin, makes_a_tokenizer_of_an_old_folder) {
  put("vocab.json", R"({"</s>": 0, "h": 1, "i": 2, "hi": 3, "\u0120": 4})");
  put("merges.txt", "#version: 0.2\nh i\n");
  put("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "bos_token": "</s>",
      "eos_token": "</s>", "unk_token": "</s>", "add_bos_token": true})");
  create();
  EXPECT_EQ(encode("hi hi</s>", IFB_ENCODE_SPECIAL), (ids{0, 3, 4, 3, 0}));
  EXPECT_EQ(decode({0, 3, 4, 3}, IFB_DECODE_SKIP_SPECIAL), "hi hi");
}

TEST_F(hf_plugin, takes_the_newest_of_several_files) {
  put("tokenizer.json", "{}");
  put("tokenizer.4.10.json", words);
  put("tokenizer_config.json",
      R"({"fast_tokenizer_files": ["tokenizer.4.10.json", "tokenizer.4.9.json"]})");
  create();
  EXPECT_EQ(encode("hello"), (ids{1}));
}

TEST_F(hf_plugin, renders_without_a_vocabulary_where_that_is_all) {
  put("tokenizer_config.json", R"({"chat_template": "{{ bos_token }}", "bos_token": "<s>"})");
  create({{"template-only", std::int64_t{1}}});
  EXPECT_EQ(render(R"({"messages": []})"), "<s>");
  encode("a");
  EXPECT_EQ(status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(vocabulary().size, 0U);
  EXPECT_EQ(status, IFB_OK);
}

TEST_F(hf_plugin, says_why_a_chat_cannot_be_rendered) {
  put("tokenizer.json", words);
  create();
  render(R"({"messages": []})");
  EXPECT_EQ(status, IFB_E_UNSUPPORTED);
  EXPECT_THAT(plugin.error.message, HasSubstr("no chat template; give one with --chat-template"));
  tokenizer_box other("tokenizers/hf", "hf");
  ASSERT_EQ(other.plugin.create({{"path", folder.path.string()},
                                 {"chat-template", std::string("{{ raise_exception('no') }}")}}),
            IFB_OK);
  std::size_t needed = 0;
  EXPECT_EQ(other.calls.render(other.plugin.get(), ifb::str(R"({"messages": []})"), nullptr, 0,
                               &needed, &other.plugin.error),
            IFB_E_DATA);
  EXPECT_STREQ(other.plugin.error.message, "TemplateError: no");
}

TEST_F(hf_plugin, serves_many_threads) {
  put("tokenizer.json", words);
  put("chat_template.jinja", "{{ messages[0] }}");
  create();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        std::uint32_t got[4] = {};
        char text[16] = {};
        std::size_t needed = 0;
        if (calls.encode(plugin.get(), ifb::str("hello world"), 0, got, 4, &needed, nullptr) !=
                IFB_OK ||
            needed != 2 || got[1] != 2)
          ++wrong;
        if (calls.decode(plugin.get(), got, 2, 0, text, sizeof text, &needed, nullptr) != IFB_OK ||
            std::string(text, needed) != "hello world")
          ++wrong;
        ifb_error error{};
        if (calls.render(plugin.get(), ifb::str(R"({"messages": ["x"]})"), text, sizeof text,
                         &needed, &error) != IFB_OK ||
            std::string(text, needed) != "x")
          ++wrong;
      }
    });
  }
  for (auto& each : threads)
    each.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tokenizers
