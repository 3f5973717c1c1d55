#include "check/asked_request.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <inferbench/text.hpp>

#include "base/http_token.hpp"
#include "check/subject.hpp"

namespace inferbench::check {

asked_request::asked_request(const ifb_http_request& from)
    : method(ifb::view(from.method)), target(ifb::view(from.target)) {
  for (const ifb_field& field : std::span(from.headers, from.header_count))
    headers.emplace_back(ifb::view(field.name), ifb::view(field.value));
  for (const ifb_bytes& piece : std::span(from.body, from.body_count))
    body += ifb::view(piece);
}

std::string asked_request::text() const {
  std::string out = method + " " + target + "\n";
  for (const auto& [name, value] : headers)
    out.append(name).append(": ").append(value).append("\n");
  return out + "\n" + body;
}

std::string asked_request::lasting_text(bool authorizes) const {
  if (!authorizes) return text();
  asked_request lasting = *this;
  lasting.target.resize(std::min(lasting.target.size(), lasting.target.find('?')));
  for (auto& [name, value] : lasting.headers)
    value = "(left out)";
  return lasting.text();
}

void judge_request(subject& s, const asked_request& request, const std::string& of) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; };
  const auto line_end = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
  if (!base::is_token(request.method))
    s.fail("the method of the request cannot be sent" + of + ": \"" + request.method + "\"",
           "fill in method with a word such as POST");
  if (std::ranges::any_of(request.target, blank))
    s.fail("the target of the request cannot be sent" + of + ": \"" + request.target + "\"",
           "fill in target with a path that has no blanks");
  else if (!request.target.empty() && !request.target.starts_with('/'))
    s.fail("the target of the request does not begin with /" + of + ": " + request.target,
           "fill in target with the path below the base URL");
  for (const auto& [name, value] : request.headers)
    if (!base::is_token(name) || std::ranges::any_of(value, line_end))
      s.fail(fmt::format("a header field cannot be sent{}: {}: {}", of, name, value),
             "use the characters that RFC 9110 allows, and no line ends");
}

}  // namespace inferbench::check
