#include "client/flight.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "plugin/instance.hpp"

namespace inferbench::client {

namespace {

using transport::timer_queue;

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace

flight::flight(const backend& shared, transport::event_loop& loop, flight_owner& owner)
    : shared_(shared),
      loop_(loop),
      owner_(owner),
      watch_(transport::timer::action::to<&flight::on_watch>(*this)) {}

void flight::refuse(std::uint64_t now) {
  work().start(now);
  work().fail(IFB_E_INTERNAL, {}, now);
}

void flight::cancel(std::string reason, std::uint64_t now) {
  end_early(IFB_E_CANCELLED, std::move(reason), now);
}

std::string flight::name() const {
  const std::string_view id = plugin::view(what.sample->id);
  return fmt::format("request {}{}", what.sequence, id.empty() ? "" : fmt::format(" ({})", id));
}

void flight::watch(std::uint64_t now) {
  named_ns_ = 0;
  watching_ = true;
  arm({now, now, 0, false, 0}, now);
}

// Arms the timer for the first moment at which a limit could be exceeded. The timer is not armed
// again when bytes arrive. A limit that begins to count with the first byte is therefore counted
// from `now` until then.
void flight::arm(const life& so_far, std::uint64_t now) {
  const bool named = named_ns_ == so_far.heard_ns;
  const std::uint64_t next = std::min(
      {timer_queue::after(so_far.start_ns, shared_.request_timeout_ns),
       so_far.begun ? timer_queue::never
                    : timer_queue::after(so_far.start_ns, shared_.first_byte_timeout_ns),
       timer_queue::after(so_far.begun ? so_far.heard_ns : now, shared_.idle_timeout_ns),
       so_far.error_ns == 0 ? timer_queue::never
                            : timer_queue::after(so_far.error_ns, shared_.error_body_timeout_ns),
       timer_queue::after(named ? now : so_far.heard_ns, shared_.stall_warning_ns)});
  if (next == timer_queue::never || (watch_.armed() && watch_.deadline() <= next)) return;
  loop_.arm(watch_, next);
}

void flight::on_watch(std::uint64_t now) {
  if (!watching_) return;
  const life so_far = signs();
  const auto reached = [now](std::uint64_t from, std::uint64_t limit) {
    return timer_queue::after(from, limit) <= now;
  };
  if (so_far.error_ns != 0 && reached(so_far.error_ns, shared_.error_body_timeout_ns))
    return end_error(now);
  if (reached(so_far.start_ns, shared_.request_timeout_ns))
    return end_early(
        IFB_E_TIMEOUT,
        fmt::format("no complete answer after {:.3g} s", seconds(shared_.request_timeout_ns)), now);
  if (!so_far.begun && reached(so_far.start_ns, shared_.first_byte_timeout_ns))
    return end_early(IFB_E_TIMEOUT,
                     fmt::format("no byte of an answer after {:g} s (--first-byte-timeout)",
                                 seconds(shared_.first_byte_timeout_ns)),
                     now);
  if (so_far.begun && reached(so_far.heard_ns, shared_.idle_timeout_ns))
    return end_early(
        IFB_E_TIMEOUT,
        fmt::format("the answer stood still for {:g} s after {} events (--idle-timeout)",
                    seconds(shared_.idle_timeout_ns), so_far.events),
        now);
  if (named_ns_ != so_far.heard_ns && reached(so_far.heard_ns, shared_.stall_warning_ns)) {
    named_ns_ = so_far.heard_ns;
    owner_.on_stalled(*this, {now - so_far.heard_ns, so_far.events, so_far.begun});
  }
  arm(so_far, now);
}

}  // namespace inferbench::client
