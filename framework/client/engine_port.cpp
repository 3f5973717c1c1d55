#include "client/engine_port.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "client/engine_flight.hpp"

namespace inferbench::client {

namespace {

using transport::timer_queue;

// Time that an engine gets to end a cancelled call until the user is warned; also the time between
// two warnings.
constexpr std::uint64_t patience_ns = 10 * base::ns_per_s;

// Interval at which the port tries again to cancel a call that the engine has not handed out yet.
constexpr std::uint64_t look_again_ns = 20 * base::ns_per_ms;

}  // namespace

engine_port::engine_port(const backend& shared, transport::event_loop& loop, flight_owner& owner)
    : shared_(shared),
      loop_(loop),
      owner_(owner),
      patience_(transport::timer::action::to<&engine_port::on_patience>(*this)) {}

// The event loop is woken under the lock. So no other thread uses the loop after collect() has
// taken the last flight.
void engine_port::announce(engine_flight& which) {
  const std::lock_guard lock(mutex_);
  announced_.push_back(&which);
  loop_.wake();
}

void engine_port::fault(std::string_view before, std::uint64_t sequence, std::string_view behind) {
  if (shared_.told->fault.load()) return;
  const std::lock_guard lock(mutex_);
  if (!fault_.empty()) return;
  fault_ = fmt::format("{} is at fault: it {} request {}{}; report it to the plugin's author",
                       called(), before, sequence, behind);
  loop_.wake();
}

void engine_port::collect() {
  std::string fault;
  {
    const std::lock_guard lock(mutex_);
    looking_.swap(announced_);
    fault.swap(fault_);
  }
  if (std::atomic<bool>& told = shared_.told->fault;
      !fault.empty() && !told.exchange(true) && !owner_.tell(fault))
    told = false;
  for (engine_flight* which : looking_)
    which->look();
  looking_.clear();
}

void engine_port::cancelled(engine_flight& which, std::uint64_t now) {
  cancelled_.push_back({&which, now});
  arm(now);
}

void engine_port::ended(const engine_flight& which) noexcept {
  std::erase_if(cancelled_, [&](const unending& one) { return one.which == &which; });
  if (cancelled_.empty()) loop_.cancel(patience_);
}

void engine_port::on_patience(std::uint64_t now) {
  for (const unending& one : cancelled_)
    one.which->cancel_call();
  const auto late = [now](const unending& one) { return now - one.since_ns >= patience_ns; };
  if (now >= next_line()) {
    told_ns_ = now;
    const auto count = std::ranges::count_if(cancelled_, late);
    const engine_flight& first = *cancelled_.front().which;
    owner_.tell(fmt::format(
        "{} has not ended {}{} {:.3g} s after it was cancelled{}; the run waits for it", called(),
        first.name(), count == 1 ? "" : fmt::format(" and {} more", count - 1),
        static_cast<double>(now - cancelled_.front().since_ns) / 1e9,
        first.was_told() ? "" : ", and has handed out no call to cancel"));
  }
  arm(now);
}

std::uint64_t engine_port::next_line() const noexcept {
  const std::uint64_t first = timer_queue::after(cancelled_.front().since_ns, patience_ns);
  return told_ns_ == 0 ? first : std::max(first, timer_queue::after(told_ns_, patience_ns));
}

void engine_port::arm(std::uint64_t now) {
  const bool all_know =
      std::ranges::all_of(cancelled_, [](const unending& one) { return one.which->was_told(); });
  loop_.arm(patience_, all_know ? next_line() : std::min(next_line(), now + look_again_ns));
}

std::string engine_port::called() const { return fmt::format("backend {}", shared_.id()); }

}  // namespace inferbench::client
