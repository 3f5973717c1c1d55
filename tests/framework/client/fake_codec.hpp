// A codec for tests; the text of each message decides what it reports.
//   message "error"    on_message fails with IFB_E_REMOTE "the model said no"
//   message "odd"      on_message returns the status `odd`
//   message "end"      IFB_END
//   message "usage"    on_usage(prompt 3, output 5)
//   message "role"     a token event without text
//   message "think"    a token on the reasoning channel
//   message "many"     on_usage(output INT64_MAX)
//   message "future"   a token with a time of its own, after now
//   message "sound"    a token with data instead of text, on the audio channel
//   message "done"     on_done("early")
//   anything else      a token with that text
// At the end: on_done("stop") if there was a token, otherwise on_error.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "plugin/instance.hpp"

namespace inferbench::client::testing {

struct fake_codec {
  // Set by a test.
  ifb_status open_status = IFB_OK;
  ifb_status request_status = IFB_OK;
  ifb_status head_status = IFB_OK;
  ifb_status end_status = IFB_OK;  // if it is not IFB_OK, on_end returns it after its report
  ifb_status odd = 4242;           // the result of on_message for "odd"
  bool makes_nothing = false;      // open succeeds and sets no exchange
  std::string refused_id;          // open fails for the sample with this id
  std::uint32_t framing = IFB_FRAMING_AUTO;
  int legs = 1;         // number of requests of one exchange
  bool silent = false;  // on_end reports nothing
  std::vector<ifb_field> headers;
  std::string target = "/v1/x";
  std::uint64_t not_before = 0;  // of each request
  /// Called by request(), on its thread, with the number of the leg, from 1.
  std::function<void(int)> requesting;
  /// Called by open(), on its thread, before anything else.
  std::function<void(const ifb_sample&)> opening;
  /// Called by on_head(), on its thread.
  std::function<void()> reading_head;
  /// Called by on_message(), on its thread, with the number of messages so far, from 1.
  std::function<void(std::size_t)> reading;
  /// Called by close(), on its thread, with the number of closed exchanges, from 1. The request has
  /// its result already.
  std::function<void(int)> closing;
  /// If it is set before shared(), the codec signs with this function.
  std::function<ifb_status(const ifb_http_target&, ifb_http_request&, ifb_error*)> signer;

  // Read by a test.
  std::vector<std::string> messages;
  std::vector<std::uint64_t> arrivals;  // of the messages
  std::vector<std::string> endings;     // for each on_end: "early", or "" and "Name=value|..." of
                                        // the trailers
  std::atomic<int> asked = 0;           // calls to open an exchange; readable on any thread
  std::atomic<int> opened = 0;
  std::atomic<int> closed = 0;

  struct state {  // the state of one exchange
    fake_codec& home;
    int tokens = 0;
    int leg = 0;
  };

  static fake_codec& of(ifb_instance* p) { return *reinterpret_cast<fake_codec*>(p); }
  static state& of(ifb_exchange* p) { return *reinterpret_cast<state*>(p); }
  static ifb_str str(const char* text) { return {text, std::strlen(text)}; }
  static ifb_status fail(ifb_error* error, ifb_status code, const char* text) {
    error->code = code;
    std::strncpy(error->message, text, sizeof error->message - 1);
    return code;
  }

