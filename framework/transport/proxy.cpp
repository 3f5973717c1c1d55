#include "transport/proxy.hpp"

#include <algorithm>

#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "transport/address.hpp"

namespace inferbench::transport {

namespace {

constexpr const char* remedy =
    "correct --proxy or the variables HTTP_PROXY and HTTPS_PROXY, or go without: --proxy none";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high >= 0 ? digit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view without_dots(std::string_view name) {
  while (name.starts_with('.'))
    name.remove_prefix(1);
  while (name.ends_with('.'))
    name.remove_suffix(1);
  return name;
}

/// Removes ":PORT" from the end of `entry` and returns the port; 0 if there is no port.
std::int64_t take_port(std::string_view& entry) {
  const auto colon = entry.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const bool bracketed = entry.starts_with('[');
  // Without brackets, the last colon of an IPv6 address is part of the address.
  if (bracketed ? entry[colon - 1] != ']' : entry.find(':') != colon) return 0;
  const auto port = base::parse_int(entry.substr(colon + 1));
  if (!port || *port <= 0) return 0;
  entry = entry.substr(0, colon);
  return *port;
}

bool names(std::string_view entry, const url& server, const std::optional<ip_number>& number) {
  if (entry == "*") return true;
  const std::int64_t port = take_port(entry);
  if (port != 0 && port != server.port) return false;
  if (entry.starts_with('[') && entry.ends_with(']')) entry = entry.substr(1, entry.size() - 2);
  if (number) {
    const auto slash = entry.find('/');
    const auto net = ip_number::parse(entry.substr(0, slash));
    if (!net) return false;
    if (slash == std::string_view::npos) return number->matches(*net);
    const auto bits = base::parse_int(entry.substr(slash + 1));
    return bits && *bits >= 0 && static_cast<std::size_t>(*bits) <= net->bits() &&
           number->matches(*net, static_cast<std::size_t>(*bits));
  }
  const std::string_view domain = without_dots(entry);
  const std::string_view host = without_dots(server.host);
  if (domain.empty() || host.size() < domain.size()) return false;
  const std::size_t before = host.size() - domain.size();
  return base::equal_no_case(host.substr(before), domain) &&
         (before == 0 || host[before - 1] == '.');
}

}  // namespace

std::string proxy::text() const {
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" +
         std::to_string(port);
}

proxy parse_proxy(std::string_view text) {
  const auto colon = text.find("://");
  if (colon != std::string_view::npos) {
    const std::string_view scheme = text.substr(0, colon);
    if (!base::equal_no_case(scheme, "http"))
      throw base::error("cannot use a proxy with " + std::string(scheme) + "://, only with http://",
                        remedy);
    text.remove_prefix(colon + 3);
  }
  std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  std::string user;
  const auto at = authority.rfind('@');
  if (at != std::string_view::npos) {
    user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  proxy out;
  try {
    const url where = parse_url("http://" + std::string(authority));
    out.host = where.host;
    out.port = where.port;
  } catch (const base::error& e) {
    throw base::error("cannot use the proxy: " + e.message(), remedy);
  }
  if (at != std::string_view::npos) {
    const auto end = user.find(':');
    const std::string name = percent_decoded(std::string_view(user).substr(0, end));
    const std::string password =
        end == std::string::npos ? "" : percent_decoded(std::string_view(user).substr(end + 1));
    out.authorization = "Basic " + ifb::base64(name + ":" + password);
  }
  return out;
}

bool goes_direct(const url& server, std::string_view no_proxy) {
  const auto number = ip_number::parse(server.host);
  while (!no_proxy.empty()) {
    const auto end = std::min(no_proxy.find_first_of(", \t"), no_proxy.size());
    const std::string_view entry = no_proxy.substr(0, end);
    no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
    if (!entry.empty() && names(entry, server, number)) return true;
  }
  return false;
}

std::optional<proxy> proxy_for(const url& server, const proxy_settings& settings) {
  const std::string& given = server.tls ? settings.https : settings.http;
  if (given.empty() || !server.socket.empty() || goes_direct(server, settings.no_proxy))
    return std::nullopt;
  return parse_proxy(given);
}

}  // namespace inferbench::transport
