#include "signature.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>
#include <vector>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <inferbench/text.hpp>

namespace sigv4 {

namespace {

using digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string hex(const digest& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : bytes) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

digest hmac(std::string_view key, std::string_view text) {
  digest out{};
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(text), text.size(),
       out.data(), &length);
  return out;
}
std::string_view view(const digest& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The path of the canonical request. Except for S3, each byte of the path as sent is encoded once
/// more, except for slashes and unreserved characters.
std::string encoded(std::string_view path) {
  return path.empty() ? "/" : ifb::percent_encoded(path, "/");
}

/// The query of the canonical request: the parameters in ascending order, each with its "=".
std::string sorted(std::string_view query) {
  std::vector<std::string> parameters;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    std::string& parameter = parameters.emplace_back(one);
    if (one.find('=') == std::string_view::npos) parameter += '=';
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const std::string& parameter : parameters)
    out += (out.empty() ? "" : "&") + parameter;
  return out;
}

std::string date_of(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> out{};
  return {out.data(), std::strftime(out.data(), out.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

}  // namespace

std::string hex_sha256(std::string_view text) {
  digest out{};
  SHA256(bytes_of(text), text.size(), out.data());
  return hex(out);
}

signed_headers sign(const credentials& who, const request& what, std::int64_t unix_ns) {
  signed_headers out;
  out.date = date_of(unix_ns);
  const std::string_view day = std::string_view(out.date).substr(0, 8);

  const std::pair<std::string_view, std::string_view> headers[] = {
      {"content-type", what.content_type},
      {"host", what.authority},
      {"x-amz-content-sha256", what.body_sha256},
      {"x-amz-date", out.date},
      {"x-amz-security-token", who.session_token}};
  std::string lines;
  std::string names;
  for (const auto& [name, value] : headers) {
    if (value.empty()) continue;
    lines.append(name).append(":").append(value).append("\n");
    names.append(names.empty() ? "" : ";").append(name);
  }
  std::string canonical(what.method);
  canonical.append("\n").append(encoded(what.path)).append("\n").append(sorted(what.query));
  canonical.append("\n").append(lines).append("\n").append(names).append("\n");
  canonical.append(what.body_sha256.empty() ? hex_sha256("") : what.body_sha256);

  std::string scope(day);
  scope.append("/").append(who.region).append("/").append(who.service).append("/aws4_request");
  const std::string text =
      "AWS4-HMAC-SHA256\n" + out.date + "\n" + scope + "\n" + hex_sha256(canonical);
  const digest day_key = hmac("AWS4" + who.secret_access_key, day);
  const digest region_key = hmac(view(day_key), who.region);
  const digest service_key = hmac(view(region_key), who.service);
  const digest key = hmac(view(service_key), "aws4_request");
  out.authorization = "AWS4-HMAC-SHA256 Credential=" + who.access_key_id + "/" + scope +
                      ", SignedHeaders=" + names + ", Signature=" + hex(hmac(view(key), text));
  return out;
}

}  // namespace sigv4
