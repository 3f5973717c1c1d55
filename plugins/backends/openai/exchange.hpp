// One request for tokens, streamed or whole: what completions and chat have in
// common once the body is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>

#include "body.hpp"
#include "event.hpp"

namespace openai {

enum class protocol : std::uint8_t { completions, chat };

/// Events become output as upstream counts them: every event with a choice is one
/// token event, with or without text; only the first choice of an event is read.
/// Usage is taken wherever it stands. An error in any event fails the request.
///
/// A token event has one channel: that of its first text that is not empty, in the
/// order answer, reasoning, tool call. Where an event has several such texts, the
/// others become attributes "reasoning" and "tool_call" of the record, since a
/// second on_token would be a second time stamp.
class token_exchange {
 public:
  token_exchange(protocol kind, gather body, const std::string& endpoint, bool streamed)
      : body_(std::move(body)), endpoint_(endpoint), kind_(kind), streamed_(streamed) {}

  void request(ifb_http_request& out);
  std::uint32_t on_head(const ifb_http_head& head);
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error as JSON text,
  /// IFB_E_PROTOCOL for what is no JSON object.
  void on_message(std::string_view event_name, std::string_view data, ifb::output out);
  /// Without a token event the request has failed.
  void on_end(ifb::output out);

 private:
  gather body_;
  const std::string& endpoint_;  // of the instance, which outlives its exchanges
  std::string finish_reason_;
  std::size_t token_events_ = 0;
  protocol kind_;
  bool streamed_;
};

/// Writes the body of one request. `model`: the model's name as JSON, for samples
/// without one of their own. Throws ifb::failure: IFB_E_UNSUPPORTED for a prompt
/// that the protocol cannot carry, IFB_E_DATA for overrides that are no object.
[[nodiscard]] token_exchange start(protocol kind, const body_layout& layout, std::string_view model,
                                   const std::string& endpoint, const ifb_sample& sample,
                                   ifb::arena memory);

}  // namespace openai
