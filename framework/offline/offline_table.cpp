#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "offline/offline_line.hpp"
#include "options/refusal.hpp"

namespace inferbench::offline {

namespace {

using options::node;

// A value of a TOML file as the text of a command line.
std::string text_of_value(const node& value) {
  switch (value.type) {
    case node::kind::text:
    case node::kind::big: return value.text;
    case node::kind::real: return base::shortest(value.real);
    default: return options::to_json(value);
  }
}

bool fits(flag_type type, const node& value) {
  switch (type) {
    case flag_type::toggle: return value.is(node::kind::boolean);
    case flag_type::text:
    case flag_type::choice:
      return !value.is(node::kind::boolean) && !value.is(node::kind::null) &&
             !value.is(node::kind::list);
    case flag_type::whole: return value.is(node::kind::integer);
    case flag_type::real: return value.is(node::kind::integer) || value.is(node::kind::real);
    case flag_type::json: return value.is(node::kind::table);
  }
  return false;
}

std::string_view noun_of_type(flag_type type) {
  switch (type) {
    case flag_type::toggle: return "true or false";
    case flag_type::text:
    case flag_type::choice: return "a text";
    case flag_type::whole: return "a whole number";
    case flag_type::real: return "a number";
    case flag_type::json: return "a table";
  }
  return {};
}

void add_engine(engine_options& into, const node& table) {
  if (!table.is(node::kind::table))
    throw options::usage_error(
        "engine must be a table, not " + std::string(options::noun_of(table)), {}, table.where);
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const node& value = table.items[i];
    std::string name = table.names[i];
    std::ranges::replace(name, '_', '-');
    if (value.is(node::kind::boolean)) {
      into.add({(value.boolean ? "" : "no-") + name, {}});
      continue;
    }
    engine_option option{std::move(name), {}};
    if (value.is(node::kind::list))
      for (const node& each : value.items)
        option.values.push_back(text_of_value(each));
    else
      option.values.push_back(text_of_value(value));
    into.add(std::move(option));
  }
}

}  // namespace

offline_line read_offline_table(benchmark which, const node& table) {
  offline_line out;
  out.command = which;
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const node& value = table.items[i];
    if (table.names[i] == "engine") {
      add_engine(out.engine, value);
      continue;
    }
    std::string name = table.names[i];
    std::ranges::replace(name, '_', '-');
    const offline_flag* flag = find_flag(which, name);
    if (flag == nullptr) {
      const std::string hint = nearest_flag(which, name);
      throw options::usage_error(
          "no such key: " + base::one_line(table.names[i]),
          hint.empty() ? "options of the engine belong in the table engine" : hint, value.where);
    }
    // Flags that may be repeated have a list.
    if (flag->repeated && value.is(node::kind::list)) {
      for (const node& each : value.items) {
        if (!each.is(node::kind::text))
          throw options::usage_error(name + " must be a list of texts", {}, each.where);
        out.given.push_back({flag, {}, each.text, each.where});
      }
      continue;
    }
    if (!fits(flag->type, value))
      throw options::usage_error(name + " must be " + std::string(noun_of_type(flag->type)) +
                                     ", not " + std::string(options::noun_of(value)),
                                 {}, value.where);
    out.given.push_back({flag, {}, text_of_value(value), value.where});
  }
  static_cast<void>(out.engine.table());  // refuses names that no engine can have
  return out;
}

}  // namespace inferbench::offline
