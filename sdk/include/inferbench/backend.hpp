// ifb::backend<T> makes the class T an HTTP codec (inferbench.http-codec/1).
//
//   class echo {
//    public:
//     static constexpr const char* id = "echo", *version = ..., *summary = ..., *license = ...;
//     static constexpr std::uint32_t flags = 0;             // optional: ifb_codec_flag
//     struct options { ... };                               // optional
//     class exchange {                                      // one request
//      public:
//       void request(ifb_http_request& out);
//       std::uint32_t on_head(const ifb_http_head&);        // optional: ifb_framing
//       void on_message(std::string_view event, std::string_view data, ifb::output);
//       void on_end(ifb::output);
//     };
//     echo(ifb::host, const options&);
//     exchange open(const ifb_sample&, ifb::arena) const;
//   };
//
// open() is const: the host's workers call it at the same time. The exchange that it returns is
// built in the arena of the request, so a request costs no heap allocation. The exchange is
// destroyed when the host closes it. on_message may return ifb::heard, and on_end may return
// ifb::ended, instead of void.
#pragma once

#include <concepts>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/views.hpp>

namespace ifb {

/// The return value of on_message: whether the rest of the body is needed.
enum class heard : ifb_status { more = IFB_OK, enough = IFB_END };
/// The return value of on_end: whether the request is complete, or request() has another request to
/// send.
enum class ended : ifb_status { complete = IFB_OK, another_request = IFB_MORE };

/// Token counts from the server; -1: the server did not send this count.
struct token_counts {
  std::int64_t prompt = -1;
  std::int64_t cached = -1;
  std::int64_t output = -1;
  std::int64_t reasoning = -1;
};

/// Receives the parts of the answer from an exchange. Valid only during the call that receives it.
/// The host uses the texts only during the call that passes them.
class output {
 public:
  output(const ifb_events* events, ifb_output* handle) noexcept
      : events_(events), handle_(handle) {}

