// The counters of the kernel's TCP for one connection (TCP_INFO of Linux 4.6 and later). They have
// their own source file because <linux/tcp.h>, which defines these counters, and <netinet/tcp.h>
// cannot be included together.
#pragma once

#include <cstdint>
#include <optional>

namespace inferbench::transport {

struct tcp_facts {
  std::uint32_t retransmits = 0;       // segments retransmitted
  std::uint32_t data_segments_in = 0;  // segments with data received
};

/// Makes a system call. nullopt if the socket is not TCP or the kernel is too old.
[[nodiscard]] std::optional<tcp_facts> tcp_facts_of(int socket) noexcept;

}  // namespace inferbench::transport
