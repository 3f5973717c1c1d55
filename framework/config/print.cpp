#include "config/print.hpp"

#include <algorithm>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view cut = "(cut)";

void write_list(ifb::json_writer& out, const options::option& declared,
                const options::option_value& value) {
  const bool members =
      declared.shape == options::form::pairs || declared.shape == options::form::goals;
  if (members)
    out.begin_object();
  else
    out.begin_array();
  for (const std::string& item : value.list) {
    const auto at = item.find(declared.shape == options::form::pairs ? '=' : ':');
    if (members) out.key(std::string_view(item).substr(0, at));
    const std::string right = members ? item.substr(at + 1) : item;
    if (declared.secret)
      out.string(cut);
    else if (declared.shape == options::form::goals || declared.shape == options::form::numbers)
      out.number(base::parse_float(right).value_or(0));
    else
      out.string(right);
  }
  if (members)
    out.end_object();
  else
    out.end_array();
}

void write_value(ifb::json_writer& out, const options::option& declared,
                 const options::option_value& value) {
  if (declared.type == IFB_STRINGS) return write_list(out, declared, value);
  if (declared.secret) return out.string(cut);
  switch (declared.type) {
    case IFB_INT:
    case IFB_SIZE: out.integer(value.integer); break;
    case IFB_FLOAT: out.number(value.number); break;
    case IFB_BOOL: out.boolean(value.integer != 0); break;
    case IFB_DURATION: out.number(static_cast<double>(value.integer) / 1e9); break;
    case IFB_JSON: out.raw(value.text); break;
    default: out.string(without_password(declared, value.text)); break;
  }
}

void write_keys(ifb::json_writer& out, const resolved_table& table) {
  out.begin_object();
  for (const auto& [declared, value] : table.keys) {
    if (!value.is_set) continue;
    out.key(declared.name);
    write_value(out, declared, value);
  }
  out.end_object();
}

}  // namespace

std::string to_toml(std::span<const resolved_table> tables, places where) {
  std::string out;
  const auto place = [where](const options::option_value& value) {
    return where == places::shown && value.where.known()
               ? "  # " + base::one_line(
                              base::source_position{value.where.file, value.where.line, 0}.text())
               : std::string();
  };
  for (const resolved_table& table : tables) {
    std::string lines;
    for (const auto& [declared, value] : table.keys) {
      if (!value.is_set) continue;
      const std::string key = options::toml_key(declared.name);
      if (declared.secret && declared.shape != options::form::pairs && value.variable.empty())
        lines += "# " + key + " is secret and not printed; write \"${NAME}\" and set NAME\n";
      else
        lines += key + " = " + to_toml(options::node_of(declared, value)) + place(value) + "\n";
    }
    if (lines.empty()) continue;
    const bool several = table.name == "reporter";
    out += (out.empty() ? "" : "\n") + std::string(several ? "[[" : "[") + table.name +
           (several ? "]]\n" : "]\n") + lines;
  }
  return out;
}

std::string to_json(std::span<const resolved_table> tables) {
  ifb::json_writer out;
  bool listing = false;
  out.begin_object();
  for (const resolved_table& table : tables) {
    if (std::ranges::none_of(table.keys, &options::option_value::is_set, &resolved_key::value))
      continue;
    if (table.name != "reporter") {
      out.key(table.name);
    } else if (!listing) {
      out.key(table.name);
      out.begin_array();
      listing = true;
    }
    write_keys(out, table);
  }
  if (listing) out.end_array();
  out.end_object();
  return out.take();
}

std::string to_json(const options::option& declared, const options::option_value& value) {
  ifb::json_writer out;
  write_value(out, declared, value);
  return out.take();
}

}  // namespace inferbench::config
