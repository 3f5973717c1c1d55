// A worker: one process, one engine, one batch at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>

#include "batch_answer.hpp"
#include "clock_tie.hpp"
#include "messages.hpp"
#include "settings.hpp"
#include "worker_link.hpp"

namespace python_engine {

/// For frames outside of batches; see single_requests.hpp. All calls come on the connection's
/// reading thread.
class frame_listener {
 public:
  virtual ~frame_listener() = default;
  /// Returns false if the frame is not for the listener. May throw violation.
  virtual bool take(const frame& in) = 0;
  virtual void on_wake() noexcept = 0;
  /// No further frame comes. Called once.
  virtual void on_end() noexcept = 0;
};

/// Used by one thread at a time, except for functions marked [any]. If a function throws failure
/// and the worker cannot continue, the worker is killed, and each later call throws the same
/// failure.
class worker {
 public:
  /// Starts the process and imports the engine's libraries: hello, welcome. `listener`, which may
  /// be nullptr, must live longer. Throws failure: see complaint.hpp.
  worker(ifb::host host, worker_settings settings, frame_listener* listener = nullptr);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  [[nodiscard]] const welcome_message& about() const noexcept { return welcome_; }
  /// Constructs the engine, and ties the clocks. The result lives as long as the worker.
  const ready_message& load();
  [[nodiscard]] const clock_tie& clock() const noexcept { return clock_; }

  /// Carries out a batch. Throws failure if there is no complete answer: IFB_E_CANCELLED after
  /// cancel() or if the host stops the run.
  [[nodiscard]] std::unique_ptr<batch_answer> run(const ifb_batch& batch, ifb::arena memory);
  /// The batch in progress, if any, ends soon. [any]
  void cancel() noexcept { cancelled_ = true; }
  /// Sends a frame of single requests, outside of batches. If this is not possible, the connection
  /// ends, and the listener gets on_end(). [any]
  void send(std::string_view bytes);
  void wake() noexcept { link_.frames().wake(); }

  /// Sends bye and waits for the end of the process, then kills what is left. The destructor does
  /// the same.
  void stop() noexcept { link_.stop(); }
  /// The reason why the worker has ended; for the listener's on_end(). During traffic of single
  /// requests this is the fatal error frame, if the worker has sent one; a second call does not
  /// find the frame again. [any]
  [[nodiscard]] ifb::failure end_reason() const { return link_.end_reason(); }

 private:
  using steady = std::chrono::steady_clock;

  bool take_at_once(const frame& in);
  frame await(frame_kind wanted, std::chrono::nanoseconds limit, std::string_view option);
  [[nodiscard]] std::optional<frame> next_or_cancel(steady::time_point deadline);
  void send_or_fail(std::string_view bytes);
  std::unique_ptr<batch_answer> receive(std::unique_ptr<batch_answer> answer);
  bool take(const frame& in, batch_answer& answer);
  void ask_to_cancel();
  void tie_clock();
  [[nodiscard]] bool is_stopped() const { return cancelled_ || host_.cancelled(); }

  ifb::host host_;
  worker_settings settings_;
  frame_listener* listener_;
  welcome_message welcome_;
  ready_message ready_;
  bool loaded_ = false;
  clock_tie clock_;
  std::uint64_t batches_ = 0;
  std::uint64_t logged_ = 0;  // of the reading thread
  std::atomic<bool> cancelled_ = false;
  worker_link link_;  // last member: its thread uses other members
};

}  // namespace python_engine
