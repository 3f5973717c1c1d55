#include "run/sources.hpp"

namespace inferbench::run {

dataset::taken scheduled::try_take(client::job& out) {
  const dataset::taken answer = feed_.try_take(out.owned);
  if (answer != dataset::taken::sample) return answer;
  out.sample = &out.owned->c;
  out.sequence = out.owned->sequence;
  // A trace says itself when its requests are due.
  const bool own_time = (feed_.flags() & IFB_DATASET_ARRIVALS) != 0;
  const std::uint64_t offset =
      own_time ? static_cast<std::uint64_t>(out.sample->arrival_ns > 0 ? out.sample->arrival_ns : 0)
               : due_[out.sequence];
  out.due_ns = start_ns_ + offset;
  return answer;
}

dataset::taken repeated::try_take(client::job& out) {
  const std::uint64_t n = next_.fetch_add(1);
  if (n >= count_) return dataset::taken::end;
  out.owned = nullptr;
  out.sample = &sample_;
  out.sequence = n;
  out.due_ns = now_;
  return dataset::taken::sample;
}

}  // namespace inferbench::run
