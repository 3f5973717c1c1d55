// The warden: a process between this process and a worker, so that the worker and all processes
// that it has started end with us, even if we are killed by SIGKILL.
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace python_engine {

/// A report of the warden: one struct in its report pipe for each event.
struct warden_message {
  enum class event : std::int32_t {
    started,  // value: the process id of the worker, which is also the id of its process group
    refused,  // value: the errno of exec; nothing follows
    ended     // value: the wait status of the worker; all its processes are gone, nothing follows
  };
  event what = event::started;
  std::int32_t value = 0;
};

/// The settings of the warden. All of them are made before fork(), because between fork() and
/// exec() a process with several threads may call only async-signal-safe functions.
struct warden_orders {
  const char* program = nullptr;  // with a path
  char* const* words = nullptr;   // NULL-terminated, like `environment`
  char* const* environment = nullptr;
  // Descriptors, all of them at least warden_orders::lowest.
  int socket = -1;   // becomes descriptor 3 of the worker
  int output = -1;   // becomes standard output and standard error of the worker
  int input = -1;    // becomes its standard input
  int control = -1;  // a socket; its end is the order to end the worker
  int report = -1;   // a pipe for warden_messages
  static constexpr int lowest = 10;
};

/// The rest of the life of a forked process. Starts the worker in a session of its own, waits for
/// its end or for the end of `control`, kills the worker's process group and all processes that the
/// warden has adopted as their subreaper, reports and ends. Async-signal-safe: no memory is
/// allocated and no lock is taken.
[[noreturn]] void keep_worker(const warden_orders& orders) noexcept;

}  // namespace python_engine
