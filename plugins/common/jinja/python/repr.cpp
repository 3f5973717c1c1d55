#include <inferbench/json_writer.hpp>

#include "call.hpp"
#include "python.hpp"
#include "rendering.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

void append_hex(std::string& out, char32_t c, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out.push_back("0123456789abcdef"[c >> static_cast<unsigned>(shift) & 0xfU]);
}

void append_quoted(std::string& out, std::string_view text) {
  const bool doubled =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = doubled ? '"' : '\'';
  out.push_back(quote);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = unicode::next(text, at);
    if (c == '\\' || c == static_cast<unsigned char>(quote)) {
      out.push_back('\\');
      out.push_back(static_cast<char>(c));
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (unicode::printable(c)) {
      out += text.substr(begin, at - begin);
    } else if (c <= 0xff) {
      out += "\\x";
      append_hex(out, c, 2);
    } else if (c <= 0xffff) {
      out += "\\u";
      append_hex(out, c, 4);
    } else {
      out += "\\U";
      append_hex(out, c, 8);
    }
  }
  out.push_back(quote);
}

template <typename Items, typename Append>
void append_joined(rendering& r, std::string& out, const Items& items, const Append& append) {
  bool first = true;
  for (const auto& item : items) {
    if (!std::exchange(first, false)) out += ", ";
    append(item);
    r.allow(out.size());
  }
}

void append_pair(rendering& r, std::string& out, const std::pair<value, value>& item,
                 std::string_view between) {
  append_repr(r, out, item.first);
  out += between;
  append_repr(r, out, item.second);
}

void append_pairs(rendering& r, std::string& out,
                  const std::vector<std::pair<value, value>>& items) {
  out.push_back('{');
  append_joined(r, out, items, [&](const auto& item) { append_pair(r, out, item, ": "); });
  out.push_back('}');
}

void append_view(rendering& r, std::string& out, const view_object& of) {
  out += of.of == view_object::part::keys       ? "dict_keys(["
         : of.of == view_object::part::contents ? "dict_values(["
                                                : "dict_items([";
  append_joined(r, out, of.dict.as<dict_object>().items, [&](const auto& item) {
    if (of.of == view_object::part::items) {
      out.push_back('(');
      append_pair(r, out, item, ", ");
      out.push_back(')');
    } else {
      append_repr(r, out, of.of == view_object::part::keys ? item.first : item.second);
    }
  });
  out += "])";
}

void append_range(std::string& out, const range_object& of) {
  out += "range(" + std::to_string(of.start) + ", " + std::to_string(of.stop);
  if (of.step != 1) out += ", " + std::to_string(of.step);
  out.push_back(')');
}

// Python shows the address of the object, which differs from run to run. Zeros make the output
// reproducible.
constexpr const char* somewhere = " at 0x000000000000>";

void append_object(rendering& r, std::string& out, const value& of) {
  switch (of.what()) {
    case kind::undefined: out += "Undefined"; break;
    case kind::view: append_view(r, out, of.as<view_object>()); break;
    case kind::range: append_range(out, of.as<range_object>()); break;
    case kind::iterator: {
      const auto& it = of.as<iterator_object>();
      out += std::string("<") + it.type_name + " object";
      if (*it.function_name != '\0') out += std::string(" ") + it.function_name;
      out += somewhere;
      break;
    }
    case kind::native: {
      const auto& called = of.as<native_object>();
      const signature& is = *called.what_is_called;
      if (is.class_name != nullptr)
        out += std::string("<class '") + is.class_name + "'>";
      else if (called.self.missing())
        out += std::string("<function ") + is.name + somewhere;
      else
        out += std::string("<built-in method ") + is.name + " of " + type_name(called.self) +
               " object" + somewhere;
      break;
    }
    case kind::macro:
      out += "<Macro ";
      out += of.as<macro_object>().called.is_none() ? "anonymous"
                                                    : quoted(of.as<macro_object>().called.text());
      out.push_back('>');
      break;
    case kind::name_space:
      r.stack.check();
      out += "<Namespace ";
      append_pairs(r, out, of.as<name_space_object>().members);
      out.push_back('>');
      break;
    case kind::loop: {
      auto& loop = of.as<loop_object>();
      out += "<LoopContext " + std::to_string(loop.index0 + 1) + "/" +
             std::to_string(loop.length(r)) + ">";
      break;
    }
    case kind::cycler: out += std::string("<jinja2.utils.Cycler object") + somewhere; break;
    case kind::joiner: out += std::string("<jinja2.utils.Joiner object") + somewhere; break;
    default: break;
  }
}

}  // namespace

