// The counters that the kernel's TCP keeps of one connection (TCP_INFO of Linux 4.10 and later). A
// unit of its own because <linux/tcp.h>, which has these counters, and <netinet/tcp.h> exclude each
// other.
#pragma once

#include <cstdint>
#include <optional>

namespace inferbench::transport {

struct tcp_facts {
  std::uint32_t retransmits = 0;          // segments retransmitted
  std::uint32_t data_segments_in = 0;     // segments with data received
  std::uint64_t send_buffer_full_us = 0;  // time that sending waited for room in the send buffer
};

/// nullopt if the kernel does not know: not TCP, or an old kernel. A system call.
[[nodiscard]] std::optional<tcp_facts> tcp_facts_of(int socket) noexcept;

}  // namespace inferbench::transport
