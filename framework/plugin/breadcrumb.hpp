// Which plugin this thread is inside of, for the last words of a crash: "crash
// inside backend openai-chat 1.2.0, on_message". Costs a few loads and stores a call.
#pragma once

#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::plugin {

namespace detail {

/// Where one thread is. volatile: no reader is in sight of the compiler, which would drop
/// the stores.
struct whereabouts {
  const ifb_plugin* volatile plugin = nullptr;
  const char* volatile call = nullptr;
  bool has_stack = false;  // for the handlers
};
extern constinit thread_local whereabouts inside;

/// Once report_crashes() was called.
void give_stack() noexcept;

}  // namespace detail

/// Marks the calls of its lifetime. `call` must be a literal.
class breadcrumb {
 public:
  breadcrumb(const ifb_plugin* plugin, const char* call) noexcept
      : plugin_before_(detail::inside.plugin), call_before_(detail::inside.call) {
    if (!detail::inside.has_stack) [[unlikely]]
      detail::give_stack();
    detail::inside.call = call;
    detail::inside.plugin = plugin;
  }
  breadcrumb(const breadcrumb&) = delete;
  breadcrumb& operator=(const breadcrumb&) = delete;
  ~breadcrumb() {
    detail::inside.plugin = plugin_before_;
    detail::inside.call = call_before_;
  }

 private:
  const ifb_plugin* plugin_before_;
  const char* call_before_;
};

/// While it lives, last words end with "; " and `advice`: what is left to the user. At most
/// one at a time; `advice` is copied, up to 4,095 bytes of it.
class parting_advice {
 public:
  explicit parting_advice(std::string_view advice) noexcept;
  parting_advice(const parting_advice&) = delete;
  parting_advice& operator=(const parting_advice&) = delete;
  ~parting_advice();
};

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that write the
/// crumb of the crashing thread with write(2) and raise the signal again. Once, in main.
/// They have a stack of their own on this thread and on those that call a plugin later:
/// the other may be what ran out.
void report_crashes() noexcept;

}  // namespace inferbench::plugin
