// ifb::engine<T> makes the class T an engine (inferbench.engine/1): a backend that performs its
// requests itself. A plugin for an HTTP server is a codec (backend.hpp) instead.
//
//   class mine {
//    public:
//     static constexpr const char* id = "mine", *version = ..., *summary = ..., *license = ...;
//     static constexpr bool blocking = true;                // optional: run() performs the request
//     struct options { ... };                               // optional
//     class call {                                          // one request
//      public:
//       void run();
//       void cancel() noexcept;
//     };
//     mine(ifb::host, const options&);
//     call open(const ifb_sample&, ifb::arena, ifb::engine_output) const;
//   };
//
// open() is const: the host calls it on several threads at the same time. The call that it returns
// is built in the arena of the request, so its address never changes. It is destroyed after it has
// reported its end. Sample, arena and output stay valid until then.
//
// run() begins the request and returns immediately; afterwards any thread may report events. If
// `blocking` is true, run() returns only when the request is over, and the host provides a thread
// for each run(). In both cases each request ends with exactly one done() or error() as its last
// event; after this event, no part of the call may be used. An exception from run() counts as
// error(). While run() is running, and until the end of the request, the host may call cancel() on
// another thread; the call must then end soon. The host destroys the call possibly before done() or
// error() has returned, but not before cancel() has returned.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
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

/// Receives the parts of the answer from a call. [any thread], but only one thread at a time for
/// one call, and not after the end. The host stamps each report when it arrives. If a call notices
/// a token late, it reports the token with token_at().
using engine_output = output;

namespace detail {

template <typename call>
concept runs = requires(call x) {
  { x.run() } -> std::same_as<void>;
};
template <typename call>
concept cancels = requires(call x) {
  { x.cancel() } noexcept -> std::same_as<void>;
};
template <typename plugin>
concept opens_calls =
    requires(const plugin& p, const ifb_sample& sample, arena memory, engine_output out) {
      { p.open(sample, memory, out) } -> std::same_as<typename plugin::call>;
    };

template <typename plugin>
consteval bool check_engine() {
  static_assert(check_description<plugin>());
  static_assert(
      requires { typename plugin::call; },
      "an engine needs a nested class call, the state of one request");
  if constexpr (requires { typename plugin::call; }) {
    using call = typename plugin::call;
    static_assert(opens_calls<plugin>,
                  "an engine needs: call open(const ifb_sample&, ifb::arena, ifb::engine_output) "
                  "const");
    static_assert(runs<call>, "a call needs: void run()");
    static_assert(cancels<call>, "a call needs: void cancel() noexcept");
    static_assert(alignof(call) <= 16, "an arena aligns to 16 bytes");
    static_assert(std::is_nothrow_destructible_v<call>);
  }
  return true;
}

template <typename plugin>
consteval bool blocks() {
  if constexpr (requires { plugin::blocking; })
    return plugin::blocking;
  else
    return false;
}

/// The functions of one ifb_engine.
template <typename plugin>
struct engine_table {
  using call = typename plugin::call;

  static call& of(ifb_call* handle) noexcept { return *reinterpret_cast<call*>(handle); }

  static ifb_status IFB_CALL submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* memory,
                                    const ifb_events* events, ifb_output* handle, ifb_call** out,
                                    ifb_error* error) noexcept {
    call* made = nullptr;
    const engine_output reports{events, handle};
    const ifb_status opened = guarded<plugin>(error, [&] {
      const auto& owner = std::as_const(box<plugin>::of(self));
      const arena room{owner.host().table(), memory};
      void* place = room.allocate(sizeof(call));
      made = ::new (place) call(owner.get().open(*sample, room, reports));
    });
    if (opened < 0) return opened;
    // The call is published before run(), which may last as long as the request. From now on the
    // host can cancel the request.
    std::atomic_ref<ifb_call*>(*out).store(reinterpret_cast<ifb_call*>(made),
                                           std::memory_order_release);
    ifb_error thrown{};
    const ifb_status ran = guarded<plugin>(&thrown, [&] { made->run(); });
    if (ran < 0) events->on_error(handle, &thrown);
    return IFB_OK;
  }
  static void IFB_CALL cancel(ifb_call* self) noexcept { of(self).cancel(); }
  static void IFB_CALL release(ifb_call* self) noexcept { of(self).~call(); }

  static constexpr ifb_engine make() {
    ifb_engine out{};
    out.struct_size = sizeof out;
    out.flags = blocks<plugin>() ? IFB_ENGINE_BLOCKING : 0;
    out.submit = &submit;
    out.cancel = &cancel;
    out.release = &release;
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct engine {
  static_assert(detail::check_engine<plugin>());

  static constexpr ifb_engine operations = detail::engine_table<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_ENGINE, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_ENGINE) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_BACKEND, interfaces, &query);
};

}  // namespace ifb
