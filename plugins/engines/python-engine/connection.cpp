#include "connection.hpp"

#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace python_engine {

namespace {

// The reading thread waits while so many bytes of frames are queued, so that a worker that is
// faster than the host costs no memory. A longer frame is queued alone.
constexpr std::size_t most_queued = std::size_t{64} << 20U;
constexpr std::size_t read_size = std::size_t{256} << 10U;
constexpr int stop_interval_ms = 100;

}  // namespace

connection::connection(descriptor socket, hooks what)
    : socket_(std::move(socket)), hooks_(std::move(what)) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw ifb::failure{IFB_E_IO, "cannot make a pipe for the worker"};
  wake_reading_ = descriptor(ends[0]);
  wake_writing_ = descriptor(ends[1]);
  reader_ = std::thread([this] { read_all(); });
}

connection::~connection() { close(); }

void connection::close() noexcept {
  closing_ = true;
  ::shutdown(socket_.get(), SHUT_RDWR);
  {
    // The reading thread sees closing_ before or after its wait, but not in between.
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  if (reader_.joinable()) reader_.join();
}

void connection::abandon() noexcept { ::shutdown(socket_.get(), SHUT_RDWR); }

void connection::wake() noexcept {
  const char byte = 0;
  // A full pipe wakes the thread, too.
  static_cast<void>(!::write(wake_writing_.get(), &byte, 1));
}

connection::sending connection::send(std::string_view bytes, const std::function<bool()>& stop) {
  const std::lock_guard lock(writing_);
  while (!bytes.empty()) {
    const ssize_t wrote =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return sending::lost;
    pollfd waiting{socket_.get(), POLLOUT, 0};
    ::poll(&waiting, 1, stop_interval_ms);
    if (stop && stop()) return sending::stopped;
  }
  return sending::sent;
}

std::optional<frame> connection::next(time_point deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [this] { return !queue_.empty() || ended_; });
  if (queue_.empty()) return std::nullopt;
  frame out = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= out.payload.size();
  changed_.notify_all();
  return out;
}

bool connection::has_ended() const {
  const std::lock_guard lock(mutex_);
  return ended_ && queue_.empty();
}

std::optional<connection::reading_fault> connection::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

void connection::read_all() noexcept {
  try {
    read_frames();
  } catch (const ifb::failure& e) {
    note({reading_fault::cause::refusal, e});
  } catch (const std::exception&) {
    note({reading_fault::cause::memory,
          {IFB_E_MEMORY, "out of memory for the frames of the worker"}});
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  if (hooks_.on_end) hooks_.on_end();
}

/// Returns when the socket has something to read; false if the connection is being closed.
bool connection::wait_for_bytes() {
  std::array<pollfd, 2> waiting = {pollfd{socket_.get(), POLLIN, 0},
                                   pollfd{wake_reading_.get(), POLLIN, 0}};
  while (!closing_) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) {
      std::array<char, 64> bytes{};
      while (::read(wake_reading_.get(), bytes.data(), bytes.size()) > 0) {
      }
      if (hooks_.on_wake) hooks_.on_wake();
    }
    if (waiting[0].revents != 0) return true;
  }
  return false;
}

void connection::read_frames() {
  frame_splitter splitter;
  std::vector<char> block(read_size);
  while (wait_for_bytes()) {
    const ssize_t got = ::recv(socket_.get(), block.data(), block.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (got <= 0) break;
    const std::uint64_t now = hooks_.now();
    std::string_view bytes(block.data(), static_cast<std::size_t>(got));
    while (!bytes.empty()) {
      std::optional<frame> complete = splitter.next(bytes);
      if (!complete) break;
      complete->arrived_ns = now;
      take(std::move(*complete));
    }
  }
  if (closing_) return;
  if (const std::string cut = splitter.cut_frame(); !cut.empty())
    note({reading_fault::cause::cut_frame, {IFB_E_PROTOCOL, cut}});
}

void connection::note(reading_fault&& found) {
  const std::lock_guard lock(mutex_);
  fault_ = std::move(found);
}

void connection::take(frame&& in) {
  if (hooks_.at_once && hooks_.at_once(in)) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queued_bytes_ < most_queued || closing_.load(); });
  queued_bytes_ += in.payload.size();
  queue_.push_back(std::move(in));
  changed_.notify_all();
}

}  // namespace python_engine
