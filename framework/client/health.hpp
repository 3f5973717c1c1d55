// What a worker knows about itself: whether what it stamped was the server's time or
// its own. Filled on the worker's thread, read by others after it has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "base/histogram.hpp"

namespace inferbench::client {

/// How the connections to one base URL were used.
struct server_use {
  std::uint64_t requests = 0;
  std::uint64_t connects = 0;      // connections begun, those opened ahead included
  std::uint64_t opened_ahead = 0;  // of them, before the measurement
  std::uint64_t reuses = 0;        // requests that found an open one
  std::uint64_t closed_idle = 0;   // the server closed it while it was idle
  std::uint64_t not_reusable = 0;  // given back unfit for another request
  std::uint64_t sent_again = 0;    // requests sent once more after a stale connection
  std::uint64_t retransmits = 0;   // segments, by TCP_INFO at the end of each connection
  std::uint64_t small_buffers =
      0;  // connects whose socket got little room: transport/connection.hpp

  void add(const server_use& other) noexcept;
};

struct worker_health {
  /// For each ready descriptor, ns: how long the loop had been busy elsewhere, and so
  /// may have been blind to it, when it was stamped. 0 where the loop was waiting.
  base::histogram loop_lag;
  /// For each request, ns: from the moment when it could go (due, and a permit free) to its
  /// start.
  base::histogram launch_lag;
  /// For each read, bytes that it found waiting: the depth of the receive queue.
  base::histogram receive_queue;
  /// For each stamped read, ns: from the kernel's stamp to the client's. Only where the
  /// kernel stamps.
  base::histogram kernel_to_client;
  std::uint64_t turns = 0;         // of the loop
  std::uint64_t full_batches = 0;  // turns that filled the batch: more was waiting
  std::uint64_t standstills = 0;  // times that more than 10 ms lay between two looks at the sockets
  std::uint64_t longest_standstill_ns = 0;
  std::uint64_t starved = 0;    // requests that were due before their sample was there
  std::uint64_t shortages = 0;  // connections that this machine could not make: ports, descriptors
  std::uint64_t stalled = 0;    // requests that were named for their silence
  std::uint64_t cpu_ns = 0;     // of the thread, from the start of traffic to its end
  std::uint64_t run_delay_ns = 0;  // ready to run but waiting for a core, likewise
  std::uint64_t wall_ns = 0;
  std::vector<server_use> servers;  // one for each base URL
};

}  // namespace inferbench::client
