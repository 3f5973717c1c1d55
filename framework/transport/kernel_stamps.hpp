// Receive stamps by the kernel (SO_TIMESTAMPING, software): taken when a packet comes
// out of the network driver, however long the client takes to read it. Over TCP a read
// that takes several packets carries the stamp of the last one only, so coalesced events
// look as late as the last of them. Belongs to one event loop and its thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

#include "base/clock.hpp"

namespace inferbench::transport {

/// The outcome of a read of a socket.
struct received {
  ssize_t size = 0;         // as recv() answers
  std::uint64_t stamp = 0;  // when its newest byte came: the kernel's, else the loop's
  bool by_kernel = false;
};

class kernel_stamps {
 public:
  /// `clock` is what stamps are converted to.
  explicit kernel_stamps(const base::clock& clock) noexcept : clock_(clock) {}

  /// Asks for stamps on this socket. False when the kernel refuses; reads then have none.
  static bool enable(int socket) noexcept;

  /// A recv() without flags; `stamp`, the loop's, stands where the kernel gave none, or one of the
  /// future, as after a step of the wall clock. The kernel's may be later than that, of bytes that
  /// came since, but is never later than now.
  [[nodiscard]] received receive(int socket, std::span<char> into, std::uint64_t stamp) noexcept;

  /// A stamp of the wall clock as one of `clock`, `now` being what both clocks are
  /// compared at. Once every 10 ms, since the wall clock may be set meanwhile; a daemon that slews
  /// the time slews both clocks. A step of less than 5 ms is not noticed before the next
  /// comparison.
  [[nodiscard]] std::uint64_t converted(std::uint64_t unix_ns, std::uint64_t now) noexcept;

 private:
  const base::clock& clock_;
  std::uint64_t offset_ns_ = 0;  // wall clock less `clock_`
  std::uint64_t compared_ns_ = 0;
};

}  // namespace inferbench::transport
