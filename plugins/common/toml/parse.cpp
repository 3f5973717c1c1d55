#include "parse.hpp"

#include <algorithm>
#include <utility>
#include <vector>

// toml++ 3.3 asserts that a key begins with a valid character, and afterwards reports an invalid
// character as an error. A user's file may be invalid, so the assertion is switched off.
#ifndef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#endif
#include <toml++/toml.h>

namespace toml_file {

namespace {

constexpr int deepest = 32;

value converted(const toml::node& from, int depth);

// TOML++ sorts the keys by name. The positions restore the order of the file.
void add_members(value& out, const toml::table& from, int depth) {
  std::vector<std::pair<const toml::key*, const toml::node*>> members;
  for (const auto& [key, item] : from)
    members.emplace_back(&key, &item);
  std::ranges::sort(members, [](const auto& a, const auto& b) {
    return a.first->source().begin < b.first->source().begin;
  });
  for (const auto& [key, item] : members) {
    out.names.emplace_back(key->str());
    out.items.push_back(converted(*item, depth + 1));
    // A table without a header gets the line number of its key.
    out.items.back().line = key->source().begin.line;
  }
}

// NOLINTNEXTLINE(misc-no-recursion): at most `deepest` levels
value converted(const toml::node& from, int depth) {
  value out;
  out.line = from.source().begin.line;
  if (depth > deepest)
    throw parse_trouble{out.line,
                        "values are nested more than " + std::to_string(deepest) + " levels deep",
                        "nest them less"};
  switch (from.type()) {
    case toml::node_type::boolean:
      out.what = value::kind::boolean;
      out.boolean = from.as_boolean()->get();
      break;
    case toml::node_type::integer:
      out.what = value::kind::integer;
      out.integer = from.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      out.what = value::kind::number;
      out.number = from.as_floating_point()->get();
      break;
    case toml::node_type::string:
      out.what = value::kind::text;
      out.text = from.as_string()->get();
      break;
    case toml::node_type::array:
      out.what = value::kind::list;
      for (const toml::node& item : *from.as_array())
        out.items.push_back(converted(item, depth + 1));
      break;
    case toml::node_type::table: add_members(out, *from.as_table(), depth); break;
    default:
      throw parse_trouble{out.line, "dates and times are not used here", "write a text in quotes"};
  }
  return out;
}

}  // namespace

value parse(std::string_view text) {
  try {
    return converted(toml::parse(text), 0);
  } catch (const toml::parse_error& error) {
    throw parse_trouble{error.source().begin.line, std::string(error.description()), {}};
  }
}

}  // namespace toml_file
