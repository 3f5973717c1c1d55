#include "options/node.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.hpp"
#include "base/text.hpp"

namespace inferbench::options {

namespace {

node from_json(const base::json_value& value, const std::string& place, int depth = 0) {
  if (depth > deepest)
    throw base::error("JSON is nested more than " + std::to_string(deepest) + " levels deep",
                      "make it flatter", {place, 0, 0});
  node out;
  switch (value.GetType()) {
    case rapidjson::kNullType: break;
    case rapidjson::kFalseType: out = node::of(false); break;
    case rapidjson::kTrueType: out = node::of(true); break;
    case rapidjson::kStringType:
      out = node::of(std::string(value.GetString(), value.GetStringLength()));
      break;
    case rapidjson::kNumberType:
      if (value.IsInt64()) {
        out = node::of(value.GetInt64());
      } else if (value.IsUint64()) {
        out.type = node::kind::big;
        out.text = std::to_string(value.GetUint64());
      } else {
        out = node::of(value.GetDouble());
      }
      break;
    case rapidjson::kArrayType:
      out = node::list();
      for (const auto& item : value.GetArray())
        out.items.push_back(from_json(item, place, depth + 1));
      break;
    case rapidjson::kObjectType:
      out = node::table();
      for (const auto& member : value.GetObject())
        out.set({member.name.GetString(), member.name.GetStringLength()},
                from_json(member.value, place, depth + 1));
      break;
  }
  out.where.file = place;
  return out;
}

void write_json(ifb::json_writer& out, const node& value, non_finite then) {
  switch (value.type) {
    case node::kind::null: out.null(); return;
    case node::kind::boolean: out.boolean(value.boolean); return;
    case node::kind::integer: out.integer(value.integer); return;
    case node::kind::real:
      if (then == non_finite::refused && !std::isfinite(value.real))
        throw base::error("JSON has no " + base::shortest(value.real),
                          "write a finite number or a text", value.where);
      out.number(value.real);
      return;
    case node::kind::big: out.raw(value.text); return;
    case node::kind::text: out.string(value.text); return;
    case node::kind::list:
      out.begin_array();
      for (const node& item : value.items)
        write_json(out, item, then);
      out.end_array();
      return;
    case node::kind::table:
      out.begin_object();
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        out.key(value.names[i]);
        write_json(out, value.items[i], then);
      }
      out.end_object();
      return;
  }
}

bool sayable(const node& value) {
  if (value.is(node::kind::null) || value.is(node::kind::big)) return false;
  return std::ranges::all_of(value.items, sayable);
}

void write_toml(std::string& out, const node& value) {
  const char* separator = "";
  switch (value.type) {
    case node::kind::boolean: out += value.boolean ? "true" : "false"; return;
    case node::kind::integer: out += std::to_string(value.integer); return;
    case node::kind::real: out += base::shortest(value.real); return;
    case node::kind::text:
      out += value.variable.empty() ? toml_text(escape_variable(value.text))
                                    : "\"${" + value.variable + "}\"";
      return;
    case node::kind::list:
      out += '[';
      for (const node& item : value.items) {
        out += std::exchange(separator, ", ");
        write_toml(out, item);
      }
      out += ']';
      return;
    case node::kind::table:
      out += "{";
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        out += *separator == '\0' ? " " : separator;
        separator = ", ";
        out += toml_key(value.names[i]) + " = ";
        write_toml(out, value.items[i]);
      }
      out += value.items.empty() ? "}" : " }";
      return;
    case node::kind::null:
    case node::kind::big: return;
  }
}

// The number of dollar signs if `text` consists of dollar signs followed by "{NAME}"; otherwise 0.
std::size_t dollars(std::string_view text) noexcept {
  const auto count = text.find_first_not_of('$');
  if (count == 0 || count == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(count);
  if (rest.size() < 3 || rest.front() != '{' || rest.back() != '}') return 0;
  const std::string_view name = rest.substr(1, rest.size() - 2);
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!letter(name[0])) return 0;
  return std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); }) ? count : 0;
}

}  // namespace

node node::of(bool value) {
  node out;
  out.type = kind::boolean;
  out.boolean = value;
  return out;
}
node node::of(std::int64_t value) {
  node out;
  out.type = kind::integer;
  out.integer = value;
  return out;
}
node node::of(double value) {
  node out;
  out.type = kind::real;
  out.real = value;
  return out;
}
node node::of(std::string value) {
  node out;
  out.type = kind::text;
  out.text = std::move(value);
  return out;
}
node node::list() {
  node out;
  out.type = kind::list;
  return out;
}
node node::table() {
  node out;
  out.type = kind::table;
  return out;
}

const node* node::find(std::string_view name) const {
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? nullptr : &items[static_cast<std::size_t>(at - names.begin())];
}

node* node::find(std::string_view name) {
  return const_cast<node*>(std::as_const(*this).find(name));
}

node& node::set(std::string_view name, node value) {
  if (node* old = find(name)) return *old = std::move(value);
  names.emplace_back(name);
  items.push_back(std::move(value));
  return items.back();
}

std::string_view noun_of(const node& value) {
  switch (value.type) {
    case node::kind::null: return "null";
    case node::kind::boolean: return value.boolean ? "true" : "false";
    case node::kind::integer:
    case node::kind::big: return "a whole number";
    case node::kind::real: return "a number";
    case node::kind::text: return "a text";
    case node::kind::list: return "a list";
    case node::kind::table: return "a table";
  }
  return "a value";
}

void merge(node& below, node above) {
  if (below.is(node::kind::table) && above.is(node::kind::table)) {
    for (std::size_t i = 0; i < above.items.size(); ++i) {
      if (node* old = below.find(above.names[i]))
        merge(*old, std::move(above.items[i]));
      else
        below.set(above.names[i], std::move(above.items[i]));
    }
  } else if (below.is(node::kind::list) && above.is(node::kind::list)) {
    std::ranges::move(above.items, std::back_inserter(below.items));
  } else {
    below = std::move(above);
  }
}

void lay_over(node& below, node above) {
  if (!below.is(node::kind::table) || !above.is(node::kind::table)) {
    below = std::move(above);
    return;
  }
  for (std::size_t i = 0; i < above.items.size(); ++i) {
    if (node* old = below.find(above.names[i]))
      lay_over(*old, std::move(above.items[i]));
    else
      below.set(above.names[i], std::move(above.items[i]));
  }
}

node parse_json_node(std::string_view text, const std::string& place) {
  return from_json(base::parse_json(text, place), place);
}

std::string to_json(const node& value, non_finite then) {
  ifb::json_writer out;
  write_json(out, value, then);
  return out.take();
}

std::string to_toml(const node& value) {
  if (!sayable(value)) return toml_text(to_json(value));
  std::string out;
  write_toml(out, value);
  return out;
}

std::string toml_text(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : base::valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte < 0x20 || byte == 0x7F) {
          out += "\\u00";
          out += hex[byte >> 4U];
          out += hex[byte & 15U];
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string toml_key(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? std::string(name) : toml_text(name);
}

std::string_view variable_in(std::string_view text) noexcept {
  return dollars(text) == 1 ? text.substr(2, text.size() - 3) : std::string_view{};
}

std::string escape_variable(std::string_view text) {
  return dollars(text) > 0 ? "$" + std::string(text) : std::string(text);
}

std::string unescape_variable(std::string_view text) {
  return std::string(dollars(text) > 1 ? text.substr(1) : text);
}

}  // namespace inferbench::options
