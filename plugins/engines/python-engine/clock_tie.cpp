#include "clock_tie.hpp"

#include <algorithm>

namespace python_engine {

void clock_tie::add(std::uint64_t sent_ns, std::uint64_t worker_ns,
                    std::uint64_t arrived_ns) noexcept {
  const std::uint64_t around = arrived_ns - sent_ns;
  const auto bound = static_cast<std::int64_t>((around + 1) / 2);
  if (bound_ >= 0 && bound >= bound_) return;
  bound_ = bound;
  // The difference is exact modulo 2^64, so a hostile clock causes no overflow.
  offset_ = static_cast<std::int64_t>(worker_ns - (sent_ns + around / 2));
  if (offset_ <= bound && offset_ >= -bound) offset_ = 0;
}

std::uint64_t clock_tie::to_host(std::uint64_t worker_ns) const noexcept {
  if (worker_ns == 0) return 0;
  return std::max<std::uint64_t>(worker_ns - static_cast<std::uint64_t>(offset_), 1);
}

}  // namespace python_engine
