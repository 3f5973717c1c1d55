#include "page_text.hpp"

#include <inferbench/text.hpp>

namespace reporters {

std::string in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string in_html(std::string_view text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(at));
    const char c = text[at];
    if (!good || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += replacement;
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += text.substr(at, length);
    at += length;
  }
  return out;
}

std::string without_passwords(std::string_view text) {
  constexpr std::string_view mark = "://";
  std::string out;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    const std::size_t begin = at + mark.size();
    const std::string_view address = text.substr(begin);
    const std::string_view authority = address.substr(0, address.find_first_of("/?# \t\r\n\"'<>"));
    const std::size_t sign = authority.rfind('@');
    out += text.substr(0, begin);
    if (sign != std::string_view::npos) out += "(cut)";
    text = address.substr(sign == std::string_view::npos ? 0 : sign);
  }
  return out += text;
}

}  // namespace reporters
