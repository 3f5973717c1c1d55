#include "command_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>

namespace reporters {
namespace {

// Flags with a list that is written as one word, joined by commas. For any other list, each element
// is a word of its own after the flag.
constexpr std::array<std::string_view, 3> comma_lists{"percentile-metrics", "metric-percentiles",
                                                      "timeline-itl-thresholds"};
// Flags that take one value. For a list, the flag is written once for each element.
constexpr std::array<std::string_view, 1> repeated{"reporter"};
// Flags with an object that is written as words of a name, this character and a value, for example
// ttft:500. Any other object is written as JSON.
constexpr std::array<std::pair<std::string_view, char>, 3> pairs{
    {{"header", '='}, {"metadata", '='}, {"goodput", ':'}}};

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain = "-_./:=,+@%";
  const auto harmless = [&](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           plain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless)) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

// A floating-point number without a fraction is written as a user writes it: 5, not 5.0.
std::string text_for_flag(const json_value& value) {
  if (value.IsString()) return std::string(text_of(&value));
  if (!value.IsDouble()) return to_text(value);
  std::string out;
  ifb::append_python_float(out, value.GetDouble());
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

/// Returns the words of an array, or of an object of a flag in `pairs`. Returns none for any other
/// value: its text is one word.
std::vector<std::string> words_for_flag(std::string_view name, const json_value& value) {
  std::vector<std::string> out;
  if (value.IsArray()) {
    for (const json_value& each : value.GetArray())
      out.push_back(text_for_flag(each));
    if (std::ranges::find(comma_lists, name) == comma_lists.end()) return out;
    std::string all;
    for (const std::string& each : out)
      all += (all.empty() ? "" : ",") + each;
    return {all};
  }
  const auto* const pair =
      std::ranges::find(pairs, name, &std::pair<std::string_view, char>::first);
  if (value.IsObject() && pair != pairs.end())
    for (const auto& [key, each] : value.GetObject())
      out.push_back(std::string(text_of(&key)) + pair->second + text_for_flag(each));
  return out;
}

}  // namespace

std::string command_text(const json_value& flags) {
  if (!flags.IsObject() || flags.MemberCount() == 0) return {};
  std::string out = "inferbench serve";
  for (const auto& [name, value] : flags.GetObject()) {
    const std::string bare = "--" + std::string(text_of(&name));
    // A journal of another author may contain any name, so the name is quoted like a value.
    const std::string flag = shell_word(bare);
    if (value.IsNull()) continue;
    if (value.IsBool()) {
      out += ' ' + flag + (value.IsTrue() ? "" : "=false");
    } else if (const auto words = words_for_flag(text_of(&name), value);
               value.IsArray() || !words.empty()) {
      const bool again = std::ranges::find(repeated, text_of(&name)) != repeated.end();
      if (!again) out += ' ' + flag;
      for (const std::string& each : words) {
        if (again) out += ' ' + flag;
        out += ' ' + shell_word(each);
      }
    } else {
      const std::string text = text_for_flag(value);
      // A value that looks like a flag is joined with "=".
      out += ' ';
      if (text.starts_with('-'))
        out += shell_word(std::string(bare).append("=").append(text));
      else
        out.append(flag).append(" ").append(shell_word(text));
    }
  }
  return out;
}

}  // namespace reporters
