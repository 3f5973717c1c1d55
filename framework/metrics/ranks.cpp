#include "metrics/ranks.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace inferbench::metrics {
namespace {

// The most values to gather, and the largest number of parts of a stretch.
constexpr std::uint64_t few = 65536;

}  // namespace

rank_search::rank_search(const base::histogram& counted, std::span<const std::uint64_t> ranks)
    : values_(ranks.size()), first_in_(counted.buckets() + 1) {
  for (std::size_t i = 0; i < ranks.size(); ++i)
    searched_.push_back({i, ranks[i], counted.holding(ranks[i])});
  std::ranges::sort(searched_, {}, &wanted::rank);
  prepare();
}

void rank_search::prepare() {
  std::erase_if(searched_, [this](const wanted& w) {
    if (w.in.size == 1) values_[w.place] = w.in.first;
    return w.in.size == 1;
  });
  stretches_.clear();
  for (const wanted& w : searched_) {
    if (!stretches_.empty() && stretches_.back().first == w.in.first) continue;
    stretch& s = stretches_.emplace_back(w.in);
    s.gathers = s.count <= few;
    if (s.gathers) {
      s.numbers.reserve(s.count);
    } else {
      s.shift = static_cast<unsigned>(std::bit_width(std::max(s.size / few, std::uint64_t{1}))) - 1;
      s.numbers.resize(s.size >> s.shift);
    }
  }
  std::size_t next = 0;
  for (std::size_t bucket = 0; bucket < first_in_.size(); ++bucket) {
    while (next < stretches_.size() && base::histogram::bucket_of(stretches_[next].first) < bucket)
      ++next;
    first_in_[bucket] = static_cast<std::uint32_t>(next);
  }
}

void rank_search::narrow() {
  for (stretch& s : stretches_)
    if (s.gathers) std::ranges::sort(s.numbers);
  for (wanted& w : searched_) {
    const stretch& s = *std::ranges::find(stretches_, w.in.first, &stretch::first);
    if (s.gathers)
      w.in = {s.numbers[w.rank - s.before], 1, 1, w.rank};
    else
      w.in = part_of(s, w.rank);
  }
  prepare();
}

base::histogram::bucket rank_search::part_of(const stretch& s, std::uint64_t rank) {
  std::uint64_t before = s.before;
  std::size_t i = 0;
  while (rank - before >= s.numbers[i])
    before += s.numbers[i++];
  return {s.first + (std::uint64_t{i} << s.shift), std::uint64_t{1} << s.shift, s.numbers[i],
          before};
}

}  // namespace inferbench::metrics
