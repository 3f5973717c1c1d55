// A request that a codec has filled in, copied, so that it can be compared with another request.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::check {

struct asked_request {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  asked_request() = default;
  /// Reads every byte of the request, so invalid pointers crash here.
  explicit asked_request(const ifb_http_request& from);

  /// Method and target, a line for each header, and the body.
  [[nodiscard]] std::string text() const;
  /// The parts that do not depend on time and chance, as text. A codec that authenticates its
  /// requests (`authorizes`) may put a date, a nonce or a signature into the values of headers and
  /// into the query of the target; these are left out.
  [[nodiscard]] std::string lasting_text(bool authorizes) const;
};

class subject;

/// Reports the parts of a request that HTTP/1.1 cannot carry. `of` is appended to the texts: " for
/// a prompt of shape text".
void judge_request(subject& s, const asked_request& request, const std::string& of);

}  // namespace inferbench::check
