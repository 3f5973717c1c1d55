#include "simulator/media_queue.hpp"

#include <cerrno>
#include <utility>

namespace inferbench::simulator {

std::size_t media_job::bytes() const noexcept {
  std::size_t out = body.capacity() + media.capacity() * sizeof(sent_medium);
  for (const sent_medium& each : media)
    out += each.copied.capacity() + each.place.capacity();
  return out;
}

media_queue::media_queue(const limits& bounds) : bounds_(bounds), ring_(bounds.entries) {
  ::sem_init(&ready_, 0, 0);
}

media_queue::~media_queue() { ::sem_destroy(&ready_); }

bool media_queue::push(media_job&& job) noexcept {
  const std::uint64_t place = pushed_.load(std::memory_order_relaxed);
  const std::size_t held = held_.load(std::memory_order_relaxed);
  const std::size_t size = job.bytes();
  if (place - popped_.load(std::memory_order_acquire) == bounds_.entries) return false;
  if (held != 0 && (held > bounds_.bytes || size > bounds_.bytes - held)) return false;
  ring_[place % bounds_.entries] = std::move(job);
  held_.fetch_add(size, std::memory_order_relaxed);
  pushed_.store(place + 1, std::memory_order_release);
  ::sem_post(&ready_);
  return true;
}

void media_queue::close() noexcept { ::sem_post(&ready_); }

std::optional<media_job> media_queue::pop() noexcept {
  held_.fetch_sub(std::exchange(in_progress_, 0), std::memory_order_relaxed);
  while (::sem_wait(&ready_) != 0 && errno == EINTR) {
  }
  const std::uint64_t place = popped_.load(std::memory_order_relaxed);
  if (place == pushed_.load(std::memory_order_acquire)) return std::nullopt;
  std::optional<media_job> out = std::move(ring_[place % bounds_.entries]);
  in_progress_ = out->bytes();
  popped_.store(place + 1, std::memory_order_release);
  return out;
}

}  // namespace inferbench::simulator
