// One request by a template, and its answer.
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

/// A request to be sent. Views live in the arena, in the sample or in the instance.
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

/// Events become output as the section of the template says. An event has one channel: that of
/// its first text that is not empty, in the order answer, reasoning; if it has both, the reasoning
/// becomes an attribute of the record. If the server counts the output only event by event, the
/// sum is its count.
class template_exchange {
 public:
  /// `of`: the section that the request asks for; `whole`: the section for an answer that comes
  /// whole all the same, or nullptr. Both outlive the exchange.
  template_exchange(message sent, const section& of, const section* whole)
      : sent_(std::move(sent)), section_(&of), whole_(whole) {}

  void request(ifb_http_request& out) const;
  std::uint32_t on_head(const ifb_http_head& head);
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error; IFB_E_PROTOCOL for what is no
  /// JSON, or JSON of another form.
  ifb::heard on_message(std::string_view event_name, std::string_view data, ifb::output out);
  /// Without an event that has output, or without the end that the template names, the request
  /// has failed.
  void on_end(ifb::output out);

 private:
  void report(event& seen, reader& from, ifb::output out);
  ifb::heard finish(ifb::output out);
  /// The message `what`, and a question about the file if the answer's Content-Type contradicts
  /// the section's framing.
  [[nodiscard]] std::string wondering(std::string what) const;

  message sent_;
  const section* section_;
  const section* whole_;
  const content_type* stated_ = nullptr;  // the answer's, if it is a known type
  std::string finish_reason_;
  std::size_t known_text_ = 0;  // bytes, of a text that grows
  std::size_t token_events_ = 0;
  std::int64_t counted_ = 0;  // tokens of the events; -1: some did not say
  bool output_known_ = false;
  bool done_ = false;
};

}  // namespace template_backend
