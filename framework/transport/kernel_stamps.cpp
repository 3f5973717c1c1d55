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

constexpr std::uint64_t compare_again_ns = 10 * base::ns_per_ms;
constexpr std::uint64_t doubtful_ns = 5 * base::ns_per_ms;

std::uint64_t ns_of(const timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * base::ns_per_s +
         static_cast<std::uint64_t>(t.tv_nsec);
}

// The software stamp, or 0.
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

ssize_t kernel_stamps::receive(int socket, std::span<char> into, std::uint64_t& stamp) noexcept {
  alignas(cmsghdr) std::array<char, 128> control;
  iovec piece{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = ::recvmsg(socket, &message, 0);
  if (got <= 0) return got;
  if (const std::uint64_t said = stamp_in(message); said != 0) {
    std::uint64_t at = converted(said, stamp);
    // Either the client is far behind, or the wall clock was set since the comparison.
    if (at + doubtful_ns < stamp || at > stamp + doubtful_ns) {
      compared_ns_ = 0;
      at = converted(said, stamp);
    }
    stamp = std::min(stamp, at);
  }
  return got;
}

std::uint64_t kernel_stamps::converted(std::uint64_t unix_ns, std::uint64_t now) noexcept {
  if (offset_ns_ == 0 || now - compared_ns_ > compare_again_ns) {
    timespec wall{};
    const std::uint64_t before = clock_.now();
    ::clock_gettime(CLOCK_REALTIME, &wall);
    const std::uint64_t after = clock_.now();
    offset_ns_ = ns_of(wall) - (before + (after - before) / 2);
    compared_ns_ = now;
  }
  return unix_ns - offset_ns_;
}

}  // namespace inferbench::transport
