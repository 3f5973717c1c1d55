#include "perf/command_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace inferbench::perf {

namespace {

using options::node;

// Beyond this a double does not tell neighbouring whole numbers apart.
constexpr double largest_exact_whole = 9007199254740992.0;

std::string with_dashes(std::string_view key) {
  std::string out(key);
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string number_word(double value) {
  if (std::abs(value) <= largest_exact_whole && value == std::floor(value))
    return std::to_string(static_cast<std::int64_t>(value));
  return base::shortest(value);
}

}  // namespace

std::string word_of(const node& value) {
  switch (value.type) {
    case node::kind::null: return "null";
    case node::kind::boolean: return value.boolean ? "true" : "false";
    case node::kind::integer: return std::to_string(value.integer);
    case node::kind::real: return number_word(value.real);
    case node::kind::big:
    case node::kind::text: return value.text;
    case node::kind::list:
    case node::kind::table: break;
  }
  return options::to_json(value, options::non_finite::written);
}

std::vector<std::string> option_words(const node& table) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    out.push_back("--" + with_dashes(table.names[i]));
    // An empty word after a switch would be an argument that the parser refuses.
    if (std::string word = word_of(table.items[i]); !word.empty()) out.push_back(std::move(word));
  }
  return out;
}

std::vector<std::string> environment_words(const node& table) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < table.items.size(); ++i)
    out.push_back(table.names[i] + "=" + word_of(table.items[i]));
  return out;
}

const node* option_of(const node& table, std::string_view key) {
  const std::string wanted = with_dashes(key);
  for (std::size_t i = 0; i < table.items.size(); ++i)
    if (with_dashes(table.names[i]) == wanted) return &table.items[i];
  return nullptr;
}

node without_option(const node& table, std::string_view key) {
  const std::string unwanted = with_dashes(key);
  node out = node::table();
  out.where = table.where;
  for (std::size_t i = 0; i < table.items.size(); ++i)
    if (with_dashes(table.names[i]) != unwanted) out.set(table.names[i], table.items[i]);
  return out;
}

std::string shell_line(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words | std::views::transform(base::shell_word), " "));
}

std::vector<std::string> joined(std::vector<std::string> below,
                                const std::vector<std::string>& more) {
  below.insert(below.end(), more.begin(), more.end());
  return below;
}

}  // namespace inferbench::perf
