#include "metrics/peaks.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace inferbench::metrics {
namespace {

std::uint64_t second_of(std::uint64_t at, std::uint64_t origin) {
  return at > origin ? (at - origin) / base::ns_per_s : 0;
}

}  // namespace

void second_counts::add(std::uint64_t at) {
  const std::uint64_t second = second_of(at, origin_);
  if (second != second_) {
    flush();
    second_ = second;
  }
  ++pending_;
}

void second_counts::flush() {
  if (pending_ > 0) counts_[second_] += std::exchange(pending_, 0);
}

std::uint64_t second_counts::most() {
  flush();
  std::uint64_t most = 0;
  for (const auto& [second, count] : counts_)
    most = std::max(most, count);
  return most;
}

std::uint64_t most_in_one_second(const std::vector<span>& spans, std::uint64_t origin) {
  std::vector<span> seconds;
  seconds.reserve(spans.size());
  // A second is left when the next one begins.
  for (const auto& [begin, end] : spans)
    seconds.push_back({second_of(begin, origin), second_of(end, origin) + 1});
  return most_at_once(seconds).count;
}

peak most_at_once(const std::vector<span>& spans) {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
  begins.reserve(spans.size());
  ends.reserve(spans.size());
  for (const auto& [begin, end] : spans) {
    begins.push_back(begin);
    // One nanosecond keeps an empty span from ending before it began.
    ends.push_back(std::max(end, begin + 1));
  }
  std::ranges::sort(begins);
  std::ranges::sort(ends);
  peak out;
  std::size_t over = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    while (ends[over] <= begins[i])
      ++over;
    const std::uint64_t now = i + 1 - over;
    if (now > out.count) out = {now, begins[i]};
  }
  return out;
}

}  // namespace inferbench::metrics
