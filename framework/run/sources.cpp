#include "run/sources.hpp"

#include <cstdint>

namespace inferbench::run {

dataset::taken scheduled::try_take(client::job& out) {
  const dataset::taken answer = feed_.try_take(out.owned);
  if (answer != dataset::taken::sample) return answer;
  adapters_.assign(*out.owned);
  out.sample = &out.owned->c;
  out.sequence = out.owned->sequence;
  std::uint64_t offset = 0;
  if (!due_.empty())
    offset = due_[out.sequence];
  else if (out.sample->arrival_ns > 0)
    offset = static_cast<std::uint64_t>(out.sample->arrival_ns);
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
