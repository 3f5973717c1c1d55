// The head of one request: what a proxy wants, what the codec wants over it, what the
// user wants over that, and the request id over all. Names are taken without case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "client/backend.hpp"

namespace inferbench::client {

/// The requests of a run differ in id and length of their body and, as a rule, in nothing
/// else of the head: what they share is put together and checked once. Belongs to one
/// worker; `shared` must outlive it.
class head_writer {
 public:
  explicit head_writer(const backend& shared) : shared_(shared) {}

  /// Replaces `out` by the head of a request to number `server` of the backend's. An
  /// empty `id`: no x-request-id but the user's. False when a part would break the framing
  /// of HTTP/1.1.
  [[nodiscard]] bool write(std::string& out, std::uint32_t server, const ifb_http_request& request,
                           std::string_view id);

 private:
  struct form {
    std::string request;  // what the codec said when it was made
    std::string head;     // up to the value of x-request-id or Content-Length; empty: none yet
  };
  [[nodiscard]] bool make(form& known, const transport::endpoint& server,
                          const ifb_http_request& request, bool with_id);

  const backend& shared_;
  std::vector<form> forms_;  // two for each server: without and with an id
};

}  // namespace inferbench::client
