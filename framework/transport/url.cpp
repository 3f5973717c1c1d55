#include "transport/url.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.hpp"
#include "transport/address.hpp"

namespace inferbench::transport {

namespace {

constexpr std::string_view example = "write it as http://HOST:PORT";

bool all(std::string_view text, bool (*good)(unsigned char)) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return good(static_cast<unsigned char>(c)); });
}

bool in_name(unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_'; }

bool in_ipv6(unsigned char c) {
  return std::isalnum(c) != 0 || c == ':' || c == '.' || c == '%' || c == '-' || c == '_';
}

bool printable(unsigned char c) { return c > 0x20 && c != 0x7F; }

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

url parse_unix(std::string_view text, const base::source_position& where) {
  constexpr std::string_view scheme = "unix:";
  const std::string_view rest = text.substr(scheme.size());
  const auto colon = rest.find(":/");
  url out;
  out.host = "localhost";
  out.port = 80;
  out.socket = rest.substr(0, colon);
  if (colon != std::string_view::npos) out.target = rest.substr(colon + 1);
  if (!out.socket.starts_with('/'))
    throw base::error("the URL \"" + std::string(text) + "\" has no absolute path of a socket",
                      "write it as unix:/path/to/socket or unix:/path/to/socket:/prefix", where);
  if (out.socket.size() > max_unix_path)
    throw base::error("the path of the socket " + out.socket + " has " +
                          std::to_string(out.socket.size()) + " bytes, and a socket's may have " +
                          std::to_string(max_unix_path),
                      "make a symbolic link to it with a shorter path", where);
  return out;
}

/// The text that is parsed, in quotes for messages, and its position.
struct url_source {
  std::string quoted;
  const base::source_position& where;

  [[noreturn]] void refuse(const std::string& what, std::string_view remedy) const {
    throw base::error(what, std::string(remedy), where);
  }
};

void require_no_fragment(std::string_view part, const url_source& from) {
  if (part.find('#') != std::string_view::npos)
    from.refuse("the URL " + from.quoted + " has a fragment", "leave out # and what follows");
}

bool is_tls(std::string_view scheme, const url_source& from) {
  if (base::equal_no_case(scheme, "https")) return true;
  if (base::equal_no_case(scheme, "http")) return false;
  from.refuse("the URL " + from.quoted + " has the scheme " + std::string(scheme),
              "use http://, https:// or unix:");
}

/// The parts of an authority. Views of it.
struct host_part {
  std::string_view host;  // without brackets
  std::string_view port;  // with its colon; empty: none
};

host_part parts_with_ipv6(std::string_view authority, const url_source& from) {
  const auto close = authority.find(']');
  if (close == std::string_view::npos)
    from.refuse("the URL " + from.quoted + " has [ without ]",
                "write IPv6 addresses as http://[::1]:8000");
  const host_part out{authority.substr(1, close - 1), authority.substr(close + 1)};
  if (out.host.find(':') == std::string_view::npos || !all(out.host, in_ipv6))
    from.refuse("the URL " + from.quoted + " has no IPv6 address between [ and ]",
                "write IPv6 addresses as http://[::1]:8000");
  if (!out.port.empty() && out.port.front() != ':')
    from.refuse("the URL " + from.quoted + " goes on after ] with something other than a port",
                example);
  return out;
}

host_part parts_with_name(std::string_view authority, const url_source& from) {
  const auto at = authority.find(':');
  if (at != authority.rfind(':'))
    from.refuse("the URL " + from.quoted + " has several colons in its host",
                "put an IPv6 address into brackets: http://[::1]:8000");
  const host_part out{authority.substr(0, at),
                      at == std::string_view::npos ? std::string_view{} : authority.substr(at)};
  if (out.host.empty()) from.refuse("the URL " + from.quoted + " names no host", example);
  if (!all(out.host, in_name))
    from.refuse("the URL " + from.quoted + " has a host with characters that no host name has",
                example);
  return out;
}

std::uint16_t port_number(std::string_view text, const url_source& from) {
  std::uint16_t out = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code != std::errc{} || stop != text.data() + text.size() || out == 0)
    from.refuse("the URL " + from.quoted + " has the port " + std::string(text),
                "use a number from 1 to 65535");
  return out;
}

}  // namespace

std::string url::authority() const {
  return port == (tls ? 443 : 80) ? bracketed(host) : host_and_port();
}

std::string url::host_and_port() const { return bracketed(host) + ":" + std::to_string(port); }

std::string url::text() const {
  if (!socket.empty()) return "unix:" + socket + (target.empty() ? "" : ":") + target;
  return (tls ? "https://" : "http://") + authority() + target;
}

bool url::same_origin(const url& other) const noexcept {
  return tls == other.tls && port == other.port && base::equal_no_case(host, other.host);
}

url parse_url(std::string_view text, const base::source_position& where) {
  const url_source from{'"' + std::string(text) + '"', where};
  if (!all(text, printable))
    from.refuse("the URL holds blanks or control characters", "remove them");
  if (base::equal_no_case(text.substr(0, 5), "unix:")) {
    require_no_fragment(text, from);
    return parse_unix(text, where);
  }

  url out;
  const auto colon = text.find("://");
  if (colon == std::string_view::npos)
    from.refuse("the URL " + from.quoted + " does not begin with http://",
                text.empty() ? std::string(example) : "write http://" + std::string(text));
  out.tls = is_tls(text.substr(0, colon), from);

  std::string_view rest = text.substr(colon + 3);
  const auto end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  require_no_fragment(rest, from);
  if (authority.find('@') != std::string_view::npos)
    from.refuse("the URL holds a user name or password before @",
                "send them as a header: --header Authorization=...");
  const host_part parts = authority.starts_with('[') ? parts_with_ipv6(authority, from)
                                                     : parts_with_name(authority, from);
  out.host = parts.host;
  out.port = out.tls ? 443 : 80;
  if (parts.port.size() > 1) out.port = port_number(parts.port.substr(1), from);
  if (rest.starts_with('?')) out.target = "/";
  out.target += rest;
  return out;
}

}  // namespace inferbench::transport
