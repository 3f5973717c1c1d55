// The process of a worker and the connection to it, from their start to their end; and the failure
// that has ended them.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include <inferbench/host.hpp>

#include "complaint.hpp"
#include "connection.hpp"
#include "messages.hpp"
#include "settings.hpp"
#include "worker_process.hpp"

namespace python_engine {

/// Used by one thread at a time, except for functions marked [any].
class worker_link {
 public:
  /// Starts the process and the reading thread of the connection. `settings` must live longer.
  /// The hooks may be called before the constructor returns; until then they may call at() only.
  /// Throws failure: see worker_process, and connection.
  worker_link(ifb::host host, const worker_settings& settings, connection::hooks what);
  worker_link(const worker_link&) = delete;
  worker_link& operator=(const worker_link&) = delete;
  /// Calls stop().
  ~worker_link();

  /// The connection; its functions have the same marks of threads. [any]
  [[nodiscard]] connection& frames() noexcept { return connection_; }

  /// The activity of the worker, for messages. [any]
  [[nodiscard]] phase at() const noexcept { return phase_; }
  void enter(phase next) noexcept { phase_ = next; }
  /// Enters phase::traffic if the worker is idle. [any]
  void enter_traffic() noexcept;

  /// The facts for a message about the worker now. [any]
  [[nodiscard]] worker_facts facts() const;
  /// Throws the failure that has ended the worker, if there was one.
  void require_alive() const;
  /// Kills the worker and throws `why`, which require_alive() throws from now on.
  [[noreturn]] void fail(const ifb::failure& why);
  /// Throws end_reason(), which require_alive() throws from now on. The connection must have ended.
  [[noreturn]] void fail_lost();
  /// Throws the failure of an error frame. The worker is killed, unless the error is not fatal and
  /// `may_go_on`; then it is idle.
  [[noreturn]] void fail_by(const frame& error, bool may_go_on);
  /// As worker::end_reason(). [any]
  [[nodiscard]] ifb::failure end_reason() const;

  /// Sends bye and waits for the end of the process, then kills what is left. A second call has
  /// no effect on the worker.
  void stop() noexcept;

 private:
  using steady = std::chrono::steady_clock;

  std::optional<int> wait(std::chrono::nanoseconds limit) const noexcept;
  [[nodiscard]] std::optional<error_message> error_of_traffic() const;
  void log_trace(const error_message& error) const;

  ifb::host host_;
  const worker_settings& settings_;
  std::atomic<phase> phase_ = phase::starting;
  std::optional<ifb::failure> dead_;
  mutable std::mutex ending_;  // for waiting until the process has ended
  std::unique_ptr<worker_process> process_;
  mutable connection connection_;  // last member: its thread uses other members; end_reason() takes
                                   // frames from it
};

}  // namespace python_engine
