#include "simulator/scheduler.hpp"

#include <algorithm>
#include <cmath>

namespace inferbench::simulator {

namespace {

std::uint64_t rounded(double ns) noexcept {
  // At most 2^62 ns (146 years), so that the sum of a few such times does not overflow.
  return static_cast<std::uint64_t>(std::min(std::round(ns), 0x1p62));
}

constexpr std::size_t children = 4;

}  // namespace

void scheduler::submit(job& what, std::uint64_t now) {
  if (plan_.max_running == 0 || running_ < plan_.max_running) return admit(what, now);
  what.where_ = job::place::waiting;
  what.before_ = last_;
  what.after_ = nullptr;
  (last_ == nullptr ? first_ : last_->after_) = &what;
  last_ = &what;
  ++waiting_;
}

void scheduler::admit(job& what, std::uint64_t now) {
  ++running_;
  what.admitted = now;
  what.due = now + rounded(plan_.ttft.sample(what.draws, running_));
  what.paced = true;
  what.where_ = job::place::taken;
  put(what);
}

job* scheduler::take(std::uint64_t now) {
  if (heap_.empty() || heap_[0].due > now) return nullptr;
  job* what = heap_[0].what;
  erase(0);
  what->where_ = job::place::taken;
  return what;
}

bool scheduler::advance(job& what) noexcept {
  if (--what.events == 0) return false;
  const double stretch = 1 + plan_.slowdown * static_cast<double>(running_ - 1);
  const std::uint64_t gap =
      plan_.itl.zero() ? 0 : rounded(plan_.itl.sample(what.draws, running_) * stretch);
  what.due = std::min(what.due + gap, std::uint64_t{1} << 63U);
  what.paced = gap > 0;
  return true;
}

void scheduler::put(job& what) {
  what.where_ = job::place::heap;
  heap_.emplace_back();
  up(heap_.size() - 1, {what.due, order_++, &what});
}

void scheduler::remove(job& what, std::uint64_t now) {
  switch (what.where_) {
    case job::place::none: return;
    case job::place::waiting:
      (what.before_ == nullptr ? first_ : what.before_->after_) = what.after_;
      (what.after_ == nullptr ? last_ : what.after_->before_) = what.before_;
      --waiting_;
      what.where_ = job::place::none;
      return;
    case job::place::heap: erase(what.index_); break;
    case job::place::taken: break;
  }
  what.where_ = job::place::none;
  --running_;
  if (first_ == nullptr) return;
  job* next = first_;
  first_ = next->after_;
  (first_ == nullptr ? last_ : first_->before_) = nullptr;
  --waiting_;
  admit(*next, now);
}

std::uint64_t scheduler::next_due() const noexcept {
  return heap_.empty() ? UINT64_MAX : heap_[0].due;
}

void scheduler::place_at(std::size_t index, entry value) noexcept {
  heap_[index] = value;
  value.what->index_ = index;
}

void scheduler::erase(std::size_t index) {
  const entry last = heap_.back();
  heap_.pop_back();
  if (index == heap_.size()) return;
  if (index > 0 && last.before(heap_[(index - 1) / children]))
    up(index, last);
  else
    down(index, last);
}

void scheduler::up(std::size_t index, entry value) {
  while (index > 0) {
    const std::size_t parent = (index - 1) / children;
    if (!value.before(heap_[parent])) break;
    place_at(index, heap_[parent]);
    index = parent;
  }
  place_at(index, value);
}

void scheduler::down(std::size_t index, entry value) {
  for (;;) {
    const std::size_t first = index * children + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + children, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (heap_[child].before(heap_[least])) least = child;
    if (!heap_[least].before(value)) break;
    place_at(index, heap_[least]);
    index = least;
  }
  place_at(index, value);
}

}  // namespace inferbench::simulator
