#include "perf/recorded_command.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "sweep/command.hpp"

namespace inferbench::perf {

namespace {

using options::node;

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string_view without_sign(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  return word;
}

/// The digits as Python prints the number that they are.
node big_whole(std::string_view word) {
  node out;
  out.type = node::kind::big;
  const bool negative = word.starts_with('-');
  const std::string_view digits = without_sign(word);
  const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  out.text = (negative ? "-" : "") + std::string(digits.substr(first));
  return out;
}

node whole_number(std::string_view word) {
  const auto value = base::parse_int(word);
  return value ? node::of(*value) : big_whole(word);
}

bool is_decimal(std::string_view word) {
  const auto point = word.find('.');
  if (point == std::string_view::npos) return false;
  const std::string_view before = word.substr(0, point);
  return (before.empty() || all_digits(before)) && all_digits(word.substr(point + 1));
}

bool is_option_word(std::string_view word) { return word.starts_with("--"); }

/// The pairs from words[at] on; `at` is then the next option.
node metadata_pairs(const std::vector<std::string>& words, std::size_t& at) {
  node out = node::table();
  for (; at < words.size() && !is_option_word(words[at]); ++at) {
    const auto equals = words[at].find('=');
    if (equals != std::string::npos)
      out.set(words[at].substr(0, equals), node::of(words[at].substr(equals + 1)));
  }
  return out;
}

}  // namespace

node recorded_value(std::string_view word) {
  if (base::equal_no_case(word, "null")) return node{};
  if (base::equal_no_case(word, "true")) return node::of(true);
  if (base::equal_no_case(word, "false")) return node::of(false);
  const std::string_view unsigned_word = without_sign(word);
  if (all_digits(unsigned_word)) return whole_number(word);
  if (is_decimal(unsigned_word)) {
    const double value = base::parse_float(unsigned_word).value_or(0);
    return node::of(word.starts_with('-') ? -value : value);
  }
  return node::of(std::string(word));
}

recorded_options recorded_options_of(std::string_view line, const std::string& place) {
  const std::vector<std::string> words = sweep::split_words(line, place);
  if (words.size() < 2)
    throw base::error("the recorded command " + base::one_line(line) + " has fewer than two words",
                      "run the test again", {place});
  recorded_options out;
  for (std::size_t at = 2; at < words.size();) {
    const std::string& word = words[at++];
    if (!is_option_word(word)) continue;
    const auto equals = word.find('=');
    if (equals != std::string::npos)
      out.insert_or_assign(word.substr(0, equals), recorded_value(word.substr(equals + 1)));
    else if (word == "--metadata")
      out.insert_or_assign(word, metadata_pairs(words, at));
    else if (at < words.size() && !is_option_word(words[at]))
      out.insert_or_assign(word, recorded_value(words[at++]));
    else
      out.insert_or_assign(word, node::of(true));
  }
  return out;
}

}  // namespace inferbench::perf
