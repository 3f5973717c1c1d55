// Which plugin this thread is inside of, for the last words of a crash: "crash
// inside backend openai-chat 1.2.0, on_message". Costs two stores a call.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// Marks the calls of its lifetime. `call` must be a literal.
class breadcrumb {
 public:
  breadcrumb(const ifb_plugin* plugin, const char* call) noexcept;
  breadcrumb(const breadcrumb&) = delete;
  breadcrumb& operator=(const breadcrumb&) = delete;
  ~breadcrumb();

 private:
  const ifb_plugin* plugin_before_;
  const char* call_before_;
};

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that write the
/// crumb of the crashing thread with write(2) and raise the signal again. Once, in main.
void report_crashes() noexcept;

}  // namespace inferbench::plugin
