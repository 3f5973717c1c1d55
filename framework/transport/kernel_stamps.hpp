// Receive stamps by the kernel (SO_TIMESTAMPING, software): taken when a packet leaves the network
// driver, no matter when the client reads it. Over TCP, a read that takes several packets carries
// the stamp of the last packet only, so that coalesced events get the time of the last. Belongs to
// one event loop and its thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

#include "base/clock.hpp"

namespace inferbench::transport {

/// The outcome of a read of a socket.
struct received {
  ssize_t size = 0;         // as returned by recv()
  std::uint64_t stamp = 0;  // when its newest byte came: the kernel's, otherwise the loop's
  bool by_kernel = false;
};

class kernel_stamps {
 public:
  /// Stamps are converted to times of `clock`.
  explicit kernel_stamps(const base::clock& clock) noexcept : clock_(clock) {}

  /// Asks for stamps on this socket. False if the kernel refuses; reads then have no stamps.
  static bool enable(int socket) noexcept;

  /// A recv() without flags. `stamp`, the loop's, is used if the kernel gave no stamp or a stamp in
  /// the future, for instance after a step of the wall clock. The kernel's stamp may be later than
  /// `stamp` for bytes that came since, but is never later than now.
  [[nodiscard]] received receive(int socket, std::span<char> into, std::uint64_t stamp) noexcept;

  /// Converts a stamp of the wall clock to a time of `clock`; `now` is the time of `clock` for the
  /// comparison of both clocks. They are compared once every 10 ms, since the wall clock may be set
  /// meanwhile; a daemon that slews the time slews both clocks. A step of less than 5 ms is not
  /// noticed before the next comparison.
  [[nodiscard]] std::uint64_t converted(std::uint64_t unix_ns, std::uint64_t now) noexcept;

 private:
  const base::clock& clock_;
  std::uint64_t offset_ns_ = 0;  // wall clock minus `clock_`
  std::uint64_t compared_ns_ = 0;
};

}  // namespace inferbench::transport
