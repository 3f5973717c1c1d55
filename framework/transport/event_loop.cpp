#include "transport/event_loop.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "base/error.hpp"

namespace inferbench::transport {

namespace {

// A long batch must not delay timers: with about 5 us of work per watcher, checking the timers
// every 8 watchers delays them by at most 40 us.
constexpr std::size_t watchers_between_timers = 8;

// The kernel returns a full batch within this time, if the events have already arrived.
constexpr std::uint64_t at_once_ns = 20 * base::ns_per_us;

// The longest wait while the loop is observed. So quiet_at() is never older than this. This limits
// how early an event can have arrived if several events are found in one read. The cost is 5,000
// wake-ups a second of a thread that is otherwise idle (docs/performance.md, "Stamps").
constexpr std::uint64_t look_again_ns = 200 * base::ns_per_us;

// If a loop does not check its descriptors for longer than this, something prevented it: the
// scheduler, a quota, a stop signal, or long work in a callback.
constexpr std::uint64_t standstill_ns = 10 * base::ns_per_ms;

base::fd checked(int fd, const char* what) {
  if (fd < 0)
    throw base::error(std::string("cannot create ") + what + ": " + std::strerror(errno),
                      "raise the limit of open files (ulimit -n)");
  return base::fd(fd);
}

// Edge-triggered, so that the descriptors need not be read: every expiry and every write is a new
// event.
void watch_own(int epoll, int fd, void* tag) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.ptr = tag;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
    throw base::error(std::string("cannot watch a descriptor: ") + std::strerror(errno));
}

}  // namespace

event_loop::event_loop(const base::clock& clock, const event_loop_options& options)
    : clock_(clock),
      epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "an event loop")),
      timer_fd_(checked(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "a timer")),
      wake_fd_(checked(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "a wake-up descriptor")),
      ready_(std::max<std::size_t>(options.batch, 1)),
      scratch_(std::make_unique_for_overwrite<char[]>(options.scratch_bytes)),
      scratch_size_(options.scratch_bytes) {
  if (options.stamping != base::stamping::client) kernel_.emplace(clock);
  watch_own(epoll_.get(), timer_fd_.get(), &timer_fd_);
  watch_own(epoll_.get(), wake_fd_.get(), &wake_fd_);
}

event_loop::~event_loop() = default;

bool event_loop::add(int fd, std::uint32_t events, watcher& who) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &who;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void event_loop::modify(int fd, std::uint32_t events, watcher& who) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &who;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void event_loop::remove(int fd, watcher& who) noexcept {
  epoll_event unused{};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &unused);
  for (std::size_t i = at_; i < count_; ++i)
    if (ready_[i].data.ptr == &who) ready_[i].data.ptr = nullptr;
}

// Returns false if a timer is already due, so that the loop must not wait. The timer descriptor is
// only moved to an earlier time. If its timer was cancelled, it causes one unnecessary wake-up;
// moving it at each cancel would cost a system call.
bool event_loop::prepare_wait() noexcept {
  const std::uint64_t next = timers_.next();
  if (next >= timer_set_) return true;
  if (next <= clock_.now()) return false;
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(next / base::ns_per_s);
  when.it_value.tv_nsec = static_cast<long>(next % base::ns_per_s);
  ::timerfd_settime(timer_fd_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
  timer_set_ = next;
  return true;
}

void event_loop::observe(base::histogram* lag) noexcept {
  lag_ = lag;
  turns_ = full_batches_ = 0;
  standstills_ = longest_standstill_ = asked_ = 0;
}

// Same result as epoll_wait(). While the loop is observed, the wait ends with 0 after
// look_again_ns.
int event_loop::look(bool wait) noexcept {
  const auto size = static_cast<int>(ready_.size());
  if (wait && lag_ != nullptr) {
    if (short_waits_) {
      const timespec most{0, static_cast<long>(look_again_ns)};
      const int got = ::epoll_pwait2(epoll_.get(), ready_.data(), size, &most, nullptr);
      if (got >= 0 || errno == EINTR) return got;
      short_waits_ = false;  // epoll_pwait2() is missing: Linux before 5.11, or a sandbox
    }
    return ::epoll_wait(epoll_.get(), ready_.data(), size, 1);
  }
  return ::epoll_wait(epoll_.get(), ready_.data(), size, wait ? -1 : 0);
}

// If the batch was not full, every descriptor outside the batch was quiet when the kernel was
// called. The descriptors in the batch are read after this. If the wait ended without events, all
// descriptors were quiet at its end. If a signal ended the call, for instance when a stopped
// process continues, nothing is known.
void event_loop::note_quiet(std::uint64_t asked, int got, bool waited) noexcept {
  quiet_at_ = quiet_next_;
  if (got < 0 || count_ == ready_.size()) return;
  quiet_next_ = got == 0 && waited && short_waits_ ? asked + look_again_ns : asked;
}

void event_loop::note_standstill(std::uint64_t asked) noexcept {
  const std::uint64_t before = std::exchange(asked_, asked);
  if (before == 0 || asked - before <= standstill_ns) return;
  ++standstills_;
  longest_standstill_ = std::max(longest_standstill_, asked - before);
}

// `asked`: the time before the call to the kernel. If events are returned within a few
// microseconds, they had arrived before the call. In that case the previous batch caused the delay.
void event_loop::note_lag(std::uint64_t asked) noexcept {
  const bool waited = stamp_ - asked > at_once_ns || previous_ == 0;
  const std::uint64_t lag = waited ? 0 : asked - previous_;
  ++turns_;
  if (count_ == ready_.size()) ++full_batches_;
  lag_->add(lag, count_);
}

std::size_t event_loop::run_once(bool wait) {
  const bool waits = wait && prepare_wait();
  const bool observed = lag_ != nullptr;
  const std::uint64_t asked = clock_.now();
  if (observed) note_standstill(asked);
  const int got = look(waits);
  previous_ = std::exchange(stamp_, clock_.now());
  at_ = 0;
  count_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  note_quiet(asked, got, waits && observed);
  if (observed && count_ != 0) note_lag(asked);
  std::size_t called = 0;
  if (timers_.next() <= stamp_) called += timers_.fire(stamp_);
  std::size_t since = 0;
  while (at_ < count_) {
    const epoll_event event = ready_[at_++];
    if (event.data.ptr == nullptr) continue;
    if (event.data.ptr == &timer_fd_) {
      timer_set_ = timer_queue::never;
      continue;
    }
    if (event.data.ptr == &wake_fd_) {
      woken_.exchange(false, std::memory_order_acq_rel);
      if (wake_handler_) wake_handler_();
      continue;
    }
    if (++since > watchers_between_timers && timers_.next() != timer_queue::never) {
      since = 0;
      // A timer may remove the watcher that is next. So its event is put back into the batch before
      // the timers fire.
      --at_;
      const std::uint64_t now = clock_.now();
      if (timers_.next() <= now) called += timers_.fire(now);
      continue;
    }
    static_cast<watcher*>(event.data.ptr)->on_ready(event.events, stamp_);
    ++called;
  }
  at_ = count_ = 0;
  return called;
}

void event_loop::run() {
  while (!stop_.exchange(false, std::memory_order_acq_rel))
    run_once(true);
}

void event_loop::stop() noexcept {
  stop_.store(true, std::memory_order_release);
  wake();
}

void event_loop::wake() noexcept {
  if (woken_.exchange(true, std::memory_order_acq_rel)) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_fd_.get(), &one, sizeof one);
}

}  // namespace inferbench::transport
