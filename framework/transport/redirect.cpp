#include "transport/redirect.hpp"

#include <algorithm>
#include <string>

namespace inferbench::transport {

namespace {

/// Path and query without "." and ".." segments.
std::string without_dot_segments(std::string_view target) {
  const auto query = std::min(target.find('?'), target.size());
  std::string_view path = target.substr(0, query);
  std::string out;
  while (!path.empty()) {
    // Each step takes one segment, with the slash before it.
    const auto end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(end);
    const bool up = segment == "/..";
    if (!up && segment != "/.") {
      out += segment;
      continue;
    }
    if (up) out.resize(std::min(out.rfind('/'), out.size()));
    if (path.empty()) out += '/';
  }
  return out.append(target.substr(query));
}

bool has_scheme(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && text.find_first_of("/?") > colon;
}

}  // namespace

url redirected(const url& base, std::string_view location) {
  location = location.substr(0, location.find('#'));
  if (has_scheme(location) || location.starts_with("//")) {
    std::string whole(location.starts_with("//") ? (base.tls ? "https:" : "http:") : "");
    url out = parse_url(whole += location);
    // Else a server could send requests to local services that trust whoever reaches their socket.
    if (!out.socket.empty())
      throw base::error("the URL \"" + whole + "\" is that of a unix socket");
    if (out.same_origin(base)) out.socket = base.socket;
    out.target = without_dot_segments(out.target);
    return out;
  }
  url out = base;
  const std::string path = base.target.empty() ? "/" : base.target.substr(0, base.target.find('?'));
  if (location.starts_with('/'))
    out.target = location;
  else if (location.empty() || location.starts_with('?'))
    out.target = path + std::string(location);
  else
    out.target = path.substr(0, path.rfind('/') + 1) + std::string(location);
  out.target = without_dot_segments(out.target);
  return out;
}

}  // namespace inferbench::transport
