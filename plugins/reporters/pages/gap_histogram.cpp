#include "gap_histogram.hpp"

#include <bit>
#include <cmath>

namespace reporters {

std::size_t gap_histogram::bucket_of(std::uint64_t us) noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(us));
  if (width <= fine_bits + 1) return us;
  const unsigned shift = width - fine_bits - 1;
  return (std::size_t{shift} << fine_bits) + (us >> shift);
}

double gap_histogram::lower_edge_us(std::size_t bucket) noexcept {
  constexpr std::size_t in_octave = std::size_t{1} << fine_bits;
  if (bucket < 2 * in_octave) return static_cast<double>(bucket);
  const std::size_t shift = bucket / in_octave - 1;
  const std::size_t digits = bucket % in_octave + in_octave;
  return std::ldexp(static_cast<double>(digits), static_cast<int>(shift));
}

void gap_histogram::write(ifb::json_writer& out) const {
  std::size_t first = 0;
  std::size_t end = counts_.size();
  while (first < end && counts_[first] == 0)
    ++first;
  while (end > first && counts_[end - 1] == 0)
    --end;
  out.begin_object();
  out.key("edges_ms");
  out.begin_array();
  for (std::size_t i = first; i <= end && first < end; ++i)
    out.number(lower_edge_us(i) / 1e3);
  out.end_array();
  out.key("counts");
  out.begin_array();
  for (std::size_t i = first; i < end; ++i)
    out.integer(counts_[i]);
  out.end_array();
  out.end_object();
}

}  // namespace reporters
