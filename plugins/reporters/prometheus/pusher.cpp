#include "pusher.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/services.hpp>
#include <inferbench/text.hpp>

namespace reporters {
namespace {

constexpr std::chrono::seconds patience{5};

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
unsigned digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); }

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2])) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

pusher::pusher(ifb::host host, std::string_view url, std::string_view instance) : host_(host) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos ||
      !(url.starts_with("http://") || url.starts_with("https://")))
    throw ifb::failure{IFB_E_CONFIG, "expected the URL of a Pushgateway, http://HOST:9091",
                       "push-url"};
  const auto begin = scheme + 3;
  const auto end = std::min(url.find_first_of("/?#", begin), url.size());
  const std::string_view authority = url.substr(begin, end - begin);
  std::string_view path = url.substr(end);
  if (path.find_first_of("?#") != std::string_view::npos)
    throw ifb::failure{IFB_E_CONFIG, "the URL of a Pushgateway has no query and no fragment",
                       "push-url"};
  while (path.ends_with('/'))
    path.remove_suffix(1);
  const auto at = authority.rfind('@');
  if (at != std::string_view::npos)
    authorization_ = "Basic " + ifb::base64(decoded(authority.substr(0, at)));
  address_ = url.substr(0, begin);
  address_ += at == std::string_view::npos ? authority : authority.substr(at + 1);
  address_ += path;
  if (path.find("/metrics/job/") != std::string_view::npos) return;
  address_ += "/metrics/job/inferbench";
  // The gateway does not accept an empty value in a path.
  if (!instance.empty()) address_ += "/instance/" + ifb::percent_encoded(instance);
}

void pusher::send(std::string_view text) const {
  std::vector<ifb_field> headers{ifb::field("Content-Type", "text/plain; version=0.0.4")};
  if (!authorization_.empty()) headers.push_back(ifb::field("Authorization", authorization_));
  const ifb_bytes body = ifb::bytes(text);
  ifb_http_request wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.method = ifb::str("PUT");
  wanted.target = ifb::str(address_);
  wanted.headers = headers.data();
  wanted.header_count = headers.size();
  wanted.body = &body;
  wanted.body_count = 1;
  const ifb::service::http_answer answer = host_.http().request(wanted, patience);
  if (answer.status / 100 != 2)
    throw ifb::failure{IFB_E_REMOTE, "HTTP " + std::to_string(answer.status) + ": " +
                                         std::string(ifb::cut_utf8(answer.body, 200))};
}

void pusher::push(std::string_view text) noexcept {
  try {
    try {
      send(text);
    } catch (const std::exception& why) {
      if (warned_) return;
      warned_ = true;
      host_.warn("the metrics cannot be pushed to " + address_ + ": " + why.what() +
                 "; the run continues, and later pushes that fail are not reported");
    }
  } catch (...) {
    // Out of memory: not even a warning can be written.
  }
}

}  // namespace reporters
