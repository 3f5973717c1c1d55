#include <algorithm>
#include <cmath>

#include "json.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

class writer {
 public:
  writer(rendering& r, std::string& out, const json_layout& how) : m_(r), out_(out), how_(how) {}

  // NOLINTNEXTLINE(misc-no-recursion): r.walk bounds the depth
  void write(const value& of) {
    switch (of.what()) {
      case kind::none: out_ += "null"; break;
      case kind::boolean: out_ += of.boolean() ? "true" : "false"; break;
      case kind::integer: out_ += std::to_string(of.integer()); break;
      case kind::real: out_ += number(of.number()); break;
      case kind::text: string(of.text()); break;
      case kind::list:
      case kind::tuple: list(of.as<sequence_object>().items); break;
      case kind::dict: dict(of.as<dict_object>()); break;
      default: raise_type("Object of type " + type_name(of) + " is not JSON serializable");
    }
    m_.allow(out_.size());
  }

 private:
  static std::string number(double of) {
    if (std::isnan(of)) return "NaN";
    if (std::isinf(of)) return of < 0 ? "-Infinity" : "Infinity";
    return float_repr(of);
  }

  void escape_unit(char32_t unit) {
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
      out_.push_back("0123456789abcdef"[unit >> static_cast<unsigned>(shift) & 0xfU]);
  }

  void string(std::string_view text) {
    m_.work(text.size());
    out_.push_back('"');
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      const char32_t c = unicode::next(text, at);
      switch (c) {
        case '"': out_ += "\\\""; continue;
        case '\\': out_ += "\\\\"; continue;
        case '\n': out_ += "\\n"; continue;
        case '\r': out_ += "\\r"; continue;
        case '\t': out_ += "\\t"; continue;
        case '\b': out_ += "\\b"; continue;
        case '\f': out_ += "\\f"; continue;
        default: break;
      }
      if (c < 0x20 || (how_.ascii && c >= 0x7f && c < 0x10000)) {
        escape_unit(c);
      } else if (how_.ascii && c >= 0x10000) {
        escape_unit(0xd800 + (c - 0x10000) / 0x400);
        escape_unit(0xdc00 + (c - 0x10000) % 0x400);
      } else {
        out_ += text.substr(begin, at - begin);
      }
    }
    out_.push_back('"');
  }

  void line() {
    if (!how_.indent) return;
    out_.push_back('\n');
    for (std::size_t i = 0; i < depth_; ++i) {
      out_ += *how_.indent;
      m_.allow(out_.size());
    }
  }

  template <typename Items, typename Write>
  void items(char open, char close, const Items& all, const Write& one) {
    out_.push_back(open);
    if (!all.empty()) {
      ++depth_;
      bool first = true;
      for (const auto& item : all) {
        if (!std::exchange(first, false)) out_ += how_.between_items;
        line();
        one(item);
      }
      --depth_;
      line();
    }
    out_.push_back(close);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  void list(const values& all) {
    items('[', ']', all, [&](const value& item) { write(item); });
  }

  void key(const value& of) {
    switch (of.what()) {
      case kind::text: string(of.text()); break;
      case kind::real: string(number(of.number())); break;
      case kind::boolean: string(of.boolean() ? "true" : "false"); break;
      case kind::none: string("null"); break;
      case kind::integer: string(std::to_string(of.integer())); break;
      default: raise_type("keys must be str, int, float, bool or None, not " + type_name(of));
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  void dict(const dict_object& of) {
    std::vector<const std::pair<value, value>*> all;
    all.reserve(of.items.size());
    for (const auto& item : of.items)
      all.push_back(&item);
    if (how_.sorted)
      std::ranges::stable_sort(
          all, [&](const auto* a, const auto* b) { return less(m_, a->first, b->first); });
    items('{', '}', all, [&](const auto* item) {
      key(item->first);
      out_ += how_.after_key;
      write(item->second);
    });
  }

  rendering& m_;
  std::string& out_;
  const json_layout& how_;
  std::size_t depth_ = 0;
};

}  // namespace

void write_json(rendering& r, std::string& out, const value& of, const json_layout& how) {
  r.walk(of);
  writer(r, out, how).write(of);
}

}  // namespace jinja
