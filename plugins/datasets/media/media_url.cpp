#include "media_url.hpp"

#include <algorithm>
#include <charconv>

#include "common/hub/environment.hpp"
#include "common/hub/http.hpp"
#include "common/hub/url.hpp"
#include "unusable.hpp"

namespace row_media {

namespace {

[[noreturn]] void not_fetched(const std::string& url, const std::string& why) {
  throw unusable("cannot fetch " + shown(url) + ": " + why);
}

// Returns whether the size that the server announces is too large. This is checked before the
// transfer.
bool announces_too_much(const hub::http_answer& answer) {
  const std::string text = answer.header("content-length");
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc::result_out_of_range ||
         (error == std::errc{} && size > most_fetched_bytes);
}

// Receives the body of one fetch, within its limits.
class limited_body {
 public:
  limited_body(ifb::host host, const std::string& url)
      : host_(host), url_(&url), end_(host.now() + longest_fetch_ns) {}

  // A server that sends a byte from time to time is not silent.
  void check_time() const {
    if (host_.now() <= end_) return;
    not_fetched(*url_, "it takes longer than " + std::to_string(longest_fetch_ns / 1'000'000'000) +
                           " seconds");
  }
  void take(const hub::http_answer& so_far, std::string_view bytes) {
    check_time();
    // The body of a redirect is not kept, but it may be endless, too.
    passed_ += bytes.size();
    if (announces_too_much(so_far) || passed_ > most_fetched_bytes)
      not_fetched(*url_, "it has more than 64 MiB");
    if (so_far.status == 200) body_ += bytes;
  }
  [[nodiscard]] std::string content() && { return std::move(body_); }

 private:
  ifb::host host_;
  const std::string* url_;
  std::uint64_t end_;
  std::size_t passed_ = 0;
  std::string body_;
};

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 &&
                        digit_of(text[i + 2]) >= 0;
    if (!escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
    i += 2;
  }
  return out;
}

}  // namespace

std::string fetch_media(ifb::host host, const std::string& url) {
  // The token and the offline mode of the hub do not apply to this URL.
  const hub::environment settings = hub::read_environment();
  hub::http_client client(host, settings);
  limited_body body(host, url);
  std::string at = url;
  for (int hop = 0; hop <= most_redirects; ++hop) {
    hub::http_request what;
    what.url = at;
    const hub::http_answer answer = client.fetch(
        what, [&](const auto& so_far, std::string_view bytes) { body.take(so_far, bytes); });
    if (answer.status == 200) return std::move(body).content();
    body.check_time();
    if (answer.status == 0) not_fetched(url, answer.trouble);
    if (!answer.is_redirect()) not_fetched(url, "HTTP " + std::to_string(answer.status));
    const auto next = hub::resolved(at, answer.header("location"));
    if (!next)
      not_fetched(url, "it redirects to \"" + shown(answer.header("location")) +
                           "\", which is not a usable address");
    at = *next;
  }
  not_fetched(url, "it redirects more than " + std::to_string(most_redirects) + " times");
}

bool is_web_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

bool is_file_url(std::string_view text) { return text.starts_with("file://"); }

void refuse_other_scheme(std::string_view text) {
  if (text.starts_with("data:"))
    throw unusable("a data: URL is not taken here; give the path of a file");
  const std::size_t end = text.find("://");
  if (end == text.npos || end == 0) return;
  const std::string_view scheme = text.substr(0, end);
  const auto in_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  };
  if (!std::ranges::all_of(scheme, in_scheme)) return;
  throw unusable("URLs of " + std::string(scheme) +
                 " are not read, only those of http, https and file: " + shown(text));
}

std::string path_of_file_url(std::string_view url) {
  url.remove_prefix(std::string_view("file://").size());
  constexpr std::string_view here = "localhost";
  if (url.starts_with(here) && url.substr(here.size()).starts_with('/'))
    url.remove_prefix(here.size());
  return percent_decoded(url);
}

}  // namespace row_media
