#include "transport/http1_request_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/http_token.hpp"
#include "base/text.hpp"
#include "transport/http1_grammar.hpp"

namespace inferbench::transport {

namespace {

std::string_view text_of(const ifb_str& s) noexcept {
  return s.size == 0 ? std::string_view{} : std::string_view{s.data, s.size};
}

bool visible(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7F;
  });
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

}  // namespace

bool valid_target(std::string_view target) noexcept {
  return !target.empty() && (target.front() == '/' || target == "*") && visible(target);
}

bool valid_field(std::string_view name, std::string_view value) noexcept {
  return base::is_token(name) && valid_value(value);
}

bool write_request_head(std::string& out, const http1_request_head& head) {
  const std::string_view first = head.prefix.empty() ? head.target : head.prefix;
  if (!base::is_token(head.method) || !(first.empty() || valid_target(first)) ||
      !visible(head.target) || !visible(head.host) || !visible(head.absolute))
    return false;
  bool own_host = true;
  for (const ifb_field& field : head.headers) {
    if (!valid_field(text_of(field.name), text_of(field.value))) return false;
    if (base::equal_no_case(text_of(field.name), "host")) own_host = false;
  }

  out += head.method;
  out += ' ';
  out += head.absolute;
  if (first.empty())
    out += '/';
  else
    out.append(head.prefix).append(head.target);
  out += " HTTP/1.1\r\n";
  if (own_host) append_field(out, "Host", head.host);
  for (const ifb_field& field : head.headers) {
    const std::string_view name = text_of(field.name);
    if (base::equal_no_case(name, "content-length") ||
        base::equal_no_case(name, "transfer-encoding"))
      continue;
    append_field(out, name, text_of(field.value));
  }
  if (head.body_bytes) {
    std::array<char, 24> digits{};
    const auto [end, code] =
        std::to_chars(digits.data(), digits.data() + digits.size(), *head.body_bytes);
    append_field(out, "Content-Length",
                 {digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  out += "\r\n";
  return true;
}

}  // namespace inferbench::transport
