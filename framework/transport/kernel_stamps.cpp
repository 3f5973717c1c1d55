#include "transport/kernel_stamps.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sys/socket.h>

namespace inferbench::transport {

namespace {

// Time after which the two clocks are compared again.
constexpr std::uint64_t compare_again_ns = 10 * base::ns_per_ms;

// If the kernel's stamp differs from the loop's stamp by more than this time, the wall clock may
// have been set.
constexpr std::uint64_t doubtful_ns = 5 * base::ns_per_ms;

// A comparison that takes at most this time was not interrupted, so it is not repeated.
constexpr std::uint64_t quick_ns = base::ns_per_us;
constexpr int most_comparisons = 4;

std::uint64_t ns_of(const timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * base::ns_per_s +
         static_cast<std::uint64_t>(t.tv_nsec);
}

// Returns the kernel's software stamp, ns of the wall clock; 0 if there is no stamp.
std::uint64_t stamp_in(msghdr& message) noexcept {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_TIMESTAMPING) continue;
    scm_timestamping stamps{};
    std::memcpy(&stamps, CMSG_DATA(one), sizeof stamps);
    return ns_of({stamps.ts[0].tv_sec, stamps.ts[0].tv_nsec});
  }
  return 0;
}

}  // namespace

bool kernel_stamps::enable(int socket) noexcept {
  const int wanted = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  return ::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0;
}

received kernel_stamps::receive(int socket, std::span<char> into, std::uint64_t stamp) noexcept {
  alignas(cmsghdr) std::array<char, 128> control;
  iovec piece{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = ::recvmsg(socket, &message, 0);
  if (got <= 0) return {got, stamp, false};
  const std::uint64_t said = stamp_in(message);
  if (said == 0) return {got, stamp, false};
  std::uint64_t at = converted(said, stamp);
  // Either the client read these bytes very late, or the wall clock was set since the latest
  // comparison.
  if (at + doubtful_ns < stamp || at > stamp + doubtful_ns) {
    compared_ns_ = 0;
    at = converted(said, stamp);
  }
  if (at <= stamp) return {got, at, true};
  const std::uint64_t now = clock_.now();
  if (at > now + doubtful_ns) return {got, stamp, false};
  return {got, std::min(at, now), true};
}

// If the thread is interrupted between reading the two clocks, the comparison is wrong. So the
// clocks are compared up to four times, and the fastest comparison counts. It takes the wall
// clock's time as the time in the middle between the two reads of the other clock.
std::uint64_t kernel_stamps::converted(std::uint64_t unix_ns, std::uint64_t now) noexcept {
  if (compared_ns_ == 0 || now - compared_ns_ > compare_again_ns) {
    std::uint64_t best = UINT64_MAX;
    for (int i = 0; i < most_comparisons && best > quick_ns; ++i) {
      timespec wall{};
      const std::uint64_t before = clock_.now();
      ::clock_gettime(CLOCK_REALTIME, &wall);
      const std::uint64_t took = clock_.now() - before;
      if (took >= best) continue;
      best = took;
      offset_ns_ = ns_of(wall) - (before + took / 2);
    }
    compared_ns_ = std::max<std::uint64_t>(now, 1);
  }
  return unix_ns - offset_ns_;
}

}  // namespace inferbench::transport
