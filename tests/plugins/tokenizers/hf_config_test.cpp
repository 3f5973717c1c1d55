// What stands beside a vocabulary: configuration, old vocabularies, chat templates.
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/hub/fake_hub.hpp"
#include "support/plugin_box.hpp"
#include "tokenizers/hf/model_chat.hpp"
#include "tokenizers/hf/model_config.hpp"
#include "tokenizers/hf/model_files.hpp"
#include "tokenizers/hf/model_regex.hpp"
#include "tokenizers/hf/model_vocabulary.hpp"

namespace hf {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

template <typename call>
ifb::failure failure_of(call&& body) {
  try {
    body();
  } catch (const ifb::failure& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was refused";
  return {IFB_OK, ""};
}

class model_folder : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    hub_test::write(folder.path / name, text);
  }
  model_files files() { return {ifb::host(host.table()), {}, folder.path.string(), "", "path"}; }
  model_config config() {
    auto from = files();
    return read_model_config(from);
  }
  std::string refusal() {
    return failure_of([this] { config(); }).message();
  }
  std::vector<std::string> to_add() {
    std::vector<std::string> out;
    for (const auto& each : config().to_add())
      out.push_back(each.content + (each.special ? "!" : "") + (each.normalized ? "~" : "") +
                    (each.lstrip ? "<" : "") + (each.rstrip ? ">" : "") +
                    (each.single_word ? "_" : ""));
    return out;
  }

  support::host host;
  hub_test::folder folder;
};

using hf_config = model_folder;

TEST_F(hf_config, is_empty_where_there_are_no_files) {
  const auto c = config();
  EXPECT_EQ(c.tokenizer_class, "");
  EXPECT_TRUE(c.special.empty() && c.added.empty() && c.templates.empty());
  EXPECT_EQ(c.add_bos_token, std::nullopt);
}

TEST_F(hf_config, takes_special_tokens_as_strings_and_as_objects) {
  put("tokenizer_config.json", R"({
    "tokenizer_class": "LlamaTokenizerFast", "add_bos_token": true, "add_eos_token": false,
    "bos_token": "<s>", "unk_token": null, "pad_token": "",
    "eos_token": {"__type": "AddedToken", "content": "</s>", "lstrip": true, "normalized": true},
    "image_token": "<image>", "add_prefix_space": null, "model_max_length": 1e30,
    "extra_special_tokens": {"audio_token": "<audio>"}})");
  const auto c = config();
  EXPECT_EQ(c.tokenizer_class, "LlamaTokenizer");
  EXPECT_EQ(c.add_bos_token, true);
  EXPECT_EQ(c.add_eos_token, false);
  EXPECT_EQ(c.add_prefix_space, std::nullopt);
  EXPECT_EQ(c.token("bos_token"), "<s>");
  EXPECT_EQ(c.token("eos_token"), "</s>");
  EXPECT_EQ(c.token("image_token"), "<image>");
  EXPECT_EQ(c.token("audio_token"), "<audio>");
  EXPECT_EQ(c.token("unk_token"), "");
  EXPECT_EQ(c.token("pad_token"), "");
  EXPECT_THAT(to_add(), ElementsAre("<s>!", "</s>!~<", "<image>!", "<audio>!"));
}

TEST_F(hf_config, adds_tokens_in_the_order_of_their_numbers_and_then_the_named_ones) {
  put("tokenizer_config.json", R"({
    "bos_token": "<s>", "eos_token": "</s>", "additional_special_tokens": ["<b>", "<s>", "<c>"],
    "added_tokens_decoder": {
      "10": {"content": "<b>", "rstrip": true, "single_word": true},
      "9": {"content": "<s>", "lstrip": true, "normalized": false, "special": true},
      "100": {"content": "plain"}}})");
  EXPECT_THAT(to_add(), ElementsAre("<s>!<", "<b>!~>_", "plain~", "</s>!", "<c>!"));
}

