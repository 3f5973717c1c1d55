// Adapters of requests, and the requests of one process of several. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include <inferbench/random.hpp>

#include "offline/throughput_options.hpp"
#include "options/environment.hpp"

namespace inferbench::offline {

/// Chooses the adapter (LoRA) of each request in order: round-robin, or drawn like calls of
/// Python's random.randint with this seed. A value type.
class adapter_choice {
 public:
  explicit adapter_choice(const throughput_options& options);

  /// The number of the next request's adapter, from 1, which is also its name; 0: none.
  [[nodiscard]] std::uint32_t next();

 private:
  bool any_ = false;
  bool round_robin_ = false;
  std::int64_t count_ = 1;  // --max-loras
  std::int64_t index_ = 0;
  ifb::python_random random_;
};

/// The requests that this process carries out when several processes share them: request i belongs
/// to the process with the rank i modulo their number.
struct request_share {
  std::int64_t size = 1;
  std::int64_t rank = 0;

  [[nodiscard]] bool has(std::size_t index) const {
    return static_cast<std::int64_t>(index % static_cast<std::size_t>(size)) == rank;
  }
};

/// The share of this process. If `size`, the value of --data-parallel-size, is greater than 1, the
/// rank is $RANK / ($WORLD_SIZE / size), in whole numbers. Throws base::error if a variable is not
/// set, is no such number, or if the world is smaller than `size`.
[[nodiscard]] request_share share_of(std::int64_t size, const options::environment& env);

}  // namespace inferbench::offline
