// Writes the head of an HTTP/1.1 request as text. The body stays a list of pieces, which
// connection::send() sends together with the head. Stateless, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::transport {

struct http1_request_head {
  std::string_view method;
  std::string_view absolute{};  // for a proxy: endpoint::absolute, written first; may be empty
  std::string_view prefix{};    // path of the base URL, written before target; may be empty
  std::string_view target;      // path and query; if prefix and target are both empty, "/" is
                                // written
  std::string_view host;        // value of Host: url::authority()
  std::span<const ifb_field> headers{};
  std::optional<std::uint64_t> body_bytes{};  // Content-Length; nullopt: there is no Content-Length
};

/// Appends the request line, Host, the headers in order, Content-Length and the empty line to
/// `out`. A Host in `head.headers` replaces the default. Content-Length and Transfer-Encoding in
/// `head.headers` are left out, because this function determines the framing. Returns false and
/// leaves `out` unchanged if a part would break the framing: see valid_target and valid_field.
[[nodiscard]] bool write_request_head(std::string& out, const http1_request_head& head);

/// True if `target` begins with "/" or is "*", and has no blanks or control characters.
[[nodiscard]] bool valid_target(std::string_view target) noexcept;
/// True if the name is an HTTP token and the value has no control characters except tab.
[[nodiscard]] bool valid_field(std::string_view name, std::string_view value) noexcept;

}  // namespace inferbench::transport
