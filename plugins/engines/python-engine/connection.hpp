// The host's end of the socket to a worker, the Python process with the engine: a thread that reads
// frames into a queue, and a function that sends and can be stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <inferbench/guard.hpp>

#include "descriptor.hpp"
#include "frame.hpp"

namespace python_engine {

/// [any thread] marks the functions that any thread may call at any time.
class connection {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  struct hooks {
    /// [any thread] The host's clock, in monotonic nanoseconds.
    std::function<std::uint64_t()> now;
    /// Called on the reading thread with each frame. If it returns true, the frame is not queued.
    /// If it throws an ifb::failure, the connection ends with this failure (fault()).
    std::function<bool(const frame&)> at_once = {};
    /// The last call of the reading thread: no further frame comes. Must not throw.
    std::function<void()> on_end = {};
    /// Called on the reading thread after wake(); several calls of wake() may lead to one call. It
    /// comes late while the reading thread waits for room in the queue. Must not throw.
    std::function<void()> on_wake = {};
  };

  /// Starts the reading thread. Throws ifb::failure (IFB_E_IO) if the wake-up pipe cannot be made,
  /// and std::system_error if the thread cannot be started.
  connection(descriptor socket, hooks what);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  /// Calls close().
  ~connection();

  enum class sending : std::uint8_t { sent, lost, stopped };
  /// [any thread] Sends all bytes. Only one call at a time sends; other calls wait for it. `lost`:
  /// the socket is closed or broken. `stopped`: `stop` returned true while the socket was full, and
  /// perhaps only a part was sent. `stop` may be empty; it is called about ten times a second while
  /// the socket is full.
  [[nodiscard]] sending send(std::string_view bytes, const std::function<bool()>& stop);

  /// Waits for the next queued frame. Returns nullopt at `deadline`, and if no further frame comes
  /// (has_ended()). One thread at a time.
  [[nodiscard]] std::optional<frame> next(time_point deadline);
  /// [any thread] Whether the reading thread has stopped reading (the worker closed the socket or
  /// violated the protocol, or abandon() or close() was called), and next() has returned all
  /// frames.
  [[nodiscard]] bool has_ended() const;
  /// The failure that ended the connection.
  struct reading_fault {
    enum class cause : std::uint8_t {
      cut_frame,  // the socket ended in the middle of a frame
      refusal,    // a violation of the protocol in a whole frame or a header, or one of at_once
      memory      // too little memory
    };
    cause from;
    ifb::failure why;
  };
  /// [any thread] nullopt if no failure ended the connection.
  [[nodiscard]] std::optional<reading_fault> fault() const;

  /// [any thread] Makes the reading thread call on_wake. Does not wait for the call.
  void wake() noexcept;
  /// [any thread] Ends the connection as if the worker had closed the socket. Does not wait.
  void abandon() noexcept;
  /// Shuts the socket down, and waits until the reading thread has ended. A second call does
  /// nothing. Must not be called on the reading thread.
  void close() noexcept;

 private:
  void read_all() noexcept;
  void read_frames();
  void take(frame&& in);
  void note(reading_fault&& found);
  [[nodiscard]] bool wait_for_bytes();

  descriptor socket_;
  descriptor wake_reading_;
  descriptor wake_writing_;
  hooks hooks_;
  std::mutex writing_;        // held by the send() that sends
  mutable std::mutex mutex_;  // protects queue_, queued_bytes_, ended_ and fault_
  std::condition_variable changed_;
  std::deque<frame> queue_;
  std::size_t queued_bytes_ = 0;
  bool ended_ = false;
  std::optional<reading_fault> fault_;
  std::atomic<bool> closing_ = false;
  std::thread reader_;  // last member: it uses all other members
};

}  // namespace python_engine
