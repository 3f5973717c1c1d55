#include "transport/connection_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace inferbench::transport {

namespace {

// A connection that received bytes within this time need not be checked.
constexpr std::uint64_t no_look_ns = 100 * base::ns_per_us;
// A server that closes connections after an answer does so within this time, unless it has to wait
// for a core.
constexpr std::uint64_t first_look_ns = 2 * base::ns_per_ms;
// If the server closes a connection later than this after its answer, it does so because the
// connection is idle.
constexpr std::uint64_t soon_ns = base::ns_per_s;

}  // namespace

connection_pool::connection_pool(event_loop& loop, const endpoint& where)
    : loop_(loop), where_(where), refused_(where.addresses.size(), false) {}

connection_pool::~connection_pool() = default;

connection& connection_pool::acquire(connection_listener& who, std::uint64_t connect_deadline) {
  for (std::size_t n = idle_.size(); n-- > 0;) {
    const auto [last, since, announced] = idle_[n];
    const std::uint64_t age = loop_.stamp() - std::min(loop_.stamp(), since);
    if (!last->closed() && since != 0 && age < trial_ns(idle_[n])) continue;
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(n));
    if (last->closed()) {
      closed_.push_back(last);
      continue;
    }
    --idle_open_;
    const bool fresh = trusted_ && last->heard_at() != 0 && since != 0 && age < no_look_ns;
    if (fresh || last->quiet()) {
      if (announced && habit_ == habit::unknown) habit_ = habit::keeps;
      ++counters_.reuses;
      last->set_listener(who);
      return *last;
    }
    note_closed(since);
    put_away(*last);
  }
  return acquire_fresh(who, connect_deadline);
}

std::uint64_t connection_pool::trial_ns(const idle_one& of) const noexcept {
  switch (habit_) {
    case habit::unknown: return of.announced ? first_look_ns : 0;
    case habit::keeps: return 0;
    case habit::closes: break;
  }
  return soon_ns;
}

void connection_pool::note_closed(std::uint64_t since) noexcept {
  ++counters_.closed_idle;
  trusted_ = false;
  if (since != 0 && loop_.stamp() - std::min(loop_.stamp(), since) < soon_ns)
    habit_ = habit::closes;
}

void connection_pool::distrust(const connection& what) noexcept {
  trusted_ = false;
  if (what.sent_at() - std::min(what.sent_at(), what.heard_at()) < soon_ns || what.heard_at() == 0)
    habit_ = habit::closes;
}

connection& connection_pool::acquire_fresh(connection_listener& who,
                                           std::uint64_t connect_deadline) {
  return connect(who, connect_deadline);
}

connection& connection_pool::connect(connection_listener& who, std::uint64_t connect_deadline) {
  if (closed_.empty()) {
    all_.push_back(std::make_unique<connection>(loop_));
    // Reserve memory now: release() must not fail, so it must never allocate.
    idle_.reserve(all_.capacity());
    closed_.reserve(all_.capacity());
    closed_.push_back(all_.back().get());
  }
  connection& fresh = *closed_.back();
  closed_.pop_back();
  ++counters_.connects;
  fresh.set_listener(who);
  fresh.connect(where_, next_address(), connect_deadline, &sessions_);
  if (fresh.small_buffers()) ++counters_.small_buffers;
  return fresh;
}

void connection_pool::open_ahead(std::size_t count, std::uint64_t connect_deadline) {
  for (std::size_t i = 0; i < count; ++i) {
    ++opening_;
    std::ignore = connect(*this, connect_deadline);
  }
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

// If an address accepted only after other addresses had failed, new connections skip the failed
// addresses until the working address fails, too.
void connection_pool::note_addresses(const connection& from) noexcept {
  const std::size_t count = where_.addresses.size();
  refused_[from.address_index()] = false;
  for (std::size_t back = 1; back < from.tried(); ++back)
    refused_[(from.address_index() + count - back) % count] = true;
}

void connection_pool::release(connection& what, bool reusable, bool announced) noexcept {
  if (what.connected() || what.sends() > 0) note_addresses(what);
  if (reusable && what.connected() && !what.sending()) {
    what.set_listener(*this);
    idle_.push_back({&what, what.sends() == 0 ? 0 : loop_.stamp(), announced});
    ++idle_open_;
    return;
  }
  ++counters_.not_reusable;
  put_away(what);
}

void connection_pool::put_away(connection& what) noexcept {
  what.close();
  retransmits_ += what.retransmits();
  closed_.push_back(&what);
}

const connection_counters& connection_pool::counters() const noexcept {
  counters_.retransmits = retransmits_;
  for (const auto& one : all_)
    if (!one->closed()) counters_.retransmits += one->retransmits();
  return counters_;
}

// Called only for connections of open_ahead(): connections in use have their own listeners.
void connection_pool::on_connected(connection& from, std::uint64_t) {
  --opening_;
  ++counters_.opened_ahead;
  note_addresses(from);
  idle_.push_back({&from, 0, false});
  ++idle_open_;
}

// After any event, an idle connection cannot be used any more. Its entry stays in idle_ until
// acquire() finds it.
void connection_pool::lose_idle(connection& what) noexcept {
  what.close();
  retransmits_ += what.retransmits();
  --idle_open_;
  const auto entry = std::ranges::find(idle_, &what, &idle_one::what);
  note_closed(entry->since);
}

void connection_pool::on_bytes(connection& from, std::string_view, std::uint64_t) {
  lose_idle(from);
}

void connection_pool::on_eof(connection& from, std::uint64_t) { lose_idle(from); }

void connection_pool::on_failure(connection& from, const connection_failure& why, std::uint64_t) {
  using phase = connection_failure::phase;
  // A server may report a problem with the client's certificate only after the handshake.
  if (from.sends() == 0) ahead_failure_ = why;
  if (why.when == phase::send || why.when == phase::receive) {
    lose_idle(from);
    return;
  }
  --opening_;
  put_away(from);
}

}  // namespace inferbench::transport
