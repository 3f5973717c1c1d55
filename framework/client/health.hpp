// Health of one worker: shows whether its stamps are the server's times or contain delays of the
// worker. Filled on the worker's thread, and read by other threads after the worker has ended.
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
  std::uint64_t not_reusable = 0;   // connections that cannot carry another request after their
                                    // answer
  std::uint64_t sent_again = 0;     // requests that were sent again because the server had closed
                                    // their reused connection
  std::uint64_t retransmits = 0;    // retransmitted segments, from TCP_INFO at the end of each
                                    // connection
  std::uint64_t small_buffers = 0;  // connections that began with small buffers, see
                                    // connection::small_buffers()

  void add(const server_use& other) noexcept;
};

struct worker_health {
  /// For each ready descriptor, in ns: the time for which the event loop had been busy with other
  /// work when it stamped the descriptor. 0 if the loop was waiting.
  base::histogram loop_lag;
  /// For each request, in ns: the time from the moment when it was due and a permit was free to its
  /// start.
  base::histogram launch_lag;
  /// For each read: the number of bytes that were waiting in the receive queue.
  base::histogram receive_queue;
  /// For each read with a kernel stamp, in ns: the time from the kernel's stamp to the client's
  /// stamp. Empty if the kernel does not stamp.
  base::histogram kernel_to_client;
  std::uint64_t turns = 0;         // turns of the event loop
  std::uint64_t full_batches = 0;  // turns in which the batch was full, so more descriptors may
                                   // have been ready
  std::uint64_t standstills = 0;   // number of times that the loop did not check the sockets for
                                   // more than 10 ms
  std::uint64_t longest_standstill_ns = 0;
  std::uint64_t starved = 0;       // requests that were due before their sample was available
  std::uint64_t shortages = 0;     // requests for which this machine had no free port, descriptor
                                   // or thread
  std::uint64_t stalled = 0;       // number of silences of requests that reached the stall-warning
                                   // time
  std::uint64_t cpu_ns = 0;        // CPU time of the thread, from the start of traffic to its end
  std::uint64_t run_delay_ns = 0;  // time in the same period when the thread was ready to run and
                                   // waited for a core
  std::uint64_t wall_ns = 0;
  std::vector<server_use> servers;  // one element for each base URL
};

}  // namespace inferbench::client
