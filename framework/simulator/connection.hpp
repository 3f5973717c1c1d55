// The connection to one client. Received bytes go through the request parser; bytes to send are
// kept until the kernel accepts them. Knows how HTTP frames requests, but does not know the API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "simulator/request_parser.hpp"
#include "transport/event_loop.hpp"
#include "transport/timer.hpp"

namespace inferbench::simulator {

struct stream;

/// Belongs to its `owner`; used on the thread of the event loop. Continues to read while an answer
/// is being sent, so that it notices when the client closes the connection. It keeps the bytes that
/// it reads for the next request, and stops reading when it holds 64 KiB of them.
class connection final : public transport::watcher {
 public:
  /// on_ready() and resume() make these calls, except that resume() does not call on_over(). The
  /// timer that finish_refused() starts also calls on_over().
  class owner {
   public:
    /// request() is complete, and valid during this call. The owner answers during this call or
    /// later: it calls write() and after that finish().
    virtual void on_request(connection& from) = 0;
    /// The request is invalid; parser() contains the reason. During this call, the owner must call
    /// write() and after that finish_refused().
    virtual void on_refused(connection& from) = 0;
    /// All bytes that had to wait for the client have been sent.
    virtual void on_drained(connection& from) = 0;
    /// The connection ends: the client closed it or asked to close it, or did not send HTTP. The
    /// owner destroys the connection.
    virtual void on_over(connection& from) = 0;

   protected:
    owner() = default;
    owner(const owner&) = default;
    owner& operator=(const owner&) = default;
    ~owner() = default;
  };

  connection(base::fd socket, const request_parser::limits& bounds, transport::event_loop& loop,
             owner& who);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Starts to watch the socket. False if the system refuses.
  [[nodiscard]] bool watch() noexcept;

  [[nodiscard]] const request_parser& parser() const noexcept { return parser_; }
  [[nodiscard]] const http_request& request() const noexcept { return parser_.request(); }
  /// Moves the body out of request(), see request_parser::take_body().
  [[nodiscard]] std::string take_body() noexcept { return parser_.take_body(); }
  /// The time at which the read of the request's last byte returned, ns.
  [[nodiscard]] std::uint64_t received_ns() const noexcept { return received_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }

  /// Sends the bytes that the kernel accepts and keeps the rest. After a failure, broken() returns
  /// true.
  void write(std::string_view bytes);
  /// True if some bytes are kept. In that case, do not call write() again until on_drained().
  [[nodiscard]] bool blocked() const noexcept { return sent_ < unsent_.size(); }
  /// True if the client can no longer be reached. The owner must destroy the connection; during
  /// a call from this connection it must not, because on_over() or a check of over() follows.
  [[nodiscard]] bool broken() const noexcept { return broken_; }

  /// Marks the end of an answer. Call this once for each answer. Views into the request become
  /// invalid.
  void finish(bool keep_alive);
  /// Like finish(), for a refused request. The connection reads and discards the rest of the
  /// request for some time. If it were closed immediately, TCP would reset it and the client would
  /// lose the answer.
  void finish_refused();
  /// Processes the bytes that were read during the answer. Call this after a finish() that was not
  /// called in on_request(). Does not destroy the connection; check over() afterwards.
  void resume();
  /// True if the connection has ended and must be destroyed.
  [[nodiscard]] bool over() const noexcept {
    return broken_ || (phase_ == phase::closing && !blocked());
  }

  stream* answering = nullptr;  // set and used by the owner

  void on_ready(std::uint32_t epoll_events, std::uint64_t stamp) override;

 private:
  enum class phase : std::uint8_t { reading, answering, closing, lingering };

  void read_some();
  void take(std::string_view bytes);
  void flush();
  void watch_for();
  void on_linger_end(std::uint64_t now);

  base::fd socket_;
  transport::event_loop& loop_;
  owner& owner_;
  request_parser parser_;
  transport::timer linger_;
  std::string unsent_;
  std::size_t sent_ = 0;  // number of bytes of unsent_ that have been sent
  std::string later_;     // bytes that were read while an answer was being sent
  std::uint64_t received_ = 0;
  std::uint32_t watched_ = 0;
  phase phase_ = phase::reading;
  bool continued_ = false;  // 100 Continue was sent for this request
  bool broken_ = false;
};

}  // namespace inferbench::simulator
