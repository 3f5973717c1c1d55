// An engine for tests: gives each of its calls to the test, which reports any events, from any
// thread. Calls stay valid as long as the engine, so that a test can continue with a released call.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "framework/client/fake_codec.hpp"
#include "plugin/instance.hpp"

namespace inferbench::client::testing {

struct fake_engine {
  /// One request; all members may be used on any thread.
  struct call {
    fake_engine* home = nullptr;
    const ifb_sample* sample = nullptr;
    ifb_arena* arena = nullptr;
    const ifb_events* events = nullptr;
    ifb_output* output = nullptr;
    std::atomic<int> cancelled = 0;
    std::atomic<int> released = 0;

    void token(std::string_view text, std::uint64_t at = 0) const {
      ifb_token t = IFB_TOKEN_INIT;
      t.text = plugin::str(text);
      t.at = at;
      events->on_token(output, &t);
    }
    void usage(std::int64_t prompt, std::int64_t out) const {
      const ifb_usage u{sizeof u, 0, prompt, -1, out, -1};
      events->on_usage(output, &u);
    }
    void attribute(std::string_view key, std::string_view value) const {
      events->on_attribute(output, plugin::str(key), plugin::str(value));
    }
    void done(std::string_view reason = "stop") const {
      const ifb_done d{sizeof d, 0, plugin::str(reason)};
      events->on_done(output, &d);
    }
    void error(ifb_status code, const char* text) const {
      ifb_error e = plugin::empty_error();
      fake_codec::fail(&e, code, text);
      events->on_error(output, &e);
    }
  };

  // Set by a test.
  bool blocking = false;
  bool names_calls = true;                               // submit gives the call to the host
  std::function<ifb_status(call&, ifb_error*)> submits;  // called on the thread of submit
  std::function<void(call&)> cancels;

  /// Waits until call number n (counted from 0) has been submitted.
  call& submitted(std::size_t n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return calls_.size() > n; });
    return calls_[n];
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return calls_.size();
  }

  /// A backend with this engine, which must outlive it.
  [[nodiscard]] backend shared() {
    static const ifb_plugin descriptor = [] {
      ifb_plugin p{};
      p.struct_size = sizeof p;
      p.id = "fake";
      p.version = "1.0.0";
      return p;
    }();
    backend b;
    b.instance = reinterpret_cast<ifb_instance*>(this);
    plugin::engine& ops = b.engine.emplace().ops;
    ops.plugin = &descriptor;
    auto& table = static_cast<ifb_engine&>(ops);
    table.struct_size = sizeof table;
    table.flags = blocking ? IFB_ENGINE_BLOCKING : 0;
    table.submit = &submit;
    table.cancel = &cancel;
    table.release = &release;
    return b;
  }

 private:
  static call& of(ifb_call* p) { return *reinterpret_cast<call*>(p); }

  static ifb_status submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                           const ifb_events* events, ifb_output* output, ifb_call** out,
                           ifb_error* error) {
    auto& me = *reinterpret_cast<fake_engine*>(self);
    call* made = nullptr;
    {
      const std::lock_guard lock(me.mutex_);
      made = &me.calls_.emplace_back();
      made->home = &me;
      made->sample = sample;
      made->arena = arena;
      made->events = events;
      made->output = output;
    }
    if (me.names_calls)
      std::atomic_ref(*out).store(reinterpret_cast<ifb_call*>(made), std::memory_order_release);
    me.changed_.notify_all();
    return me.submits ? me.submits(*made, error) : IFB_OK;
  }
  static void cancel(ifb_call* p) {
    ++of(p).cancelled;
    if (of(p).home->cancels) of(p).home->cancels(of(p));
  }
  static void release(ifb_call* p) { ++of(p).released; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<call> calls_;  // a deque, because addresses must stay valid
};

}  // namespace inferbench::client::testing
