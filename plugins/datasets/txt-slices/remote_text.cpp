#include "remote_text.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>

#include <inferbench/guard.hpp>

#include "common/hub/environment.hpp"
#include "common/hub/http.hpp"
#include "common/hub/url.hpp"
#include "datasets/synthetic/text.hpp"

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;
constexpr int most_redirects = 10;

[[noreturn]] void refuse(ifb_status code, const std::string& what) {
  throw ifb::failure(code, what, "path");
}

[[noreturn]] void too_long(const std::string& url) {
  refuse(IFB_E_DATA, url + " is longer than 64 MiB; fetch it and give the part that is meant");
}

// Returns whether the size that the server announces is too large. This is checked before the
// transfer.
bool announces_too_much(const hub::http_answer& answer) {
  const std::string text = answer.header("content-length");
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc::result_out_of_range || (error == std::errc{} && size > most_bytes);
}

std::string body_of(ifb::host host, std::string url) {
  // The settings of the hub, such as offline mode, do not apply to this URL.
  const hub::environment settings = hub::read_environment();
  hub::http_client client(host, settings);
  for (int hop = 0; hop <= most_redirects; ++hop) {
    std::string body;
    hub::http_request what;
    what.url = url;
    const hub::http_answer answer =
        client.fetch(what, [&](const hub::http_answer& so_far, std::string_view bytes) {
          if (so_far.status != 200) return;
          if (announces_too_much(so_far) || bytes.size() > most_bytes - body.size()) too_long(url);
          body += bytes;
        });
    if (answer.status == 200) return body;
    if (answer.status == 0)
      refuse(IFB_E_IO, "cannot fetch " + url + ": " + answer.trouble +
                           "; check the address, the network and https_proxy, or give a file");
    if (!answer.is_redirect())
      refuse(IFB_E_REMOTE, "cannot fetch " + url + ": HTTP " + std::to_string(answer.status) +
                               "; check the address, or give a file");
    const auto next = hub::resolved(url, answer.header("location"));
    if (!next)
      refuse(IFB_E_REMOTE, url + " redirects to \"" + answer.header("location") +
                               "\", which is not a usable address; give a file");
    url = *next;
  }
  refuse(IFB_E_REMOTE, url + " redirects without end; give a file");
}

}  // namespace

bool is_address(std::string_view path) {
  return path.starts_with("http://") || path.starts_with("https://");
}

std::string fetch_text(ifb::host host, const std::string& url) {
  const std::string all = body_of(host, url);
  if (all.empty()) refuse(IFB_E_DATA, url + " is empty; a text is needed");
  return synthetic::with_newlines(all, [&](std::size_t at) {
    refuse(IFB_E_DATA, url + ", byte " + std::to_string(at + 1) + ": not UTF-8; give a text");
  });
}
