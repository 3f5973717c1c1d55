#include "escape.hpp"

#include "python.hpp"
#include "rendering.hpp"

namespace jinja {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '\'': out += "&#39;"; break;
      case '"': out += "&#34;"; break;
      default: out.push_back(c);
    }
  }
  return out;
}

value escape(rendering& r, const value& of) {
  if (is_markup(of)) return of;
  return r.text(escaped(str(r, of)), true);
}

bool is_markup(const value& of) noexcept {
  return of.is(kind::text) && of.as<text_object>().markup;
}

}  // namespace jinja
