// One request that is made from a template, and its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>

#include "backends/bodies/body.hpp"
#include "description.hpp"
#include "reader.hpp"

namespace template_backend {

/// A request to be sent. The views point into the arena, the sample or the instance.
struct message {
  std::string_view method;
  std::string_view target;
  std::span<const ifb_field> headers;
  bodies::gather_list body;
};

/// A content type of answers, and its framing.
struct content_type {
  std::string_view name;
  std::uint32_t framing;  // ifb_framing
};

/// Events become output as the section of the template specifies. An event has one channel: the
/// channel of its first text that is not empty, in the order answer, reasoning. If the event has
/// both, the reasoning becomes an attribute of the record. If the server counts the output only in
/// each event, the sum of these counts is reported as its count.
class template_exchange {
 public:
  /// `of` is the section that the request asks for. `whole` is the section for an answer that is
  /// not streamed although a stream was requested, or nullptr. Both outlive the exchange.
  template_exchange(message sent, const section& of, const section* whole)
      : sent_(std::move(sent)), section_(&of), whole_(whole) {}

  void request(ifb_http_request& out) const;
  std::uint32_t on_head(const ifb_http_head& head);
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error; IFB_E_PROTOCOL if the data are not
  /// JSON, or are JSON of a different form.
  ifb::heard on_message(const ifb::http_message& from, ifb::output out);
  /// Fails the request if it had no event with output, or if the end that the template specifies
  /// did not arrive.
  void on_end(ifb::output out);

 private:
  void report(event& seen, reader& from, ifb::output out);
  ifb::heard finish(ifb::output out);
  /// Returns the message `what`. If the answer's Content-Type contradicts the section's framing, a
  /// question about the file is added.
  [[nodiscard]] std::string wondering(std::string what) const;

  message sent_;
  const section* section_;
  const section* whole_;
  const content_type* stated_ = nullptr;  // the answer's type, if it is a known type
  std::string finish_reason_;
  std::size_t known_text_ = 0;  // size in bytes of a text that grows
  std::size_t token_events_ = 0;
  std::int64_t counted_ = 0;  // sum of the tokens of all events; -1 if an event had no count
  bool output_known_ = false;
  bool done_ = false;
};

}  // namespace template_backend
