// Tests the chat templates of a model: which template is chosen, and its input.
#include "tokenizers/model_files/chat_templates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/model_folder.hpp"

namespace tokenizers::model_files {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class chat_template_of_a_model : public testing::Test {
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

TEST_F(chat_template_of_a_model, has_the_variables_that_transformers_passes) {
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

TEST_F(chat_template_of_a_model, lets_the_chat_overrule_the_options_and_these_the_tokens) {
  added_token bos;
  bos.content = "<s>";
  config.special = {{"bos_token", bos}};
  options.variables = R"({"bos_token": "[", "a": 1, "b": {"c": [2]}})";
  single("{{ bos_token }}{{ a }}{{ b.c[0] }}");
  EXPECT_EQ(render(empty_chat), "[12");
  EXPECT_EQ(render(R"({"messages": [], "a": 7})"), "[72");
}

TEST_F(chat_template_of_a_model, takes_the_template_for_tools_where_there_is_one) {
  named({{"default", "plain", "d"}, {"tool_use", "tools", "t"}, {"rag", "documents", "r"}});
  EXPECT_EQ(render(empty_chat), "plain");
  EXPECT_EQ(render(R"({"messages": [], "tools": null})"), "plain");
  EXPECT_EQ(render(R"({"messages": [], "tools": []})"), "tools");
  EXPECT_EQ(render(R"({"messages": [], "chat_template": "rag"})"), "documents");
  EXPECT_EQ(render(R"({"messages": [], "chat_template": "{{ 1 + 1 }}"})"), "2");
  options.chosen = "rag";
  EXPECT_EQ(render(R"({"messages": [], "tools": []})"), "documents");
}

TEST_F(chat_template_of_a_model, needs_a_default_among_several) {
  named({{"a", "", "a"}, {"b", "", "b"}});
  EXPECT_EQ(refusal().message(),
            "ValueError: the model has several chat templates and none is the default; choose one "
            "as chat-template: a, b");
}

TEST_F(chat_template_of_a_model, takes_a_file_or_a_text_instead) {
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
  EXPECT_THAT(refused.message(), HasSubstr("\"no/such/file\" is not a readable file"));
  options.chosen = "{% if %}";
  EXPECT_EQ(refusal().option(), "chat-template");
}

TEST_F(chat_template_of_a_model, fails_with_the_exception_that_python_would_raise) {
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

TEST_F(chat_template_of_a_model, refuses_an_invalid_chat) {
  single("");
  for (const char* bad : {"", "[]", "{}", R"({"messages": 1})", R"({"messages": null})", "{\"a\":"})
    EXPECT_EQ(refusal(bad).code(), IFB_E_DATA) << bad;
  const std::string deep = R"({"messages": )" + std::string(100'000, '[');
  EXPECT_EQ(refusal(deep).code(), IFB_E_DATA);
  EXPECT_EQ(refusal(R"({"messages": [], "chat_template": 1})").code(), IFB_E_DATA);
}

TEST_F(chat_template_of_a_model, refuses_variables_that_are_not_an_object) {
  single("");
  for (const char* bad : {"[1]", "1", "{"}) {
    options.variables = bad;
    EXPECT_EQ(refusal().option(), "chat-template-kwargs") << bad;
  }
}

TEST_F(chat_template_of_a_model, can_go_on_with_the_last_message) {
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

TEST_F(chat_template_of_a_model, refuses_to_continue_an_unsuitable_message) {
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
}  // namespace tokenizers::model_files
