#include "heap.hpp"

#include "raise.hpp"

namespace jinja {

heap::~heap() {
  // All remaining objects belong to cycles. Each cycle has an object that can drop its references.
  // The extra reference keeps every object alive until the loop below reaches it.
  for (object* at = all_; at != nullptr; at = at->after)
    ++at->references;
  for (object* at = all_; at != nullptr; at = at->after)
    at->drop();
  for (object* at = all_; at != nullptr;) {
    object* const next = at->after;
    if (--at->references == 0) remove(at);
    at = next;
  }
}

void heap::reserve(std::size_t bytes) const {
  if (bytes > limit_ || held_ > limit_ - bytes)
    raise("MemoryError",
          "the template's values need more than " + std::to_string(limit_) + " bytes");
}

void heap::adopt(object& made, std::size_t bytes) noexcept {
  made.home = this;
  made.cost = bytes;
  held_ += bytes;
  made.after = all_;
  if (all_ != nullptr) all_->before = &made;
  all_ = &made;
}

void heap::forget(object& dead) noexcept {
  held_ -= dead.cost;
  if (dead.before != nullptr)
    dead.before->after = dead.after;
  else
    all_ = dead.after;
  if (dead.after != nullptr) dead.after->before = dead.before;
}

void heap::remove(object* dead) noexcept {
  forget(*dead);
  dead->before = dying_;
  dying_ = dead;
  if (burying_) return;
  burying_ = true;
  while (dying_ != nullptr)
    delete std::exchange(dying_, dying_->before);
  burying_ = false;
}

void bury(object* dead) noexcept { dead->home->remove(dead); }

}  // namespace jinja
