#include "metrics/peaks.hpp"

#include <algorithm>

namespace inferbench::metrics {

std::uint64_t second_table::second_of(std::uint64_t at) const noexcept {
  return at > origin_ ? (at - origin_) / base::ns_per_s : 0;
}

void second_table::seek(std::uint64_t at) {
  const std::uint64_t second = second_of(at);
  cell_ = &cell_of(second);
  second_ = origin_ + second * base::ns_per_s;
}

double& second_table::cell_of(std::uint64_t second) {
  const std::uint64_t index = second / page_seconds;
  if (last_ == nullptr || index != last_index_) {
    last_ = &pages_[index];
    last_index_ = index;
  }
  return (*last_)[second % page_seconds];
}

std::size_t second_table::bytes() const noexcept {
  // A node of the map has four words in addition to its value.
  return pages_.size() * (sizeof(decltype(pages_)::value_type) + 4 * sizeof(void*));
}

double second_sums::most() const {
  double most = 0;
  sums_.for_each([&](double sum) { most = std::max(most, sum); });
  return most;
}

void second_spans::add(span s) {
  // A span counts in its last second, so it is subtracted from the second after that.
  const std::uint64_t last = changes_.second_of(std::max(s.begin, s.end));
  changes_.add(changes_.second_of(s.begin), 1);
  changes_.add(last + 1, -1);
}

std::uint64_t second_spans::most() const {
  double now = 0;
  double most = 0;
  changes_.for_each([&](double change) { most = std::max(most, now += change); });
  return static_cast<std::uint64_t>(most);
}

second_curves curves_of(const second_sums& events, const second_spans& requests) {
  constexpr std::uint64_t most_values = 128;
  second_curves out;
  std::uint64_t end = 0;
  requests.for_each_stretch([&](std::uint64_t, std::uint64_t to, std::uint64_t) { end = to; });
  while ((end + out.step - 1) / out.step > most_values)
    out.step *= 2;
  out.requests.resize((end + out.step - 1) / out.step);
  out.events.resize(out.requests.size());
  requests.for_each_stretch([&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    for (std::uint64_t i = from / out.step; i <= (to - 1) / out.step; ++i)
      out.requests[i] = std::max(out.requests[i], count);
  });
  events.table().for_each_second([&](std::uint64_t second, double sum) {
    if (second >= end) return;
    std::uint64_t& value = out.events[second / out.step];
    value = std::max(value, static_cast<std::uint64_t>(sum));
  });
  return out;
}

peak most_at_once(const std::vector<span>& spans) {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
  begins.reserve(spans.size());
  ends.reserve(spans.size());
  for (const auto& [begin, end] : spans) {
    begins.push_back(begin);
    // An empty span gets one nanosecond. Otherwise its end would be counted before its begin.
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