  static ifb_status open(ifb_instance* self, const ifb_sample* sample, ifb_arena*,
                         ifb_exchange** out, ifb_error* error) {
    fake_codec& me = of(self);
    if (me.opening) me.opening(*sample);
    ++me.asked;
    if (me.open_status != IFB_OK) return fail(error, me.open_status, "this prompt has no shape");
    if (!me.refused_id.empty() && plugin::view(sample->id) == me.refused_id)
      return fail(error, IFB_E_UNSUPPORTED, "this prompt has no shape");
    if (me.makes_nothing) return IFB_OK;
    ++me.opened;
    *out = reinterpret_cast<ifb_exchange*>(new state{me});
    return IFB_OK;
  }
  static ifb_status request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) {
    ++of(self).leg;
    fake_codec& me = of(self).home;
    if (me.requesting) me.requesting(of(self).leg);
    if (me.request_status != IFB_OK) return fail(error, me.request_status, "no second thought");
    out->not_before_ns = me.not_before;
    out->method = str("POST");
    out->target = {me.target.data(), me.target.size()};
    out->headers = me.headers.data();
    out->header_count = me.headers.size();
    static const ifb_bytes body[] = {{"{\"a\":", 5}, {"1}", 2}};
    out->body = body;
    out->body_count = 2;
    return IFB_OK;
  }
  static ifb_status on_head(ifb_exchange* self, const ifb_http_head*, std::uint32_t* framing,
                            ifb_error*) {
    fake_codec& me = of(self).home;
    if (me.reading_head) me.reading_head();
    *framing = me.framing;
    return me.head_status;
  }
  static ifb_status on_message(ifb_exchange* self, const ifb_http_message* message,
                               const ifb_events* events, ifb_output* output, ifb_error* error) {
    fake_codec& me = of(self).home;
    const std::string text(plugin::view(message->data));
    me.messages.push_back(text);
    me.arrivals.push_back(message->at);
    if (me.reading) me.reading(me.messages.size());
    if (text == "odd") return me.odd;
    if (text == "error") return fail(error, IFB_E_REMOTE, "the model said no");
    if (text == "end") return IFB_END;
    if (text == "usage") {
      const ifb_usage usage{sizeof usage, 0, 3, -1, 5, -1};
      events->on_usage(output, &usage);
      return IFB_OK;
    }
    if (text == "many") {
      const ifb_usage usage{sizeof usage, 0, -1, -1, INT64_MAX, -1};
      events->on_usage(output, &usage);
      return IFB_OK;
    }
    if (text == "done") {
      const ifb_done done{sizeof done, 0, str("early")};
      events->on_done(output, &done);
      return IFB_OK;
    }
    ifb_token token = IFB_TOKEN_INIT;
    if (text == "future") token.at = UINT64_MAX / 2;
    if (text == "sound") {
      token.channel = IFB_CHANNEL_AUDIO;
      token.data = {text.data(), text.size()};
      token.mime = "audio/wav";
    } else if (text != "role")
      token.text = {text.data(), text.size()};
    if (text == "think") token.channel = IFB_CHANNEL_REASONING;
    events->on_token(output, &token);
    ++of(self).tokens;
    return IFB_OK;
  }
  static ifb_status on_end(ifb_exchange* self, const ifb_http_end* end, const ifb_events* events,
                           ifb_output* output, ifb_error* error) {
    const state& me = of(self);
    std::string ending = (end->flags & IFB_HTTP_END_EARLY) != 0 ? "early" : "";
    for (std::size_t i = 0; i < end->trailer_count; ++i)
      ending.append(plugin::view(end->trailers[i].name))
          .append("=")
          .append(plugin::view(end->trailers[i].value))
          .append("|");
    me.home.endings.push_back(ending);
    if (me.leg < me.home.legs) return IFB_MORE;
    if (me.home.silent) return me.home.end_status;
    if (me.tokens > 0) {
      const ifb_done done{sizeof done, 0, str("stop")};
      events->on_done(output, &done);
    } else {
      fail(error, IFB_E_PROTOCOL, "nothing to compute TTFT from");
      events->on_error(output, error);
    }
    return me.home.end_status;
  }
  static ifb_status sign(ifb_exchange* self, const ifb_http_target* target,
                         ifb_http_request* request, ifb_error* error) {
    return of(self).home.signer(*target, *request, error);
  }
  static void close(ifb_exchange* self) {
    fake_codec& me = of(self).home;
    delete &of(self);
    ++me.closed;
    if (me.closing) me.closing(me.closed);
  }

  /// A backend with this codec; `server` and the codec must outlive it.
  [[nodiscard]] backend shared(const transport::endpoint& server) {
    backend b;
    b.instance = reinterpret_cast<ifb_instance*>(this);
    static const ifb_plugin descriptor = [] {
      ifb_plugin p{};
      p.struct_size = sizeof p;
      p.id = "fake";
      p.version = "1.0.0";
      return p;
    }();
    b.codec.plugin = &descriptor;
    b.codec.struct_size = sizeof(ifb_http_codec);
    auto& table = static_cast<ifb_http_codec&>(b.codec);
    table.open = &open;
    table.request = &request;
    table.on_head = &on_head;
    table.on_message = &on_message;
    table.on_end = &on_end;
    table.close = &close;
    if (signer) table.sign = &sign;
    b.codec.signs = table.sign != nullptr;
    b.servers = {&server};
    return b;
  }
};

inline ifb_sample text_sample() {
  static const ifb_part part{sizeof(ifb_part), IFB_PART_TEXT, nullptr, {"hi", 2}, {}, {}};
  ifb_sample s{};
  s.struct_size = sizeof s;
  s.shape = IFB_PROMPT_TEXT;
  s.prompt = {&part, 1, sizeof part};
  s.id = fake_codec::str("bench-0");
  s.arrival_ns = -1;
  s.input_tokens = 2;
  s.output_tokens = 4;
  return s;
}

}  // namespace inferbench::client::testing
