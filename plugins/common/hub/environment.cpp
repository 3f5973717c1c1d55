#include "environment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string_view>

namespace hub {

namespace {

constexpr const char* usual_endpoint = "https://huggingface.co";

/// Returns the value of the first variable that is set and not empty; an empty text if there is
/// none.
std::string first(const variables& lookup, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* const value = lookup(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

bool says_yes(const variables& lookup, const char* name) {
  std::string text = first(lookup, {name});
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  constexpr std::array<std::string_view, 4> yes{"1", "ON", "YES", "TRUE"};
  return std::ranges::find(yes, text) != yes.end();
}

std::string stripped(std::string text) {
  const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && space(static_cast<unsigned char>(text.back())))
    text.pop_back();
  const auto begin = std::ranges::find_if_not(text, space);
  text.erase(text.begin(), begin);
  return text;
}

/// Returns the first 4096 bytes of a file without the white space around them; an empty text if the
/// file cannot be read. only_printable() refuses a text of several lines.
std::string token_in(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(4096, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return stripped(std::move(text));
}

/// Returns the token; an empty text if the token contains a control character, a blank or a byte
/// that is not ASCII, because a header field with such a token would be invalid.
std::string only_printable(std::string token) {
  const bool good =
      std::ranges::all_of(token, [](unsigned char c) { return c > 0x20 && c < 0x7F; });
  return good ? token : std::string{};
}

void seconds_from(const variables& lookup, const char* name, std::chrono::milliseconds& into) {
  const std::string text = first(lookup, {name});
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value > 0 && value <= 86'400)
    into = std::chrono::seconds(value);
}

}  // namespace

std::string expand_home(const std::string& path, const variables& lookup) {
  if (path.empty() || path[0] != '~' || (path.size() > 1 && path[1] != '/')) return path;
  const std::string home = first(lookup, {"HOME"});
  return home.empty() ? path : home + path.substr(1);
}

environment read_environment(const variables& lookup) {
  environment out;
  const auto folder = [&](std::initializer_list<const char*> names,
                          const std::filesystem::path& otherwise) {
    const std::string said = first(lookup, names);
    return said.empty() ? otherwise : std::filesystem::path(expand_home(said, lookup));
  };
  const auto caches = folder({"XDG_CACHE_HOME"}, expand_home("~/.cache", lookup));
  const auto home = folder({"HF_HOME"}, caches / "huggingface");
  out.cache = folder({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}, home / "hub");

  out.endpoint = first(lookup, {"HF_ENDPOINT"});
  if (out.endpoint.empty()) out.endpoint = usual_endpoint;
  while (out.endpoint.ends_with('/'))
    out.endpoint.pop_back();

  if (!says_yes(lookup, "HF_HUB_DISABLE_IMPLICIT_TOKEN")) {
    out.token = stripped(first(lookup, {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}));
    if (out.token.empty()) out.token = token_in(folder({"HF_TOKEN_PATH"}, home / "token"));
    out.token = only_printable(std::move(out.token));
  }

  out.offline = says_yes(lookup, "HF_HUB_OFFLINE") || says_yes(lookup, "TRANSFORMERS_OFFLINE");
  out.certificates = first(lookup, {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"});
  seconds_from(lookup, "HF_HUB_ETAG_TIMEOUT", out.connect_timeout);
  seconds_from(lookup, "HF_HUB_DOWNLOAD_TIMEOUT", out.silence_timeout);
  return out;
}

environment read_environment() {
  return read_environment([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace hub
