#include "gap_store.hpp"

#include <algorithm>
#include <utility>

namespace reporters {

void gap_store::add(std::uint64_t sequence, std::uint64_t latency_us, std::uint64_t count,
                    const std::string& bytes) {
  total_ += count;
  if (keeps_all()) {
    all_.push_back({latency_us, {sequence, count, bytes}});
    return;
  }
  for (early& one : std::exchange(all_, {}))
    add_notable(one.latency_us, std::move(one.gaps));
  notable_.add(sequence, latency_us, count, [&] { return gap_list{sequence, count, bytes}; });
}

void gap_store::add_notable(std::uint64_t latency_us, gap_list gaps) {
  const std::uint64_t sequence = gaps.sequence;
  const std::uint64_t count = gaps.count;
  notable_.add(sequence, latency_us, count, [&] { return std::move(gaps); });
}

std::vector<gap_store::gap_list> gap_store::take() {
  std::vector<gap_list> out;
  if (keeps_all()) {
    for (early& one : std::exchange(all_, {}))
      out.push_back(std::move(one.gaps));
    std::ranges::stable_sort(out, {}, &gap_list::sequence);
    return out;
  }
  for (auto& one : notable_.take())
    out.push_back(std::move(one.value));
  return out;
}

}  // namespace reporters