TEST_F(hf_config, reads_the_older_files_only_where_the_newer_list_is_missing) {
  put("special_tokens_map.json", R"({"bos_token": {"content": "<map>"},
      "additional_special_tokens": ["<more>"], "eos_token": "</map>"})");
  put("added_tokens.json", R"({"second": 8, "<more>": 7})");
  put("tokenizer_config.json", R"({"bos_token": "<s>"})");
  EXPECT_EQ(config().token("bos_token"), "<map>");
  EXPECT_THAT(to_add(), ElementsAre("<more>!", "second~", "<map>!~", "</map>!"));
  put("tokenizer_config.json",
      R"({"bos_token": "<s>", "added_tokens_decoder": {"0": {"content": "<s>"}}})");
  EXPECT_THAT(to_add(), ElementsAre("<s>!~"));
}

TEST_F(hf_config, names_the_place_of_what_is_wrong) {
  const auto refused = [&](const char* text) {
    put("tokenizer_config.json", text);
    return refusal();
  };
  EXPECT_EQ(refused("[1]"), "tokenizer_config.json: expected an object");
  EXPECT_THAT(refused("{\n  \"a\": }"), StartsWith("tokenizer_config.json:2:"));
  EXPECT_EQ(refused(R"({"bos_token": 5})"),
            "tokenizer_config.json: bos_token: expected an object, not a number");
  EXPECT_EQ(refused(R"({"bos_token": {"lstrip": true}})"),
            "tokenizer_config.json: bos_token: \"content\" is missing");
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"x": {"content": "a"}}})"),
              AllOf(HasSubstr("added_tokens_decoder.x"), HasSubstr("no id")));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"-1": {"content": "a"}}})"), HasSubstr("no id"));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": {"4": {"content": 7}}})"),
              HasSubstr("added_tokens_decoder.4: content: expected a string"));
  EXPECT_THAT(refused(R"({"added_tokens_decoder": [1]})"), HasSubstr("expected an object"));
  EXPECT_THAT(refused(R"({"add_bos_token": "yes"})"), HasSubstr("add_bos_token"));
  EXPECT_THAT(refused(R"({"chat_template": 4})"), HasSubstr("chat_template: expected a list"));
  EXPECT_THAT(refused(R"({"chat_template": [{"name": "a"}]})"),
              HasSubstr("chat_template[0]: \"template\" is missing"));
  EXPECT_THAT(refused(R"({"additional_special_tokens": "a"})"), HasSubstr("expected a list"));
  EXPECT_THAT(refused(std::string(100'000, '[').c_str()), HasSubstr("levels deep"));
}

TEST_F(hf_config, reads_thousands_of_added_tokens) {
  std::string text = R"({"added_tokens_decoder": {)";
  for (int i = 0; i < 20'000; ++i)
    text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + R"(": {"content": "t)" +
            std::to_string(i) + "\"}";
  put("tokenizer_config.json", text + "}}");
  EXPECT_EQ(config().to_add().size(), 20'000U);
}

TEST_F(hf_config, takes_chat_templates_from_where_they_stand) {
  const auto names = [&] {
    std::string out;
    const auto c = config();
    for (const auto& each : c.templates)
      out += each.name + "=" + each.text + "@" + each.file + " ";
    return out + (c.templates_have_names ? "named" : "single");
  };
  EXPECT_EQ(names(), "single");
  put("chat_template.json", R"({"chat_template": "of the processor"})");
  EXPECT_EQ(names(), "default=of the processor@chat_template.json: chat_template single");
  put("tokenizer_config.json", R"({"chat_template": "of the config"})");
  EXPECT_EQ(names(), "default=of the config@tokenizer_config.json: chat_template single");
  put("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "a"},
      {"name": "tool_use", "template": "b"}, {"name": "default", "template": "c"}]})");
  EXPECT_EQ(names(),
            "default=c@tokenizer_config.json: chat_template[2] "
            "tool_use=b@tokenizer_config.json: chat_template[1] named");
  put("chat_template.jinja", "of the file");
  EXPECT_EQ(names(), "default=of the file@chat_template.jinja single");
  put("additional_chat_templates/rag.jinja", "of the folder");
  put("additional_chat_templates/readme.txt", "no template");
  EXPECT_EQ(names(),
            "default=of the file@chat_template.jinja "
            "rag=of the folder@additional_chat_templates/rag.jinja named");
}

TEST_F(hf_config, has_a_digest_of_what_was_read_and_said) {
  put("a", "1");
  put("b", "2");
  const auto digest = [&](const std::string& file, const std::string& option) {
    auto from = files();
    EXPECT_TRUE(from.read(file).has_value());
    from.decide("option", option);
    return from.digest();
  };
  EXPECT_EQ(digest("a", "x").size(), 64U);
  EXPECT_EQ(digest("a", "x"), digest("a", "x"));
  EXPECT_NE(digest("a", "x"), digest("b", "x"));
  EXPECT_NE(digest("a", "x"), digest("a", "y"));
  const auto before = digest("a", "x");
  put("a", "3");
  EXPECT_NE(digest("a", "x"), before);
}

class hf_old_vocabulary : public model_folder {
 protected:
  std::string made() {
    auto from = files();
    auto c = read_model_config(from);
    return make_tokenizer_json(from, c);
  }
  std::string refusal_of_it() {
    return failure_of([this] { made(); }).message();
  }
};

TEST_F(hf_old_vocabulary, of_gpt2_becomes_a_byte_level_bpe) {
  put("vocab.json", R"({"a": 0, "b": 1, "ab": 2})");
  put("merges.txt", "#version: 0.2\na b\r\n\n");
  const std::string expected =
      R"({"version":"1.0","pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,)"
      R"("trim_offsets":true,"use_regex":true},"post_processor":{"type":"ByteLevel",)"
      R"("add_prefix_space":true,"trim_offsets":false,"use_regex":true},"decoder":{"type":)"
      R"("ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},"model":)"
      R"({"type":"BPE","continuing_subword_prefix":"","end_of_word_suffix":"","vocab":)"
      R"({"a": 0, "b": 1, "ab": 2},"merges":["a b"]}})";
  EXPECT_EQ(made(), expected);
  put("config.json", R"({"model_type": "gpt2"})");
  EXPECT_EQ(made(), expected);
  put("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true})");
  EXPECT_THAT(made(), HasSubstr(R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true)"));
}

TEST_F(hf_old_vocabulary, gives_the_special_tokens_of_the_class) {
  put("vocab.json", R"({"<s>": 0, "</s>": 7})");
  put("merges.txt", "");
  put("tokenizer_config.json", R"({"tokenizer_class": "RobertaTokenizer", "cls_token": "</s>"})");
  auto from = files();
  auto c = read_model_config(from);
  EXPECT_THAT(make_tokenizer_json(from, c),
              HasSubstr(R"({"type":"RobertaProcessing","sep":["</s>",7],"cls":["</s>",7],)"
                        R"("trim_offsets":true,"add_prefix_space":false})"));
  EXPECT_EQ(c.token("mask_token"), "<mask>");
  EXPECT_EQ(c.token("cls_token"), "</s>");
  put("vocab.json", R"({"<s>": 0})");
  EXPECT_THAT(refusal_of_it(), HasSubstr("vocab.json: \"</s>\" is missing"));
}

TEST_F(hf_old_vocabulary, of_qwen2_normalizes_and_splits) {
  put("vocab.json", "{}");
  put("merges.txt", "");
  put("config.json", R"({"model_type": "qwen2"})");
  EXPECT_THAT(made(), AllOf(HasSubstr(R"("normalizer":{"type":"NFC"})"),
                            HasSubstr(R"({"type":"Split","pattern":{"Regex":"(?i:'s|'t)"),
                            HasSubstr(R"("use_regex":false)")));
}

TEST_F(hf_old_vocabulary, of_bert_becomes_wordpiece) {
  put("vocab.txt", "[PAD]\n[UNK]\n[CLS]\r\n[SEP]\n##a");
  const std::string text = made();
  for (
      const char* part :
      {R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true})",
       R"({"type":"BertPreTokenizer"})", R"({"type":"WordPiece","prefix":"##","cleanup":true})",
       R"("single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},)"
       R"({"SpecialToken":{"id":"[SEP]","type_id":0}}])",
       R"({"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":1}}])",
       R"("[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]})",
       R"("unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100)",
       R"("##a":4)"})
    EXPECT_THAT(text, HasSubstr(part));
  put("tokenizer_config.json",
      R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false, "strip_accents": true})");
  EXPECT_THAT(made(), HasSubstr(R"("strip_accents":true,"lowercase":false)"));
  put("vocab.txt", "[UNK]\n");
  EXPECT_THAT(refusal_of_it(), HasSubstr("vocab.txt: \"[CLS]\" is missing"));
}

