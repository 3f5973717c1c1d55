// Remembers for each thread the plugin whose code it runs. After a crash, this is part of the last
// message: "crash inside backend openai-chat 1.2.0, on_message". Costs a few loads and stores for
// each call.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::plugin {

namespace detail {

/// The current call of one thread. The thread's signal handlers read it. After make_known(), other
/// threads read it, too.
struct whereabouts {
  std::atomic<const ifb_plugin*> plugin = nullptr;
  std::atomic<const char*> call = nullptr;
  bool known = false;

  void set(const ifb_plugin* of, const char* which) noexcept {
    call.store(which, std::memory_order_relaxed);
    plugin.store(of, std::memory_order_relaxed);
  }
};
extern constinit thread_local whereabouts inside;

/// Gives the calling thread a stack for the signal handlers, and adds the thread to those that
/// threads_in_plugins() reports. Does nothing before report_crashes().
void make_known() noexcept;

}  // namespace detail

/// Marks that the thread is inside `call` of the plugin, while this object lives. `plugin` must not
/// be null, and `call` must be a string literal.
class breadcrumb {
 public:
  breadcrumb(const ifb_plugin* plugin, const char* call) noexcept
      : plugin_before_(detail::inside.plugin.load(std::memory_order_relaxed)),
        call_before_(detail::inside.call.load(std::memory_order_relaxed)) {
    if (!detail::inside.known) [[unlikely]]
      detail::make_known();
    detail::inside.set(plugin, call);
  }
  breadcrumb(const breadcrumb&) = delete;
  breadcrumb& operator=(const breadcrumb&) = delete;
  ~breadcrumb() { detail::inside.set(plugin_before_, call_before_); }

  /// Makes the call: returns what `call` returns. An exception of the plugin breaks rule R7. On the
  /// main thread it becomes a base::error with the plugin, the call and the exception's text. On
  /// another thread, and inside a call of another plugin, it ends the process like a crash.
  template <typename callable>
  auto run(callable&& call) const {
    try {
      return call();
    } catch (...) {
      refuse_exception(plugin_before_ == nullptr);
    }
  }
  /// The same for calls that end something: an exception always ends the process, because the host
  /// makes such calls in destructors.
  template <typename callable>
  auto run_last(callable&& call) const noexcept {
    try {
      return call();
    } catch (...) {
      refuse_exception(false);
    }
  }

 private:
  /// Reports the current exception, which has left the call of this thread.
  [[noreturn]] static void refuse_exception(bool may_throw);

  const ifb_plugin* plugin_before_;
  const char* call_before_;
};

/// While this object lives, a crash message ends with "; " and `advice`, which tells the user what
/// to do. At most one object may exist at a time. Up to 4,095 bytes of `advice` are copied.
class parting_advice {
 public:
  explicit parting_advice(std::string_view advice) noexcept;
  parting_advice(const parting_advice&) = delete;
  parting_advice& operator=(const parting_advice&) = delete;
  ~parting_advice();
};

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that write the breadcrumb of
/// the crashing thread with write(2) and raise the signal again. Call this once, in main. On this
/// thread, and on each thread that calls a plugin later, the handlers have a separate stack, since
/// the ordinary stack may be full. If a plugin ends the process with exit(), the call is reported,
/// too. If a signal of a user or another program (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and
/// others) would end the process, and the thread of main is inside a plugin, this call is reported
/// before the process ends: it may be the reason for the signal. In all these cases
/// base::restore_terminal() is called first.
void report_crashes() noexcept;

/// A text such as "backend acme 1.0.0, on_message" for each thread that is inside a plugin at this
/// moment. Contains only threads that have called a plugin after report_crashes(). [control]: no
/// library may be loaded at the same time.
[[nodiscard]] std::vector<std::string> threads_in_plugins();

}  // namespace inferbench::plugin
