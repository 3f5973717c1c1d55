// AWS Signature Version 4 of one HTTP request, with the signature in the header Authorization. Pure
// functions without I/O; the caller passes the time. Any thread may call them.
//
// Source of the algorithm: "Create a signed AWS API request" in the IAM User Guide.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sigv4 {

struct credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty: long-lived keys
  std::string region;
  std::string service;
};

/// The parts of a request that the signature covers. All views must live until sign() has returned.
struct request {
  std::string_view method;
  std::string_view authority;  // the value of the header Host
  std::string_view path;       // as sent, percent-encoded where necessary; with a leading slash
  std::string_view query;      // as sent, without the question mark
  std::string_view content_type;
  std::string_view body_sha256;  // hex_sha256() of the body
};

/// The headers to send.
struct signed_headers {
  std::string date;           // X-Amz-Date
  std::string authorization;  // Authorization
};

/// The SHA-256 of `text` as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string hex_sha256(std::string_view text);

/// `unix_ns`: nanoseconds since 1970-01-01 UTC. The signed headers are content-type, host,
/// x-amz-content-sha256, x-amz-date and, if there is a session token, x-amz-security-token; a
/// header with an empty value is left out.
[[nodiscard]] signed_headers sign(const credentials& who, const request& what,
                                  std::int64_t unix_ns);

}  // namespace sigv4
