#include "options/to_node.hpp"

#include "base/text.hpp"
#include "base/units.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"

namespace inferbench::options {

node node_of(const option& declared, const option_value& value) {
  node out;
  switch (declared.type) {
    case IFB_INT: out = node::of(value.integer); break;
    case IFB_FLOAT: out = node::of(value.number); break;
    case IFB_BOOL: out = node::of(value.integer != 0); break;
    case IFB_DURATION: out = node::of(base::duration_text(value.integer)); break;
    case IFB_SIZE: out = node::of(base::size_text(value.integer)); break;
    case IFB_JSON: {
      out = parse_json_node(value.text, {});
      node inner;
      if (out.is(node::kind::text) && holds_json(out.text, inner)) out.text = to_json(out);
      break;
    }
    case IFB_STRINGS: {
      const bool table = declared.shape == form::pairs || declared.shape == form::goals;
      out = table ? node::table() : node::list();
      for (const std::string& item : value.list) {
        if (!table) {
          out.items.push_back(declared.shape == form::numbers
                                  ? node::of(base::parse_float(item).value_or(0))
                                  : node::of(item));
          continue;
        }
        const auto at = item.find(declared.shape == form::pairs ? '=' : ':');
        const std::string right = item.substr(at + 1);
        node member;
        if (declared.shape == form::goals) {
          member = node::of(base::parse_float(right).value_or(0));
        } else {
          member = node::of(unescape_variable(right));
          member.variable = variable_in(right);
        }
        out.set(item.substr(0, at), std::move(member));
      }
      break;
    }
    default: out = node::of(value.text); break;
  }
  if (declared.secret) out.variable = value.variable;
  out.where = value.where;
  return out;
}

option_value converted(const option& declared, const option& from, const option_value& value,
                       const environment& env) {
  node given = node_of(from, value);
  given.variable.clear();
  if (from.shape == form::pairs) {
    for (std::size_t i = 0; i < value.list.size(); ++i)
      given.items[i] = node::of(resolve_pair(value.list[i], env, value.where).second);
    if (declared.type == IFB_STRINGS && declared.shape == form::plain) {
      node list = node::list();
      for (std::size_t i = 0; i < given.items.size(); ++i)
        list.items.push_back(node::of(given.names[i] + "=" + given.items[i].text));
      list.where = given.where;
      given = std::move(list);
    }
  }
  if (from.shape == form::numbers && declared.type == IFB_STRINGS) {
    for (std::size_t i = 0; i < value.list.size(); ++i)
      given.items[i] = node::of(value.list[i]);
  } else if (from.type == IFB_STRINGS && declared.type == IFB_STRING) {
    std::string text;
    for (const std::string& item : value.list)
      text += (text.empty() ? "" : ",") + item;
    given = node::of(text);
  }
  return check(declared, given, env);
}

std::pair<std::string, std::string> resolve_pair(std::string_view item, const environment& env,
                                                 const base::source_position& where) {
  const auto at = item.find('=');
  std::string key(item.substr(0, at));
  const std::string_view raw = item.substr(at + 1);
  const std::string_view name = variable_in(raw);
  if (name.empty()) return {std::move(key), unescape_variable(raw)};
  const std::string* value = env.find(name);
  if (value == nullptr)
    throw base::error("the environment variable " + std::string(name) + " is not set",
                      "set it, or write the value in its place", where);
  return {std::move(key), *value};
}

}  // namespace inferbench::options
