// Writes the head of a request. Its headers in increasing priority are the defaults, the header of
// the proxy, the headers of the codec, backend::headers (the API key and the headers of the user),
// and the request id and the session. A name is sent once, with its last value of the highest
// priority. The case of letters in names is ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "client/backend.hpp"

namespace inferbench::client {

/// Usually the heads of a run differ only in the request id, the session and the body length, so
/// the common part is built and checked once. Belongs to one worker.
class head_writer {
 public:
  explicit head_writer(const backend& shared) : shared_(shared) {}

  /// Writes the head of a request to the backend's server with the index `server` to `out`, and
  /// replaces its contents. If `id` is empty, x-request-id is a header of the codec or the user, or
  /// is missing. `session` is sent as backend::session_header; nothing is sent if one of them is
  /// empty. Returns false if a part would break the framing of HTTP/1.1.
  [[nodiscard]] bool write(std::string& out, std::uint32_t server, const ifb_http_request& request,
                           std::string_view id, std::string_view session = {});

  /// The backend's server with the index `server`, for sign() of a codec; unix_ns is 0. The views
  /// are valid as long as this object and the servers.
  [[nodiscard]] ifb_http_target target(std::uint32_t server);

 private:
  struct form {
    std::string request;  // the text of the request for which this form was made
    std::string head;     // up to the headers of the single request; empty: not made yet
  };
  /// Headers that each request has for itself, so that the common part leaves them out.
  struct own_headers {
    bool id = false;
    bool session = false;
  };
  [[nodiscard]] bool make(form& known, const transport::endpoint& server,
                          const ifb_http_request& request, own_headers own);

  const backend& shared_;
  std::vector<form> forms_;               // four forms for each server: with and without an id,
                                          // with and without a session
  std::vector<std::string> authorities_;  // of each server; used by target() only
};

}  // namespace inferbench::client
