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
  const auto refuse = [&](const std::string& what, std::string_view remedy) {
    throw base::error(what, std::string(remedy), where);
  };
  if (!all(text, printable)) refuse("the URL holds blanks or control characters", "remove them");
  std::string quoted(1, '"');
  quoted += text;
  quoted += '"';
  if (base::equal_no_case(text.substr(0, 5), "unix:")) {
    if (text.find('#') != std::string_view::npos)
      refuse("the URL " + quoted + " has a fragment", "leave out # and what follows");
    return parse_unix(text, where);
  }

  url out;
  const auto colon = text.find("://");
  if (colon == std::string_view::npos)
    refuse("the URL " + quoted + " does not begin with http://",
           text.empty() ? std::string(example) : "write http://" + std::string(text));
  const std::string_view scheme = text.substr(0, colon);
  if (base::equal_no_case(scheme, "https"))
    out.tls = true;
  else if (!base::equal_no_case(scheme, "http"))
    refuse("the URL " + quoted + " has the scheme " + std::string(scheme),
           "use http://, https:// or unix:");

  std::string_view rest = text.substr(colon + 3);
  const auto end = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  if (rest.find('#') != std::string_view::npos)
    refuse("the URL " + quoted + " has a fragment", "leave out # and what follows");
  if (authority.find('@') != std::string_view::npos)
    refuse("the URL holds a user name or password before @",
           "send them as a header: --header Authorization=...");

  std::string_view port;
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos)
      refuse("the URL " + quoted + " has [ without ]", "write IPv6 addresses as http://[::1]:8000");
    out.host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
    if (out.host.find(':') == std::string::npos || !all(out.host, in_ipv6))
      refuse("the URL " + quoted + " has no IPv6 address between [ and ]",
             "write IPv6 addresses as http://[::1]:8000");
    if (!port.empty() && port.front() != ':')
      refuse("the URL " + quoted + " goes on after ] with something other than a port", example);
  } else {
    const auto at = authority.find(':');
    if (at != authority.rfind(':'))
      refuse("the URL " + quoted + " has several colons in its host",
             "put an IPv6 address into brackets: http://[::1]:8000");
    out.host = authority.substr(0, at);
    port = at == std::string_view::npos ? std::string_view{} : authority.substr(at);
    if (out.host.empty()) refuse("the URL " + quoted + " names no host", example);
    if (!all(out.host, in_name))
      refuse("the URL " + quoted + " has a host with characters that no host name has", example);
  }

  out.port = out.tls ? 443 : 80;
  if (port.size() > 1) {
    port.remove_prefix(1);
    const auto [stop, code] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (code != std::errc{} || stop != port.data() + port.size() || out.port == 0)
      refuse("the URL " + quoted + " has the port " + std::string(port),
             "use a number from 1 to 65535");
  }
  if (rest.starts_with('?')) out.target = "/";
  out.target += rest;
  return out;
}

}  // namespace inferbench::transport
