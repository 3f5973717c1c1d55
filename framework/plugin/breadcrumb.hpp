// The plugin that each thread is inside of, for the last words of a crash: "crash inside backend
// openai-chat 1.2.0, on_message". Costs a few loads and stores a call.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::plugin {

namespace detail {

/// The place of one thread. Read by its signal handlers and, once it is known, by other threads.
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

/// Gives the calling thread a stack for the signal handlers and a place in
/// threads_in_plugins(). Does nothing before report_crashes().
void make_known() noexcept;

}  // namespace detail

/// Marks the calls of its lifetime. `call` must be a literal.
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

 private:
  const ifb_plugin* plugin_before_;
  const char* call_before_;
};

/// While it lives, last words end with "; " and `advice`, what the user can still do. At most
/// one object at a time; up to 4,095 bytes of `advice` are copied.
class parting_advice {
 public:
  explicit parting_advice(std::string_view advice) noexcept;
  parting_advice(const parting_advice&) = delete;
  parting_advice& operator=(const parting_advice&) = delete;
  ~parting_advice();
};

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that write the breadcrumb
/// of the crashing thread with write(2) and raise the signal again. Once, in main. The handlers
/// have a stack of their own on this thread and on each thread that calls a plugin later, since
/// the ordinary stack may have run out. A call that ends the process by exit() is named as
/// well.
void report_crashes() noexcept;

/// A crash in the code of this library outside of any call, as on a thread that the library has
/// started, is reported with `file`. `code`: any address in the code. [control]
void remember_library(const void* code, const std::string& file);

/// "backend acme 1.0.0, on_message" for each thread that is inside a plugin at this moment and
/// has entered one after report_crashes(). [control]: no library is being loaded.
[[nodiscard]] std::vector<std::string> threads_in_plugins();

}  // namespace inferbench::plugin
