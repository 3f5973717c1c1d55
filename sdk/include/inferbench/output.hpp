// ifb::output: how codecs (backend.hpp) and engines (engine.hpp) report the parts of an answer.
#pragma once

#include <cstdint>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace ifb {

/// Token counts from the server; -1: the server did not send this count.
struct token_counts {
  std::int64_t prompt = -1;
  std::int64_t cached = -1;
  std::int64_t output = -1;
  std::int64_t reasoning = -1;
};

/// Receives the parts of the answer. An exchange may use it only during the call that receives it;
/// engine.hpp has the rules for a call of an engine. The host uses texts and bytes only during the
/// call that passes them.
class output {
 public:
  output(const ifb_events* events, ifb_output* handle) noexcept
      : events_(events), handle_(handle) {}

  /// Reports one stream event that carries output, even if its text is empty. `count` is the number
  /// of tokens in it, 0 if the server did not send the number.
  void token(std::string_view text, std::uint32_t count = 0,
             std::uint32_t channel = IFB_CHANNEL_ANSWER, std::uint32_t choice = 0) const {
    token_at(0, text, count, channel, choice);
  }
  /// Like token(), for an event that happened before it is reported. `at` is its time on the clock
  /// of host::now(); a codec chooses a time between the sending of the request and the arrival of
  /// the message. 0: now, for a codec the arrival of the message.
  void token_at(std::uint64_t at, std::string_view text, std::uint32_t count = 0,
                std::uint32_t channel = IFB_CHANNEL_ANSWER, std::uint32_t choice = 0) const {
    ifb_token event = IFB_TOKEN_INIT;
    event.count = count;
    event.choice = choice;
    event.channel = channel;
    event.text = str(text);
    event.at = at;
    token(event);
  }
  /// Reports one stream event whose output is not text, such as a piece of sound. `mime` is the
  /// media type of `data`, as in ifb_part. `count` is the number of tokens in it, 0 if unknown.
  void media(std::string_view data, const char* mime, std::uint32_t count = 0,
             std::uint32_t channel = IFB_CHANNEL_AUDIO, std::uint32_t choice = 0) const {
    ifb_token event = IFB_TOKEN_INIT;
    event.count = count;
    event.choice = choice;
    event.channel = channel;
    event.data = bytes(data);
    event.mime = mime;
    token(event);
  }
  /// Reports one stream event with all members of ifb_token, which begins as IFB_TOKEN_INIT.
  void token(const ifb_token& event) const { events_->on_token(handle_, &event); }
  /// Reports token counts. A count in a later call replaces the same count of an earlier call.
  void usage(const token_counts& counts) const {
    ifb_usage event = IFB_USAGE_INIT;
    event.prompt_tokens = counts.prompt;
    event.cached_tokens = counts.cached;
    event.output_tokens = counts.output;
    event.reasoning_tokens = counts.reasoning;
    events_->on_usage(handle_, &event);
  }
  /// Adds an attribute to the record of the request.
  void attribute(std::string_view key, std::string_view value) const {
    events_->on_attribute(handle_, str(key), str(value));
  }
  /// Reports that the answer is complete. No other report may follow.
  void done(std::string_view finish_reason = {}) const {
    ifb_done event = IFB_DONE_INIT;
    event.finish_reason = str(finish_reason);
    events_->on_done(handle_, &event);
  }
  /// Reports that the request failed. No other report may follow. Throwing ifb::failure has the
  /// same effect.
  void error(ifb_status code, std::string_view message) const {
    ifb_error event;
    fill(&event, code, message);
    events_->on_error(handle_, &event);
  }

 private:
  const ifb_events* events_;
  ifb_output* handle_;
};

}  // namespace ifb