TEST_F(hf_old_vocabulary, that_is_none_is_refused_with_who_reads_it) {
  EXPECT_THAT(refusal_of_it(), AllOf(HasSubstr("has no tokenizer.json"), HasSubstr("--tokenizer")));
  put("tokenizer.model", "");
  EXPECT_THAT(refusal_of_it(),
              HasSubstr("there is tokenizer.model, which the tokenizer mode sentencepiece reads"));
  std::filesystem::remove(folder.path / "tokenizer.model");
  put("qwen.tiktoken", "");
  EXPECT_THAT(refusal_of_it(), HasSubstr("which the tokenizer mode tiktoken reads"));
  put("vocab.json", "{}");
  EXPECT_THAT(refusal_of_it(), HasSubstr("has no tokenizer.json")) << "merges are missing";
  put("merges.txt", "");
  put("tokenizer_config.json", R"({"tokenizer_class": "CLIPTokenizer"})");
  EXPECT_THAT(refusal_of_it(),
              HasSubstr("what vocab.json and merges.txt mean for CLIPTokenizer is not known"));
  put("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})");
  EXPECT_THAT(refusal_of_it(), HasSubstr("mean for BertTokenizer is not known"));
}

TEST_F(hf_old_vocabulary, names_the_place_of_what_is_wrong) {
  put("merges.txt", "#version\na b\nno\n");
  put("vocab.json", "{}");
  EXPECT_THAT(refusal_of_it(), StartsWith("merges.txt: line 3: expected two tokens"));
  for (const char* bad : {" a", "a ", "a b c", " "}) {
    put("merges.txt", bad);
    EXPECT_THAT(refusal_of_it(), StartsWith("merges.txt: line 1")) << bad;
  }
  put("vocab.json", "[]");
  EXPECT_THAT(refusal_of_it(), StartsWith("vocab.json: expected an object"));
  put("vocab.json", "{\"a\": ");
  EXPECT_THAT(refusal_of_it(), StartsWith("vocab.json:1:"));
}