std::string type_name(const value& of) {
  switch (of.what()) {
    case kind::missing: return "missing";
    case kind::none: return "NoneType";
    case kind::boolean: return "bool";
    case kind::integer: return "int";
    case kind::real: return "float";
    case kind::undefined: return "Undefined";
    case kind::text: return of.as<text_object>().markup ? "Markup" : "str";
    case kind::list: return "list";
    case kind::tuple: return "tuple";
    case kind::dict: return "dict";
    case kind::view:
      switch (of.as<view_object>().of) {
        case view_object::part::keys: return "dict_keys";
        case view_object::part::contents: return "dict_values";
        case view_object::part::items: return "dict_items";
      }
      return "dict_items";
    case kind::range: return "range";
    case kind::iterator: return of.as<iterator_object>().type_name;
    case kind::native:
      if (of.as<native_object>().what_is_called->class_name != nullptr) return "type";
      return of.as<native_object>().self.missing() ? "function" : "builtin_function_or_method";
    case kind::macro: return "Macro";
    case kind::name_space: return "Namespace";
    case kind::loop: return "LoopContext";
    case kind::cycler: return "Cycler";
    case kind::joiner: return "Joiner";
    case kind::frame: return "frame";
  }
  return {};
}

std::string object_type_name(const value& of) {
  switch (of.what()) {
    case kind::none: return "None";
    case kind::undefined:
    case kind::macro:
    case kind::loop: return "jinja2.runtime." + type_name(of) + " object";
    case kind::name_space:
    case kind::cycler:
    case kind::joiner: return "jinja2.utils." + type_name(of) + " object";
    case kind::text: return of.as<text_object>().markup ? "markupsafe.Markup object" : "str object";
    default: return type_name(of) + " object";
  }
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string float_repr(double number) {
  std::string out;
  ifb::append_python_float(out, number);
  return out;
}

void append_repr(rendering& r, std::string& out, const value& of) {
  switch (of.what()) {
    case kind::missing: break;
    case kind::none: out += "None"; break;
    case kind::boolean: out += of.boolean() ? "True" : "False"; break;
    case kind::integer: out += std::to_string(of.integer()); break;
    case kind::real: out += float_repr(of.number()); break;
    case kind::text:
      r.work(of.text().size());
      if (of.as<text_object>().markup) out += "Markup(";
      append_quoted(out, of.text());
      if (of.as<text_object>().markup) out.push_back(')');
      break;
    case kind::list:
      r.walk(of);
      out.push_back('[');
      append_joined(r, out, of.as<sequence_object>().items,
                    [&](const value& item) { append_repr(r, out, item); });
      out.push_back(']');
      break;
    case kind::tuple:
      r.walk(of);
      out.push_back('(');
      append_joined(r, out, of.as<sequence_object>().items,
                    [&](const value& item) { append_repr(r, out, item); });
      out += of.as<sequence_object>().items.size() == 1 ? ",)" : ")";
      break;
    case kind::dict:
      r.walk(of);
      append_pairs(r, out, of.as<dict_object>().items);
      break;
    default: append_object(r, out, of);
  }
  r.allow(out.size());
}

void append_str(rendering& r, std::string& out, const value& of) {
  if (of.is(kind::text)) {
    out += of.text();
    r.work(of.text().size());
    r.allow(out.size());
  } else if (!of.is(kind::undefined)) {
    append_repr(r, out, of);
  } else if (r.limits.strict) {
    raise_undefined(of);
  }
}

std::string repr(rendering& r, const value& of) {
  std::string out;
  append_repr(r, out, of);
  return out;
}

std::string str(rendering& r, const value& of) {
  std::string out;
  append_str(r, out, of);
  return out;
}

}  // namespace jinja
