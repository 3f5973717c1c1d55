#include "url.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include <curl/curl.h>

namespace hub {

namespace {

struct release {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
using address = std::unique_ptr<CURLU, release>;

address parsed(const std::string& url) {
  address out{curl_url()};
  if (out != nullptr && curl_url_set(out.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    out.reset();
  return out;
}

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
  std::string out = text;
  curl_free(text);
  return out;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

std::optional<std::string> resolved(const std::string& base, const std::string& location) {
  const address at = parsed(base);
  if (at == nullptr) return std::nullopt;
  const std::string before = lower(part(at.get(), CURLUPART_SCHEME));
  if (curl_url_set(at.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK) return std::nullopt;
  const std::string after = lower(part(at.get(), CURLUPART_SCHEME));
  if (after != "https" && (after != "http" || before == "https")) return std::nullopt;
  std::string out = part(at.get(), CURLUPART_URL);
  if (out.empty()) return std::nullopt;
  return out;
}

std::string origin_of(const std::string& url) {
  const address at = parsed(url);
  if (at == nullptr) return {};
  return lower(part(at.get(), CURLUPART_SCHEME)) + "://" + lower(part(at.get(), CURLUPART_HOST)) +
         ":" + part(at.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
}

}  // namespace hub
