// Health of one worker: whether its stamps show the server's time or the worker's own delays.
// Filled on the worker's thread, read by others after the worker has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "base/histogram.hpp"

namespace inferbench::client {

/// How the connections to one base URL were used.
struct server_use {
  std::uint64_t requests = 0;
  std::uint64_t connects = 0;       // connections begun, including those opened ahead
  std::uint64_t opened_ahead = 0;   // connections begun before the measurement
  std::uint64_t reuses = 0;         // requests that found an open connection
  std::uint64_t closed_idle = 0;    // connections that the server closed while they were idle
  std::uint64_t not_reusable = 0;   // connections given back that cannot carry another request
  std::uint64_t sent_again = 0;     // requests sent once more after a stale connection
  std::uint64_t retransmits = 0;    // segments, from TCP_INFO at the end of each connection
  std::uint64_t small_buffers = 0;  // connects with little room: connection::small_buffers()

  void add(const server_use& other) noexcept;
};

struct worker_health {
  /// For each ready descriptor, ns: how long the loop had been busy elsewhere when it stamped the
  /// descriptor. 0 if the loop was waiting.
  base::histogram loop_lag;
  /// For each request, ns: from the moment when it could go (due, and a permit free) to its start.
  base::histogram launch_lag;
  /// For each read, the bytes that were waiting: the depth of the receive queue.
  base::histogram receive_queue;
  /// For each stamped read, ns: from the kernel's stamp to the client's. Empty if the kernel does
  /// not stamp.
  base::histogram kernel_to_client;
  std::uint64_t turns = 0;         // of the loop
  std::uint64_t full_batches = 0;  // turns that filled the batch: more descriptors were ready
  std::uint64_t standstills = 0;   // times that two looks at the sockets were more than 10 ms apart
  std::uint64_t longest_standstill_ns = 0;
  std::uint64_t starved = 0;       // requests that were due before their sample was there
  std::uint64_t shortages = 0;     // connections for which this machine had no port or descriptor
  std::uint64_t stalled = 0;       // requests reported for their silence
  std::uint64_t cpu_ns = 0;        // of the thread, from the start of traffic to its end
  std::uint64_t run_delay_ns = 0;  // of the thread, likewise: ready to run, waiting for a core
  std::uint64_t wall_ns = 0;
  std::vector<server_use> servers;  // one for each base URL
};

}  // namespace inferbench::client
