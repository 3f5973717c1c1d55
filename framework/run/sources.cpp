#include "run/sources.hpp"

#include <cstdint>
#include <mutex>

namespace inferbench::run {

namespace {

std::uint64_t own_time(const dataset::sample& of) {
  return of.c.arrival_ns > 0 ? static_cast<std::uint64_t>(of.c.arrival_ns) : 0;
}

}  // namespace

std::uint64_t scheduled_samples::offset_of(const dataset::sample& of) {
  return due_.empty() ? own_time(of) : walk_.at(of.sequence);
}

dataset::taken scheduled_samples::try_take(client::job& out) {
  // The times of a table without an end are drawn in the order of the samples.
  std::unique_lock lock(mutex_, std::defer_lock);
  if (due_.endless()) lock.lock();
  const dataset::taken answer = feed_.try_take(out.owned);
  if (answer != dataset::taken::sample) return answer;
  const std::uint64_t offset = offset_of(*out.owned);
  if (lock) lock.unlock();
  if (offset >= duration_ns_) {
    out.owned.reset();
    return dataset::taken::end;
  }
  if (due_.empty()) taken_.fetch_add(1, std::memory_order_relaxed);
  adapters_.assign(*out.owned);
  out.sample = &out.owned->c;
  out.sequence = out.owned->sequence;
  out.due_ns = start_ns_ + offset;
  return answer;
}

// Rows with times of their own are read until one is due later. Their number is at most the number
// of requests that were due and that the client could not send.
std::uint64_t scheduled_samples::due_before(std::uint64_t offset_ns) {
  if (!due_.empty()) return due_.due_before(offset_ns);
  std::uint64_t count = taken_.load();
  while (const dataset::sample_ptr next = feed_.take()) {
    if (own_time(*next) >= offset_ns) break;
    ++count;
  }
  return count;
}

dataset::taken repeated_sample::try_take(client::job& out) {
  const std::uint64_t n = next_.fetch_add(1);
  if (n >= count_) return dataset::taken::end;
  out.owned = nullptr;
  out.sample = &sample_;
  out.sequence = n;
  out.due_ns = now_;
  return dataset::taken::sample;
}

}  // namespace inferbench::run