std::string with_vocabulary(const std::string& pre_tokenizer, int entries) {
  std::string out = R"({"pre_tokenizer":)" + pre_tokenizer + R"(,"model":{"vocab":{)";
  for (int i = 0; i < entries; ++i)
    out += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) + "\":" + std::to_string(i);
  return out + "}}}";
}
std::string steps_of(const std::string& json) { return json.substr(0, json.find(R"(,"model")")); }

TEST(hf_mistral_regex, takes_the_place_of_the_first_step) {
  const auto fixed = steps_of(with_mistral_regex(with_vocabulary(
      R"({"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"ByteLevel"}]})", 100'001)));
  EXPECT_THAT(fixed,
              AllOf(HasSubstr(R"([{"type":"Split","pattern":{"Regex":"[^\\r\\n\\p{L}\\p{N}]?)"),
                    HasSubstr(R"("behavior":"Isolated","invert":false},{"type":"ByteLevel"}])"),
                    testing::Not(HasSubstr("Digits"))));
}

TEST(hf_mistral_regex, stands_before_the_only_step) {
  EXPECT_THAT(
      steps_of(with_mistral_regex(with_vocabulary(R"({"type":"Digits"})", 100'001))),
      AllOf(StartsWith(R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split")"),
            testing::EndsWith(R"(},{"type":"Digits"}]})")));
  EXPECT_THAT(steps_of(with_mistral_regex(with_vocabulary(R"({"type":"Metaspace"})", 100'001))),
              testing::EndsWith(R"({"type":"ByteLevel","add_prefix_space":false,)"
                                R"("trim_offsets":true,"use_regex":false}]})"));
}

TEST(hf_mistral_regex, leaves_smaller_vocabularies_and_uncut_texts_alone) {
  for (const std::string& json :
       {with_vocabulary(R"({"type":"Digits"})", 100'000), with_vocabulary("null", 100'001),
        with_vocabulary("[]", 100'001), std::string("[1]"), std::string("{}")})
    EXPECT_EQ(with_mistral_regex(json), json);
}

class hf_chat : public testing::Test {
 protected:
  std::string render(const std::string& chat) {
    const chat_templates templates(config, options);
    return templates.render(chat);
  }
  ifb::failure refusal(const std::string& chat = R"({"messages": []})") {
    return failure_of([&] { render(chat); });
  }
  void single(const std::string& text) {
    config.templates = {{"default", text, "chat_template.jinja"}};
    config.templates_have_names = false;
  }
  void named(std::vector<named_template> list) {
    config.templates = std::move(list);
    config.templates_have_names = true;
  }

  model_config config;
  chat_options options;
};

constexpr const char* empty_chat = R"({"messages": []})";

TEST_F(hf_chat, has_the_variables_that_transformers_passes) {
  added_token bos;
  bos.content = "<s>";
  config.special = {{"bos_token", bos}};
  config.more_special = {bos};
  single(
      "{{ bos_token }}|{{ eos_token is defined }}|{{ tools is none }}|{{ documents is none }}|"
      "{{ add_generation_prompt }}|{{ additional_special_tokens }}|{{ messages[0].content }}");
  EXPECT_EQ(render(R"({"messages": [{"role": "user", "content": "Hi \u00e9"}]})"),
            "<s>|False|True|True|False|['<s>']|Hi \u00e9");
}

TEST_F(hf_chat, lets_the_chat_overrule_the_options_and_these_the_tokens) {
  added_token bos;
  bos.content = "<s>";
  config.special = {{"bos_token", bos}};
  options.variables = R"({"bos_token": "[", "a": 1, "b": {"c": [2]}})";
  single("{{ bos_token }}{{ a }}{{ b.c[0] }}");
  EXPECT_EQ(render(empty_chat), "[12");
  EXPECT_EQ(render(R"({"messages": [], "a": 7})"), "[72");
}

TEST_F(hf_chat, takes_the_template_for_tools_where_there_is_one) {
  named({{"default", "plain", "d"}, {"tool_use", "tools", "t"}, {"rag", "documents", "r"}});
  EXPECT_EQ(render(empty_chat), "plain");
  EXPECT_EQ(render(R"({"messages": [], "tools": null})"), "plain");
  EXPECT_EQ(render(R"({"messages": [], "tools": []})"), "tools");
  EXPECT_EQ(render(R"({"messages": [], "chat_template": "rag"})"), "documents");
  EXPECT_EQ(render(R"({"messages": [], "chat_template": "{{ 1 + 1 }}"})"), "2");
  options.chosen = "rag";
  EXPECT_EQ(render(R"({"messages": [], "tools": []})"), "documents");
}

TEST_F(hf_chat, needs_a_default_among_several) {
  named({{"a", "", "a"}, {"b", "", "b"}});
  EXPECT_EQ(refusal().message(),
            "ValueError: the model has several chat templates and none is the default; choose one "
            "as chat-template: a, b");
}

TEST_F(hf_chat, takes_a_file_or_a_text_instead) {
  single("of the model");
  options.chosen = "{{ 'text' }}";
  EXPECT_EQ(render(empty_chat), "text");
  const hub_test::folder folder;
  hub_test::write(folder.path / "x.jinja", "of a file");
  options.chosen = (folder.path / "x.jinja").string();
  EXPECT_EQ(render(empty_chat), "of a file");
  options.chosen = "no/such/file";
  const auto refused = refusal();
  EXPECT_EQ(refused.option(), "chat-template");
  EXPECT_THAT(refused.message(), HasSubstr("\"no/such/file\" is no file that can be read"));
  options.chosen = "{% if %}";
  EXPECT_EQ(refusal().option(), "chat-template");
}

TEST_F(hf_chat, fails_with_the_exception_that_python_would_raise) {
  single("{{ raise_exception('no system role') }}");
  const auto raised = refusal();
  EXPECT_EQ(raised.code(), IFB_E_DATA);
  EXPECT_EQ(raised.message(), "TemplateError: no system role");
  single("{% if %}");
  EXPECT_THAT(refusal().message(),
              AllOf(StartsWith("TemplateSyntaxError: "), HasSubstr("chat_template.jinja, line 1")));
  config.templates.clear();
  EXPECT_EQ(refusal().code(), IFB_E_UNSUPPORTED);
}

TEST_F(hf_chat, refuses_what_is_no_chat) {
  single("");
  for (const char* bad : {"", "[]", "{}", R"({"messages": 1})", R"({"messages": null})", "{\"a\":"})
    EXPECT_EQ(refusal(bad).code(), IFB_E_DATA) << bad;
  const std::string deep = R"({"messages": )" + std::string(100'000, '[');
  EXPECT_EQ(refusal(deep).code(), IFB_E_DATA);
  EXPECT_EQ(refusal(R"({"messages": [], "chat_template": 1})").code(), IFB_E_DATA);
}

TEST_F(hf_chat, refuses_variables_that_are_no_object) {
  single("");
  for (const char* bad : {"[1]", "1", "{"}) {
    options.variables = bad;
    EXPECT_EQ(refusal().option(), "chat-template-kwargs") << bad;
  }
}

TEST_F(hf_chat, can_go_on_with_the_last_message) {
  single("{% for m in messages %}<{{ m.content }}></m>{% endfor %}");
  EXPECT_EQ(render(R"({"messages": [{"content": "a"}, {"content": "b "}],
                       "continue_final_message": true})"),
            "<a></m><b ");
  single("{% for m in messages %}<{{ m.content | trim }}></m>{% endfor %}");
  EXPECT_EQ(render(R"({"messages": [{"content": "b "}], "continue_final_message": true})"), "<b");
  single("{% for m in messages %}{{ m.content[0].text }}$$${% endfor %}");
  EXPECT_EQ(render(R"({"messages": [{"content": [{"type": "text", "text": "b"}]}],
                       "continue_final_message": true})"),
            "b");
  EXPECT_EQ(render(R"({"messages": [{"content": [{"text": "b"}]}],
                       "continue_final_message": false})"),
            "b$$$");
}

TEST_F(hf_chat, cannot_go_on_with_what_is_not_there) {
  single("nothing of it");
  for (const char* bad : {R"({"messages": [], "continue_final_message": true})",
                          R"({"messages": [1], "continue_final_message": true})",
                          R"({"messages": [{"role": "user"}], "continue_final_message": true})",
                          R"({"messages": [{"content": []}], "continue_final_message": true})",
                          R"({"messages": [{"content": "a"}], "continue_final_message": true})",
                          R"({"messages": [{"content": "a"}], "continue_final_message": true,
            "add_generation_prompt": true})"})
    EXPECT_THAT(refusal(bad).message(), StartsWith("ValueError: ")) << bad;
}

}  // namespace
}  // namespace hf
