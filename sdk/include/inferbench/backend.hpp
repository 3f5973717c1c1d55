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
//       void sign(const ifb_http_target&, ifb_http_request&);  // optional: see abi.h
//       std::uint32_t on_head(const ifb_http_head&);           // optional: ifb_framing
//       void on_message(const ifb::http_message&, ifb::output);
//       void on_end(ifb::output);  // or on_end(const ifb_http_end&, ifb::output)
//     };
//     echo(ifb::host, const options&);  // the other forms are in descriptor.hpp
//     exchange open(const ifb_sample&, ifb::arena) const;
//   };
//
// open() is const: the host calls it on several threads at the same time. The exchange that it
// returns is built in the arena of the request, so a request costs no heap allocation. The host
// calls one function of an exchange at a time, but the calls come from different threads: open()
// and request() before the request is due, on any thread, the others on the worker that sends it.
// The exchange is destroyed when the host closes it. on_message may return ifb::heard, and on_end
// may return ifb::ended, instead of void.
#pragma once

#include <concepts>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/output.hpp>
#include <inferbench/views.hpp>

namespace ifb {

/// The return value of on_message. `enough`: the answer is complete. The request ends at this
/// message, on_end follows at once, and no other message comes.
enum class heard : ifb_status { more = IFB_OK, enough = IFB_END };
/// The return value of on_end: whether the request is complete, or request() has another request to
/// send.
enum class ended : ifb_status { complete = IFB_OK, another_request = IFB_MORE };

/// One message of the answer, as the host split the body (ifb_framing). It refers to the host's
/// struct, so it is valid only during the call that received it.
class http_message {
 public:
  explicit http_message(const ifb_http_message& message) noexcept : message_(&message) {}

  /// The name of the SSE event; empty if the event has no name, and for other framings.
  [[nodiscard]] std::string_view event() const noexcept { return view(message_->event); }
  [[nodiscard]] std::string_view data() const noexcept { return view(message_->data); }
  /// When the bytes that completed the message arrived, on the clock of host::now().
  [[nodiscard]] std::uint64_t at() const noexcept { return message_->at; }
  [[nodiscard]] const ifb_http_message& abi() const noexcept { return *message_; }

 private:
  const ifb_http_message* message_;
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
concept hears_messages = requires(exchange x, const http_message& message, output& out) {
  { x.on_message(message, out) } -> nothing_or<heard>;
};
template <typename exchange>
concept hears_end = requires(exchange x, output& out) {
  { x.on_end(out) } -> nothing_or<ended>;
};
template <typename exchange>
concept hears_whole_end = requires(exchange x, const ifb_http_end& end, output& out) {
  { x.on_end(end, out) } -> nothing_or<ended>;
};
template <typename exchange>
concept signs = requires(exchange x, const ifb_http_target& target, ifb_http_request& request) {
  { x.sign(target, request) } -> std::same_as<void>;
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
                  "an exchange needs: void or ifb::heard on_message(const ifb::http_message&, "
                  "ifb::output)");
    static_assert(hears_end<exchange> || hears_whole_end<exchange>,
                  "an exchange needs: void or ifb::ended on_end(ifb::output), or "
                  "on_end(const ifb_http_end&, ifb::output)");
    if constexpr (requires { &exchange::sign; }) {
      static_assert(signs<exchange>,
                    "sign is: void sign(const ifb_http_target&, ifb_http_request&)");
    }
    if constexpr (requires { &exchange::on_head; }) {
      static_assert(hears_head<exchange>,
                    "on_head is: std::uint32_t on_head(const ifb_http_head&), an ifb_framing");
    }
    static_assert(alignof(exchange) <= 16, "an arena aligns to 16 bytes");
    static_assert(std::is_nothrow_destructible_v<exchange>);
  }
  return true;
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
  static ifb_status IFB_CALL on_message(ifb_exchange* self, const ifb_http_message* message,
                                        const ifb_events* events, ifb_output* handle,
                                        ifb_error* error) noexcept {
    return guarded<plugin>(error, [&]() -> ifb_status {
      output out{events, handle};
      const http_message given{*message};
      if constexpr (requires {
                      { of(self).on_message(given, out) } -> std::same_as<heard>;
                    })
        return static_cast<ifb_status>(of(self).on_message(given, out));
      else
        of(self).on_message(given, out);
      return IFB_OK;
    });
  }
  static ifb_status IFB_CALL on_end(ifb_exchange* self, const ifb_http_end* end,
                                    const ifb_events* events, ifb_output* handle,
                                    ifb_error* error) noexcept {
    return guarded<plugin>(error, [&]() -> ifb_status {
      output out{events, handle};
      const auto call = [&] {
        if constexpr (hears_whole_end<exchange>)
          return of(self).on_end(*end, out);
        else
          return of(self).on_end(out);
      };
      if constexpr (std::is_void_v<decltype(call())>)
        return call(), IFB_OK;
      else
        return static_cast<ifb_status>(call());
    });
  }
  static ifb_status IFB_CALL sign(ifb_exchange* self, const ifb_http_target* target,
                                  ifb_http_request* request, ifb_error* error) noexcept
    requires signs<exchange>
  {
    return guarded<plugin>(error, [&] {
      ifb_http_request signed_request = taken_over(*request);
      of(self).sign(*target, signed_request);
      // The host ignores all changes but those of the headers.
      request->headers = signed_request.headers;
      request->header_count = signed_request.header_count;
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
    if constexpr (signs<exchange>) out.sign = &sign;
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct backend {
  static_assert(detail::check_backend<plugin>());

  static constexpr ifb_http_codec operations = detail::codec<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_HTTP_CODEC, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_HTTP_CODEC) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_BACKEND, interfaces, &query);
};

}  // namespace ifb
