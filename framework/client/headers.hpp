// The head of one request. In increasing priority: headers of the proxy, of the codec and of the
// user, then the request id. Names are compared without case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "client/backend.hpp"

namespace inferbench::client {

/// Usually the requests of a run differ in their head only by id and body length: the common part
/// is built and checked once. Belongs to one worker; `shared` must outlive it.
class head_writer {
 public:
  explicit head_writer(const backend& shared) : shared_(shared) {}

  /// Replaces `out` by the head of a request to the backend's server `server`. If `id` is empty,
  /// only the user's x-request-id is sent, if there is one. False if a part would break the framing
  /// of HTTP/1.1.
  [[nodiscard]] bool write(std::string& out, std::uint32_t server, const ifb_http_request& request,
                           std::string_view id);

 private:
  struct form {
    std::string request;  // the text of the request for which it was made
    std::string head;     // up to the value of x-request-id or Content-Length; empty: not made yet
  };
  [[nodiscard]] bool make(form& known, const transport::endpoint& server,
                          const ifb_http_request& request, bool with_id);

  const backend& shared_;
  std::vector<form> forms_;  // two for each server: without and with an id
};

}  // namespace inferbench::client
