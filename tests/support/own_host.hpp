// An address for the servers of a test.
#pragma once

#include <string>

#include <unistd.h>

namespace inferbench::support {

/// An address of the loopback network 127.0.0.0/8 that no other process uses: it contains the id of
/// this process.
inline std::string own_host() {
  const auto id = static_cast<unsigned>(::getpid());
  return "127." + std::to_string(1 + (id >> 16U) % 254) + "." + std::to_string((id >> 8U) % 256) +
         "." + std::to_string(id % 256);
}

}  // namespace inferbench::support
