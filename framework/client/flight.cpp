#include "client/flight.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace inferbench::client {

namespace {

using transport::timer_queue;

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace

flight::flight(const backend& shared, head_writer& heads, transport::event_loop& loop,
               flight_owner& owner)
    : work(shared, heads),
      shared_(shared),
      loop_(loop),
      owner_(owner),
      watch_(transport::timer::action::to<&flight::on_watch>(*this)) {}

void flight::launch(transport::connection_pool& pool, std::uint64_t now) {
  pool_ = &pool;
  work.start(now);
  heard_ns_ = now;
  named_ = false;
  watch(now);
  wire_ = &pool.acquire(*this, connect_deadline(now));
  kept_ = wire_->connected();
  if (!kept_) return;
  work.connected(now);
  send();
}

void flight::send() {
  wire_->send(work.head(), work.body());
  work.sent(wire_->sent_at());
}

void flight::cancel(std::string reason, std::uint64_t now) {
  work.fail(IFB_E_CANCELLED, std::move(reason), now);
  owner_.on_landed(*this);
}

void flight::land() noexcept {
  loop_.cancel(watch_);
  if (wire_ == nullptr) return;
  pool_->release(*wire_, work.reusable() && wire_->connected() && !wire_->sending());
  wire_ = nullptr;
}

void flight::on_connected(transport::connection& from, std::uint64_t stamp) {
  work.connected(stamp, from.tls_began_at());
  send();
}

void flight::on_bytes(transport::connection&, std::string_view bytes, std::uint64_t stamp) {
  owner_.on_heard(bytes.size(), stamp);
  heard_ns_ = stamp;
  named_ = false;
  // The first byte may have waited for room in the socket.
  if (work.current().sent_ns == 0) work.sent(wire_->sent_at());
  act(work.feed(bytes, stamp));
}

void flight::on_eof(transport::connection& from, std::uint64_t stamp) {
  if (stale(from))
    send_again(stamp);
  else
    act(work.eof(stamp));
}

void flight::on_failure(transport::connection& from, const transport::connection_failure& why,
                        std::uint64_t stamp) {
  if (stale(from)) {
    send_again(stamp);
    return;
  }
  if (base::is_shortage(why.code)) owner_.on_shortage();
  const bool late = why.when == transport::connection_failure::phase::connect_timeout;
  work.fail(late ? IFB_E_TIMEOUT : IFB_E_IO,
            why.remedy.empty() ? why.text : why.text + "; " + why.remedy, stamp);
  owner_.on_landed(*this);
}

bool flight::stale(const transport::connection& from) const {
  return (kept_ || from.sends() > 1) && !work.answered() && !work.current().sent_again;
}

void flight::send_again(std::uint64_t stamp) {
  pool_->distrust();
  work.sent_again();
  change_connection(stamp);
}

void flight::change_connection(std::uint64_t stamp) {
  pool_->release(*wire_, false);
  kept_ = false;
  wire_ = &pool_->acquire_fresh(*this, connect_deadline(stamp));
}

void flight::act(exchange::progress p) {
  if (p == exchange::progress::more) return;
  if (p == exchange::progress::done)
    owner_.on_landed(*this);
  else if (work.reusable() && wire_->connected() && !wire_->sending())
    send();
  else
    change_connection(loop_.clock().now());
}

std::uint64_t flight::connect_deadline(std::uint64_t from) const noexcept {
  return timer_queue::after(from, shared_.connect_timeout_ns);
}

// Arms the timer for the first moment at which a limit could be exceeded. Nobody arms it
// anew when something comes, so a limit that starts to count then is looked at after its
// own length.
void flight::watch(std::uint64_t now) {
  const record& r = work.current();
  const bool begun = r.first_byte_ns != 0;
  const std::uint64_t next = std::min(
      {timer_queue::after(r.start_ns, shared_.request_timeout_ns),
       begun ? timer_queue::never : timer_queue::after(r.start_ns, shared_.first_byte_timeout_ns),
       timer_queue::after(begun ? heard_ns_ : now, shared_.idle_timeout_ns),
       timer_queue::after(named_ ? now : heard_ns_, shared_.stall_warning_ns)});
  if (next != timer_queue::never) loop_.arm(watch_, next);
}

void flight::on_watch(std::uint64_t now) {
  const record& r = work.current();
  const auto reached = [now](std::uint64_t from, std::uint64_t limit) {
    return timer_queue::after(from, limit) <= now;
  };
  if (reached(r.start_ns, shared_.request_timeout_ns))
    return time_out(
        fmt::format("no complete answer after {:g} s", seconds(shared_.request_timeout_ns)), now);
  if (r.first_byte_ns == 0 && reached(r.start_ns, shared_.first_byte_timeout_ns))
    return time_out(fmt::format("no byte of an answer after {:g} s (--first-byte-timeout)",
                                seconds(shared_.first_byte_timeout_ns)),
                    now);
  if (r.first_byte_ns != 0 && reached(heard_ns_, shared_.idle_timeout_ns))
    return time_out(
        fmt::format("the answer stood still for {:g} s after {} events (--idle-timeout)",
                    seconds(shared_.idle_timeout_ns), r.tokens.size()),
        now);
  if (!named_ && reached(heard_ns_, shared_.stall_warning_ns)) {
    named_ = true;
    owner_.on_stalled(*this, now - heard_ns_);
  }
  watch(now);
}

void flight::time_out(std::string reason, std::uint64_t now) {
  work.fail(IFB_E_TIMEOUT, std::move(reason), now);
  owner_.on_landed(*this);
}

}  // namespace inferbench::client
