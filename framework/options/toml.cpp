#include "options/toml.hpp"

#include <algorithm>
#include <vector>

#include <toml++/toml.h>

#include "options/refusal.hpp"

namespace inferbench::options {

namespace {

/// A text that is parsed.
struct source {
  const std::string& name;
  std::uint32_t prefix = 0;  // the number of columns of the first line that are not the user's

  [[nodiscard]] base::source_position position_of(const toml::source_region& region) const {
    const auto line = static_cast<std::uint32_t>(region.begin.line);
    const auto column = static_cast<std::uint32_t>(region.begin.column);
    return {name, line, line == 1 ? column - std::min(column, prefix) : column};
  }
};

class converter {
 public:
  converter(const source& from, const environment* env) : source_(from), env_(env) {}

  node value(const toml::node& from, int depth = 0) const {
    if (depth > deepest)
      throw usage_error("values are nested more than " + std::to_string(deepest) + " levels deep",
                        {}, source_.position_of(from.source()));
    node out;
    switch (from.type()) {
      case toml::node_type::boolean: out = node::of(from.as_boolean()->get()); break;
      case toml::node_type::integer: out = node::of(from.as_integer()->get()); break;
      case toml::node_type::floating_point: out = node::of(from.as_floating_point()->get()); break;
      case toml::node_type::string: out = text(from.as_string()->get(), from.source()); break;
      case toml::node_type::array:
        out = node::list();
        for (const toml::node& item : *from.as_array())
          out.items.push_back(value(item, depth + 1));
        break;
      case toml::node_type::table: out = table(*from.as_table(), depth); break;
      default:
        throw usage_error("dates and times are not used here", "write a text",
                          source_.position_of(from.source()));
    }
    out.where = source_.position_of(from.source());
    return out;
  }

 private:
  // toml++ sorts the members by name; sorting them by position restores the order of the file.
  node table(const toml::table& from, int depth) const {
    std::vector<std::pair<const toml::key*, const toml::node*>> members;
    for (const auto& [key, item] : from)
      members.emplace_back(&key, &item);
    std::ranges::sort(members, [](const auto& a, const auto& b) {
      return a.first->source().begin < b.first->source().begin;
    });
    node out = node::table();
    for (const auto& [key, item] : members) {
      node member = value(*item, depth + 1);
      out.set(key->str(), std::move(member));
    }
    return out;
  }

  node text(const std::string& raw, const toml::source_region& region) const {
    if (env_ == nullptr) return node::of(raw);
    const std::string_view name = variable_in(raw);
    if (name.empty()) return node::of(unescape_variable(raw));
    const std::string* found = env_->find(name);
    if (found == nullptr)
      throw usage_error("the environment variable " + std::string(name) + " is not set",
                        "set it, or write the value in its place", source_.position_of(region));
    node out = node::of(*found);
    out.variable = name;
    return out;
  }

  const source& source_;
  const environment* env_;
};

toml::table parse(std::string_view text, const source& from) {
  try {
    return toml::parse(text, from.name);
  } catch (const toml::parse_error& failure) {
    throw usage_error(std::string(failure.description()), {}, from.position_of(failure.source()));
  }
}

}  // namespace

node parse_toml(std::string_view text, const std::string& file, const environment& env) {
  const source from{file};
  return converter(from, &env).value(parse(text, from));
}

node parse_toml_literal(std::string_view text, const std::string& place) {
  constexpr std::string_view prefix = "value = ";
  const source from{place, prefix.size()};
  const toml::table table = parse(std::string(prefix) + std::string(text), from);
  if (table.size() != 1)
    throw usage_error("more than one value", "give one TOML value", {place, 0, 0});
  node out = converter(from, nullptr).value(*table.get("value"));
  out.where = {};
  return out;
}

}  // namespace inferbench::options
