#include <inferbench/guard.hpp>

#include "common/toml/table.hpp"
#include "recipe.hpp"

namespace hf {

namespace {

using toml_file::table;
using toml_file::value;

constexpr std::int64_t most_tokens = 2147483647;

/// Reads the tables of a file into a recipe.
class recipe_reader {
 public:
  explicit recipe_reader(const toml_file::document& file) : file_(file) {}

  recipe read() {
    table root(file_, file_.root(), "");
    out_.path = file_.path();
    out_.text = file_.text();
    out_.about = root.text("about").value_or("");
    out_.ids = root.texts("ids");
    out_.subset = root.text("subset");
    out_.split = root.text("split");
    out_.columns = root.texts("columns");
    read_prompt(root);
    out_.multimodal_chat = root.boolean("multimodal-chat").value_or(false);
    if (const value* const words = root.find("transcript", value::kind::text))
      out_.transcript = compiled("transcript", *words);
    const value* const output = root.find("output", value::kind::table);
    const value* const limits = root.find("limits", value::kind::table);
    for (table& one : root.tables("filter"))
      read_filter(one);
    for (table& one : root.tables("media"))
      read_media(one);
    root.refuse_others();
    if (output == nullptr)
      root.refuse("there is no table [output]",
                  "say how long answers are, such as [output] tokens = 256");
    read_output(table(file_, *output, "[output]"));
    if (limits != nullptr) read_limits(table(file_, *limits, "[limits]"));
    return std::move(out_);
  }

 private:
  void read_prompt(table& root) {
    const value* const prompt = root.find("prompt", value::kind::text);
    auto messages = root.tables("message");
    if ((prompt == nullptr) == messages.empty())
      root.refuse(prompt == nullptr ? "there is no prompt" : "there is a prompt and a [[message]]",
                  "give one of them, such as prompt = \"{{ question }}\"");
    if (prompt != nullptr) out_.messages.push_back({"user", compiled("prompt", *prompt)});
    for (table& one : messages)
      read_message(one);
    out_.chat_messages = prompt == nullptr;
    const auto chat = root.choice("chat-template", {"never", "unless-skipped", "always"});
    if (out_.chat_messages && chat && *chat != "always")
      root.refuse(*root.find("chat-template"), "chat-template is \"" + *chat + "\"",
                  "a [[message]] always goes into the model's template; write \"always\"");
    out_.chat = out_.chat_messages || chat == "always" ? chat_use::always
                : chat == "unless-skipped"             ? chat_use::unless_skipped
                                                       : chat_use::never;
  }

  void read_message(table& from) {
    const auto role = from.text("role");
    const value* const content = from.find("content", value::kind::text);
    from.refuse_others();
    if (!role || content == nullptr)
      from.refuse("a message needs a role and a content",
                  "write role = \"user\" and content = \"{{ question }}\"");
    out_.messages.push_back({*role, compiled("content", *content)});
  }

  void read_output(table from) {
    out_.output_tokens = from.integer("tokens", 1, most_tokens);
    const value* const text = from.find("text", value::kind::text);
    const value* const special = from.find("special-tokens", value::kind::boolean);
    from.refuse_others();
    if (text == nullptr && !out_.output_tokens)
      from.refuse("[output] has neither tokens nor text",
                  "say how long answers are, such as tokens = 256");
    if (text == nullptr && special != nullptr)
      from.refuse(*special, "special-tokens is about the tokens of text",
                  "add text, or leave special-tokens out");
    if (text != nullptr)
      out_.answer =
          recorded_answer{compiled("text", *text), special == nullptr || special->boolean};
  }

  void read_limits(table from) {
    length_limits& to = out_.limits;
    to.always = from.choice("when", {"recorded", "always"}) == "always";
    to.least_prompt = from.integer("min-prompt-tokens", 0, most_tokens);
    to.least_answer = from.integer("min-output-tokens", 0, most_tokens);
    to.most_prompt = from.integer("max-prompt-tokens", 1, most_tokens);
    to.most_in_all = from.integer("max-total-tokens", 1, most_tokens);
    from.refuse_others();
    if (!to.always && !out_.answer)
      from.refuse("[limits] applies only to recorded answers, and [output] has no text",
                  "write when = \"always\"");
  }

  void read_filter(table& from) {
    const value* const keep = from.find("keep", value::kind::text);
    const auto reason = from.text("reason");
    from.refuse_others();
    if (keep == nullptr || !reason || reason->empty())
      from.refuse("a filter needs keep and reason",
                  "write keep = \"language == 'English'\" and reason = \"not English\"");
    if (reason->find("; ") != reason->npos)
      from.refuse("the reason has a semicolon", "a reason is one clause");
    try {
      out_.filters.push_back({row_template::of_condition(keep->text), *reason});
    } catch (const jinja::error& e) {
      from.refuse(*keep, "keep is not an expression of Jinja: " + e.message(), "");
    }
  }

  void read_media(table& from) {
    media_column to;
    const auto kind = from.choice("kind", {"image", "video", "audio"});
    to.kind = kind == "video" ? medium::video : kind == "audio" ? medium::sound : medium::image;
    to.column = from.text("column").value_or("");
    to.all = from.choice("take", {"first", "all"}) == "all";
    to.optional = from.boolean("optional").value_or(false);
    to.base_url = from.text("base-url").value_or("");
    from.refuse_others();
    if (!kind || to.column.empty())
      from.refuse("[[media]] needs kind and column",
                  "write kind = \"image\" and column = \"image\"");
    out_.media.push_back(std::move(to));
  }

  row_template compiled(const std::string& key, const value& source) const {
    try {
      return row_template(source.text);
    } catch (const jinja::error& e) {
      // In a text of several lines the template counts its own lines from 1.
      const std::string at = source.text.find('\n') == source.text.npos
                                 ? ""
                                 : "in line " + std::to_string(e.line()) + " of its text, ";
      file_.refuse(source.line, key + ": " + at + e.message(), "");
    }
  }

  const toml_file::document& file_;
  recipe out_;
};

}  // namespace

recipe read_recipe(const toml_file::document& file) { return recipe_reader(file).read(); }

}  // namespace hf
