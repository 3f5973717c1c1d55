// Single requests to a running engine, for traffic that follows a schedule (inferbench.engine/1).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <inferbench/engine.hpp>

#include "clock_tie.hpp"
#include "worker.hpp"

namespace python_engine {

/// The requests that the worker has not finished. Frames arrive on the reading thread of the
/// connection, and only this thread reports events, so a call is never used after its end.
class single_requests final : public frame_listener {
 public:
  /// A number for a new request. add() or cancel() must follow. [any]
  std::uint64_t reserve();
  /// Takes the request with a reserved number. From now on it may end at any time, on the reading
  /// thread. Throws failure, and does not take it, if it is cancelled already (IFB_E_CANCELLED) or
  /// if the worker has ended. [any]
  void add(std::uint64_t request, ifb::engine_output out);
  /// The frame submit of an added request has been sent. Returns true if the request was cancelled
  /// meanwhile: the caller must send the frame abort. [any]
  [[nodiscard]] bool sent(std::uint64_t request) noexcept;
  /// The request ends with IFB_E_CANCELLED at the next on_wake(), or at add() if it is not added
  /// yet. Returns true if the request is in progress and its frame submit has been sent: the caller
  /// must send the frame abort. Without effect after the end of the request. [any]
  bool cancel(std::uint64_t request) noexcept;
  /// The worker whose engine is loaded: its clock, and the reason of its end, are used from now on.
  /// It must outlive the reading thread. [any]
  void set_worker(const worker& loaded);

  bool take(const frame& in) override;
  void on_wake() noexcept override;
  void on_end() noexcept override;

 private:
  struct single_request {
    ifb::engine_output out;
    bool cancelled = false;
    bool has_output = false;
  };

  void take_text(const frame& in);
  void take_finished(const frame& in);
  /// The request of an event; nullptr if it was cancelled. Throws violation if there is none.
  single_request* find(const frame& in, std::uint64_t request, const std::string& field);
  [[nodiscard]] std::optional<single_request> remove(const frame& in, std::uint64_t request);

  mutable std::mutex mutex_;
  clock_tie clock_;
  const worker* worker_ = nullptr;
  bool ended_ = false;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, single_request> open_;
  std::set<std::uint64_t> forgotten_;  // cancelled, and not finished by the worker
  std::set<std::uint64_t> reserved_;   // neither added nor cancelled
  std::set<std::uint64_t> unsent_;     // added, and sent() has not been called
};

}  // namespace python_engine
