#include "transport/connection_pool.hpp"

namespace inferbench::transport {

connection_pool::connection_pool(event_loop& loop, const endpoint& where)
    : loop_(loop), where_(where), refused_(where.addresses.size(), false) {}

connection_pool::~connection_pool() = default;

connection& connection_pool::acquire(connection_listener& who, std::uint64_t connect_deadline) {
  while (!idle_.empty()) {
    connection& last = *idle_.back();
    idle_.pop_back();
    if (!last.closed()) {
      --idle_open_;
      if (last.quiet()) {
        ++counters_.reuses;
        last.set_listener(who);
        return last;
      }
      ++counters_.closed_idle;
      last.close();
    }
    closed_.push_back(&last);
  }
  return acquire_fresh(who, connect_deadline);
}

connection& connection_pool::acquire_fresh(connection_listener& who,
                                           std::uint64_t connect_deadline) {
  if (closed_.empty()) {
    all_.push_back(std::make_unique<connection>(loop_));
    // So that release(), which may not fail, never allocates.
    idle_.reserve(all_.capacity());
    closed_.reserve(all_.capacity());
    closed_.push_back(all_.back().get());
  }
  connection& fresh = *closed_.back();
  closed_.pop_back();
  ++counters_.connects;
  fresh.set_listener(who);
  fresh.connect(where_.addresses, next_address(), connect_deadline);
  return fresh;
}

std::size_t connection_pool::next_address() noexcept {
  const std::size_t count = where_.addresses.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t one = (next_address_ + i) % count;
    if (refused_[one]) continue;
    next_address_ = (one + 1) % count;
    return one;
  }
  return 0;
}

void connection_pool::release(connection& what, bool reusable) noexcept {
  // Where a connection came about only after other addresses had failed, new ones
  // leave those out, unless that one too fails some day.
  if (what.connected() || what.sends() > 0) {
    const std::size_t count = where_.addresses.size();
    refused_[what.address_index()] = false;
    for (std::size_t back = 1; back < what.tried(); ++back)
      refused_[(what.address_index() + count - back) % count] = true;
  }
  if (reusable && what.connected() && !what.sending()) {
    what.set_listener(*this);
    idle_.push_back(&what);
    ++idle_open_;
    return;
  }
  ++counters_.not_reusable;
  what.close();
  closed_.push_back(&what);
}

// Whatever an idle connection has to say, it is of no use any more. Its entry stays
// in idle_ until acquire() comes across it.
void connection_pool::on_bytes(connection& from, std::string_view, std::uint64_t) {
  from.close();
  --idle_open_;
  ++counters_.closed_idle;
}

void connection_pool::on_eof(connection& from, std::uint64_t stamp) { on_bytes(from, {}, stamp); }

void connection_pool::on_failure(connection& from, const connection_failure&, std::uint64_t stamp) {
  on_bytes(from, {}, stamp);
}

}  // namespace inferbench::transport
