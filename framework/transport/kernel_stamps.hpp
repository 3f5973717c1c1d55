// Receive stamps by the kernel (SO_TIMESTAMPING, software). The kernel takes a stamp when a packet
// leaves the network driver, so it does not matter when the client reads the packet. Over TCP, a
// read of several packets has only the stamp of the last packet. So events that are read together
// all get the time of the last event. Belongs to one event loop and its thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

#include "base/clock.hpp"

namespace inferbench::transport {

/// The result of reading from a socket.
struct received {
  ssize_t size = 0;         // as returned by recv()
  std::uint64_t stamp = 0;  // when the newest byte came: the kernel's stamp, otherwise the loop's
                            // stamp
  bool by_kernel = false;
};

class kernel_stamps {
 public:
  /// Stamps are converted to times of `clock`.
  explicit kernel_stamps(const base::clock& clock) noexcept : clock_(clock) {}

  /// Enables stamps on this socket. Returns false if the kernel refuses; in that case reads have no
  /// kernel stamps.
  static bool enable(int socket) noexcept;

  /// A recv() without flags. `stamp` is the loop's stamp. It is used if the kernel gave no stamp,
  /// or a stamp in the future, for instance after a step of the wall clock. The kernel's stamp may
  /// be later than `stamp` for bytes that came after it, but the result is never later than the
  /// current time.
  [[nodiscard]] received receive(int socket, std::span<char> into, std::uint64_t stamp) noexcept;

  /// Converts a stamp of the wall clock to a time of `clock`. `now` is the current time of `clock`.
  /// The two clocks are compared again after 10 ms, since the wall clock may have been set. A
  /// daemon that slews the time slews both clocks. A step of less than 5 ms is noticed only at the
  /// next comparison.
  [[nodiscard]] std::uint64_t converted(std::uint64_t unix_ns, std::uint64_t now) noexcept;

 private:
  const base::clock& clock_;
  std::uint64_t offset_ns_ = 0;  // wall clock minus `clock_`
  std::uint64_t compared_ns_ = 0;
};

}  // namespace inferbench::transport
