#include "options/toml.hpp"

#include <algorithm>
#include <vector>

#include <toml++/toml.h>

#include "options/refusal.hpp"

namespace inferbench::options {

namespace {

base::source_position position_of(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<std::uint32_t>(region.begin.line),
          static_cast<std::uint32_t>(region.begin.column)};
}

class converter {
 public:
  converter(const std::string& file, const environment* env) : file_(file), env_(env) {}

  node value(const toml::node& from, int depth = 0) const {
    if (depth > deepest)
      throw usage_error("values are nested more than " + std::to_string(deepest) + " levels deep",
                        {}, position_of(from.source(), file_));
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
                          position_of(from.source(), file_));
    }
    out.where = position_of(from.source(), file_);
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
                        "set it, or write the value in its place", position_of(region, file_));
    node out = node::of(*found);
    out.variable = name;
    return out;
  }

  const std::string& file_;
  const environment* env_;
};

toml::table parse(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& failure) {
    throw usage_error(std::string(failure.description()), {}, position_of(failure.source(), file));
  }
}

}  // namespace

node parse_toml(std::string_view text, const std::string& file, const environment& env) {
  return converter(file, &env).value(parse(text, file));
}

node parse_toml_literal(std::string_view text, const std::string& place) {
  const toml::table table = parse("value = " + std::string(text), place);
  node out = converter(place, nullptr).value(*table.get("value"));
  out.where = {};
  return out;
}

}  // namespace inferbench::options
