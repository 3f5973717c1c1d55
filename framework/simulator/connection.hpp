// One client's socket: bytes in through the request parser, bytes out as far as the
// kernel takes them. Knows HTTP's framing of requests and nothing of the API.
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

/// Belongs to its `owner`; on the loop's thread. Goes on reading while an answer is
/// under way, so that it notices a client that leaves, and keeps those bytes for the
/// next request; from 64 KiB on it stops reading.
class connection final : public transport::watcher {
 public:
  /// Told from within on_ready() and resume().
  class owner {
   public:
    /// request() is complete, and valid during this call. An answer follows, now or
    /// later: write() and then finish().
    virtual void on_request(connection& from) = 0;
    /// parser() says why there is no request. write(), then finish_refused(), now.
    virtual void on_refused(connection& from) = 0;
    /// All bytes that had to wait for the client have left.
    virtual void on_drained(connection& from) = 0;
    /// The connection ends: the client left, asked for the end, or does not speak HTTP. The
    /// owner destroys it.
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

  /// Starts to watch; false when the system refuses.
  [[nodiscard]] bool watch() noexcept;

  [[nodiscard]] const request_parser& parser() const noexcept { return parser_; }
  [[nodiscard]] const http_request& request() const noexcept { return parser_.request(); }
  /// When the read that completed the request returned.
  [[nodiscard]] std::uint64_t received_ns() const noexcept { return received_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }

  /// Sends what the kernel takes and keeps the rest. Failure shows in broken().
  void write(std::string_view bytes);
  /// Some bytes are kept: write no more before on_drained().
  [[nodiscard]] bool blocked() const noexcept { return sent_ < unsent_.size(); }
  /// The client cannot be reached any more. The owner ends the connection, unless this
  /// connection is calling it.
  [[nodiscard]] bool broken() const noexcept { return broken_; }

  /// The answer is written. Views into the request are void. Call this once an
  /// answer.
  void finish(bool keep_alive);
  /// The same for a refused request. Reads and discards the rest of the request for a
  /// while: closing at once would reset the connection, and the client lose the answer.
  void finish_refused();
  /// After a finish() outside of on_request(): goes on with the bytes read meanwhile.
  /// Does not destroy the connection; look at over() afterwards.
  void resume();
  /// Nothing more will happen: to be destroyed.
  [[nodiscard]] bool over() const noexcept {
    return broken_ || (phase_ == phase::closing && !blocked());
  }

  stream* answering = nullptr;  // the owner's

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
  std::size_t sent_ = 0;  // of unsent_
  std::string later_;     // read while an answer was under way
  std::uint64_t received_ = 0;
  std::uint32_t watched_ = 0;
  phase phase_ = phase::reading;
  bool continued_ = false;  // 100 Continue was sent for this request
  bool broken_ = false;
};

}  // namespace inferbench::simulator
