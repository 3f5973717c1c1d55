// Reads the rest of answers whose requests have already ended (IFB_END of a codec), so that their
// connections can be used again. A connection is closed if its rest is too long or takes too long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "transport/connection_pool.hpp"
#include "transport/event_loop.hpp"
#include "transport/http1_response_parser.hpp"

namespace inferbench::client {

/// The connections of one worker that are being read to the end of an answer. Used on the thread of
/// the loop. Must be destroyed before the loop and before the pools.
class drains {
 public:
  // Limits for one connection, and the number of connections that are read at the same time.
  static constexpr std::uint64_t longest_ns = base::ns_per_s;
  static constexpr std::size_t most_bytes = std::size_t{64} * 1024;
  static constexpr std::size_t most_at_once = 64;

  explicit drains(transport::event_loop& loop);
  drains(const drains&) = delete;
  drains& operator=(const drains&) = delete;
  ~drains();

  /// Takes over `wire`, a connection of `pool`, and gives it back to the pool when the body has
  /// ended or a limit is reached. `from`: the place in the body up to which it was read. If `wire`
  /// still sends its request or too many connections are being read, it is closed at once.
  void take(transport::connection_pool& pool, transport::connection& wire,
            const transport::http1_response_parser::place& from);

  /// The number of connections that are being read.
  [[nodiscard]] std::size_t count() const noexcept { return all_.size() - free_.size(); }

 private:
  class drain;

  transport::event_loop& loop_;
  std::vector<std::unique_ptr<drain>> all_;
  std::vector<drain*> free_;
};

}  // namespace inferbench::client