  /// Reports one stream event that carries output, even if its text is empty. `count` is the number
  /// of tokens in it, 0 if the server did not send the number.
  void token(std::string_view text, std::uint32_t count = 0,
             std::uint32_t channel = IFB_CHANNEL_ANSWER, std::uint32_t choice = 0) const {
    ifb_token event{};
    event.struct_size = sizeof event;
    event.count = count;
    event.choice = choice;
    event.channel = channel;
    event.text = str(text);
    events_->on_token(handle_, &event);
  }
  /// Reports token counts. A count in a later call replaces the same count of an earlier call.
  void usage(const token_counts& counts) const {
    ifb_usage event{};
    event.struct_size = sizeof event;
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
    events_->on_done(handle_, str(finish_reason));
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

/// Sets the parts of a request whose body is one contiguous text. All views must stay valid as long
/// as the exchange: they must point into the arena, the sample or the exchange itself.
inline void set_request(ifb_http_request& out, std::string_view method, std::string_view target,
                        std::span<const ifb_field> headers, const ifb_bytes& body) noexcept {
  out.method = str(method);
  out.target = str(target);
  out.headers = headers.data();
  out.header_count = headers.size();
  out.body = &body;
  out.body_count = body.size == 0 ? 0 : 1;
}
/// Deleted: the host keeps the address of the body, so the body must not be a temporary.
void set_request(ifb_http_request&, std::string_view, std::string_view, std::span<const ifb_field>,
                 const ifb_bytes&&) = delete;

namespace detail {

template <typename returned, typename verdict>
concept nothing_or = std::is_void_v<returned> || std::same_as<returned, verdict>;

template <typename exchange>
concept says_request = requires(exchange x, ifb_http_request& out) {
  { x.request(out) } -> std::same_as<void>;
};
template <typename exchange>
concept hears_head = requires(exchange x, const ifb_http_head& head) {
  { x.on_head(head) } -> std::convertible_to<std::uint32_t>;
};
template <typename exchange>
concept hears_messages = requires(exchange x, std::string_view text, output& out) {
  { x.on_message(text, text, out) } -> nothing_or<heard>;
};
template <typename exchange>
concept hears_end = requires(exchange x, output& out) {
  { x.on_end(out) } -> nothing_or<ended>;
};
template <typename plugin>
concept opens_exchanges = requires(const plugin& p, const ifb_sample& sample, arena memory) {
  { p.open(sample, memory) } -> std::same_as<typename plugin::exchange>;
};

template <typename plugin>
consteval bool check_backend() {
  static_assert(check_description<plugin>());
  static_assert(
      requires { typename plugin::exchange; },
      "a backend needs a nested class exchange, the state of one request");
  if constexpr (requires { typename plugin::exchange; }) {
    using exchange = typename plugin::exchange;
    static_assert(opens_exchanges<plugin>,
                  "a backend needs: exchange open(const ifb_sample&, ifb::arena) const");
    static_assert(says_request<exchange>, "an exchange needs: void request(ifb_http_request&)");
    static_assert(hears_messages<exchange>,
                  "an exchange needs: void or ifb::heard on_message(std::string_view event, "
                  "std::string_view data, ifb::output)");
    static_assert(hears_end<exchange>, "an exchange needs: void or ifb::ended on_end(ifb::output)");
    if constexpr (requires { &exchange::on_head; }) {
      static_assert(hears_head<exchange>,
                    "on_head is: std::uint32_t on_head(const ifb_http_head&), an ifb_framing");
    }
    static_assert(alignof(exchange) <= 16, "an arena aligns to 16 bytes");
    static_assert(std::is_nothrow_destructible_v<exchange>);
  }
  return true;
}

template <typename plugin>
consteval std::uint32_t flags_of() {
  if constexpr (requires { plugin::flags; })
    return plugin::flags;
  else
    return 0;
}

/// The functions of one ifb_http_codec.
template <typename plugin>
struct codec {
  using exchange = typename plugin::exchange;

  static exchange& of(ifb_exchange* handle) noexcept {
    return *reinterpret_cast<exchange*>(handle);
  }

  static ifb_status IFB_CALL open(ifb_instance* self, const ifb_sample* sample, ifb_arena* memory,
                                  ifb_exchange** out, ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] {
      const auto& owner = std::as_const(box<plugin>::of(self));
      const arena room{owner.host().table(), memory};
      void* place = room.allocate(sizeof(exchange));
      auto* made = ::new (place) exchange(owner.get().open(*sample, room));
      *out = reinterpret_cast<ifb_exchange*>(made);
    });
  }
  static ifb_status IFB_CALL request(ifb_exchange* self, ifb_http_request* out,
                                     ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] {
      ifb_http_request filled{};
      filled.struct_size = sizeof filled;
      of(self).request(filled);
      hand_over(filled, out);
    });
  }
  static ifb_status IFB_CALL on_head(ifb_exchange* self, const ifb_http_head* head,
                                     std::uint32_t* framing, ifb_error* error) noexcept
    requires hears_head<exchange>
  {
    return guarded<plugin>(error,
                           [&] { *framing = static_cast<std::uint32_t>(of(self).on_head(*head)); });
  }
  static ifb_status IFB_CALL on_message(ifb_exchange* self, ifb_str event, ifb_bytes data,
                                        const ifb_events* events, ifb_output* handle,
                                        ifb_error* error) noexcept {
    return guarded<plugin>(error, [&]() -> ifb_status {
      output out{events, handle};
      if constexpr (requires {
                      { of(self).on_message(view(event), view(data), out) } -> std::same_as<heard>;
                    })
        return static_cast<ifb_status>(of(self).on_message(view(event), view(data), out));
      else
        of(self).on_message(view(event), view(data), out);
      return IFB_OK;
    });
  }
  static ifb_status IFB_CALL on_end(ifb_exchange* self, const ifb_events* events,
                                    ifb_output* handle, ifb_error* error) noexcept {
    return guarded<plugin>(error, [&]() -> ifb_status {
      output out{events, handle};
      if constexpr (requires {
                      { of(self).on_end(out) } -> std::same_as<ended>;
                    })
        return static_cast<ifb_status>(of(self).on_end(out));
      else
        of(self).on_end(out);
      return IFB_OK;
    });
  }
  static void IFB_CALL close(ifb_exchange* self) noexcept { of(self).~exchange(); }

  static constexpr ifb_http_codec make() {
    ifb_http_codec out{};
    out.struct_size = sizeof out;
    out.flags = flags_of<plugin>();
    out.open = &open;
    out.request = &request;
    if constexpr (hears_head<exchange>) out.on_head = &on_head;
    out.on_message = &on_message;
    out.on_end = &on_end;
    out.close = &close;
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct backend {
  static_assert(detail::check_backend<plugin>());

  static constexpr ifb_http_codec operations = detail::codec<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_HTTP_CODEC, nullptr};
  static const void* IFB_CALL query(const char* id) noexcept {
    return std::strcmp(id, IFB_HTTP_CODEC) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_BACKEND, interfaces, &query);
};

}  // namespace ifb
