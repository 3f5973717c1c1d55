#include "recipe.hpp"

#include <algorithm>
#include <string_view>

#include "row_context.hpp"

namespace hf {

namespace {

// Returns a literal that is valid in TOML and in Jinja.
std::string toml_literal(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) {
      out.append("\\u00").append(1, hex[code >> 4U]).append(1, hex[code & 15U]);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::vector<const row_template*> templates_of(const recipe& from, bool with_answer) {
  std::vector<const row_template*> out;
  for (const message_template& each : from.messages)
    out.push_back(&each.content);
  for (const row_filter& each : from.filters)
    out.push_back(&each.keep);
  if (with_answer && from.answer) out.push_back(&from.answer->text);
  if (from.transcript) out.push_back(&*from.transcript);
  return out;
}

bool uses(const row_template& text, const std::string& variable) {
  return std::ranges::find(text.variables(), variable) != text.variables().end();
}
bool uses(const recipe& from, const std::string& variable, bool with_answer = true) {
  return std::ranges::any_of(templates_of(from, with_answer),
                             [&](const row_template* each) { return uses(*each, variable); });
}

/// Returns whether the answer uses a column of recipe::columns, which may end with "?".
bool answer_uses(const recipe& from, std::string column) {
  if (column.ends_with('?')) column.pop_back();
  return from.answer && uses(from.answer->text, column);
}
/// Returns whether only the answer uses the column.
bool only_answer_uses(const recipe& from, std::string column) {
  if (!answer_uses(from, column) || uses(from, row_variable, false)) return false;
  if (column.ends_with('?')) column.pop_back();
  return !uses(from, column, false);
}

}  // namespace

recipe with_prompt_column(const recipe& from, const std::string& column) {
  const std::string name = toml_literal(column);
  std::string text =
      "about = " + toml_literal("The texts in the column " + column) + "\ncolumns = [";
  text += name;
  for (const std::string& each : from.columns)
    if (each != column + "?" && answer_uses(from, each)) text += ", " + toml_literal(each);
  text += "]\nprompt = ";
  text += toml_literal("{{ row[" + name + "] if row[" + name +
                       "] is string else raise_exception('the prompt is not a text') }}");
  text += '\n';
  const std::size_t rest = from.text.find("\n[output]");
  if (rest != from.text.npos) text += from.text.substr(rest);
  return read_recipe(toml_file::document("recipe", text, "hf-text-column"));
}

std::vector<std::string> columns_of(const recipe& of, bool with_answer) {
  std::vector<std::string> out;
  for (const std::string& each : of.columns)
    if (with_answer || !only_answer_uses(of, each)) out.push_back(each);
  const auto add = [&](const std::string& name, const char* mark) {
    if (std::ranges::find(out, name) == out.end() &&
        std::ranges::find(out, name + "?") == out.end())
      out.push_back(name + mark);
  };
  for (const media_column& each : of.media)
    if (each.optional) add(each.column, "?");
  for (const row_template* each : templates_of(of, with_answer))
    for (const std::string& name : each->variables())
      if (name != row_variable && name != run_variable) add(name, "");
  for (const media_column& each : of.media)
    add(each.column, "");
  return out;
}

std::vector<std::string> only_media_columns(const recipe& of) {
  std::vector<std::string> out;
  if (uses_whole_row(of)) return out;
  for (const media_column& each : of.media)
    if (!uses(of, each.column)) out.push_back(each.column);
  return out;
}

bool uses_whole_row(const recipe& of) { return uses(of, row_variable); }

}  // namespace hf
