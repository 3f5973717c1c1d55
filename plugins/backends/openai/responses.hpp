// Backend "openai-responses": POST /v1/responses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/bodies/post.hpp"
#include "backends/openai_family/options.hpp"
#include "backends/openai_family/tool_call_list.hpp"
#include "response_event.hpp"

namespace openai {

/// Accepts two shapes of prompt: text, whose media are ignored, and chat messages that contain one
/// text each. Tools in the overrides of a sample get the layout of responses (response_tools.hpp).
class responses {
 public:
  static constexpr const char* id = "openai-responses";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "OpenAI responses.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_SAMPLING | IFB_CODEC_CHAT;

  struct options : common_options {
    static constexpr auto schema() { return common_schema("\"/v1/responses\""); }
  };

  /// Token events are deltas of text, of reasoning and of a call's arguments, and the event that
  /// opens a call and has its name. TTFT ends with the first of them. An answer with calls of tools
  /// gets the attribute "tool_calls" at its end, as a chat does (tool_call_list.hpp). If a server
  /// sends no deltas of a call's arguments, they are taken from the event that closes the call. The
  /// answer ends with response.completed or response.incomplete, which carry the usage. An
  /// answer without one of these two events has failed.
  class exchange {
   public:
    exchange(bodies::post request, bool streamed)
        : post_(std::move(request)), streamed_(streamed) {}

    void request(ifb_http_request& out) const { post_.request(out); }
    std::uint32_t on_head(const ifb_http_head& head) const {
      return bodies::framing_of(head, streamed_);
    }
    /// Same exceptions as token_exchange::on_message().
    void on_message(const ifb::http_message& message, ifb::output out);
    void on_end(ifb::output out);

   private:
    bodies::post post_;
    std::string finish_reason_;
    void read_call(const response_event& said, ifb::output out);

    std::unique_ptr<tool_call_list> calls_;  // not there if the answer has no tool call
    std::size_t token_events_ = 0;
    bool ended_ = false;
    bool streamed_;
  };

  /// Throws ifb::failure that names the option at fault.
  responses(ifb::host host, const options& chosen);
  [[nodiscard]] exchange open(const ifb_sample& given, ifb::arena memory) const;

 private:
  std::string endpoint_;
  std::string model_;  // the model's name as a JSON string
  bodies::body_layout layout_;
};

}  // namespace openai
