#include "transport/tcp_facts.hpp"

#include <cstddef>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace inferbench::transport {

std::optional<tcp_facts> tcp_facts_of(int socket) noexcept {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(tcp_info, tcpi_data_segs_in) + sizeof info.tcpi_data_segs_in)
    return std::nullopt;
  return tcp_facts{info.tcpi_total_retrans, info.tcpi_data_segs_in};
}

}  // namespace inferbench::transport
