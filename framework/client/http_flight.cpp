#include "client/http_flight.hpp"

#include <utility>

#include "base/limits.hpp"

namespace inferbench::client {

using transport::timer_queue;

http_flight::http_flight(const backend& shared, head_writer& heads, const connection_pools& pools,
                         transport::event_loop& loop, flight_owner& owner)
    : flight(shared, loop, owner), work_(shared, heads), pools_(pools) {}

bool http_flight::prepare() {
  const bool good = work_.prepare(*what.sample, what.sequence, what.due_ns);
  server = work_.current().server;
  return good;
}

void http_flight::launch(std::uint64_t now) {
  pool_ = pools_[server].get();
  work_.start(now);
  heard_ns_ = now;
  watch(now);
  wire_ = &pool_->acquire(*this, connect_deadline(now));
  kept_ = wire_->connected();
  if (!kept_) return;
  work_.connected(now);
  send();
}

void http_flight::send() {
  wire_->send(work_.head(), work_.body());
  work_.sent(wire_->sent_at());
}

record http_flight::land() {
  stop_watching();
  if (wire_ != nullptr) {
    pool_->release(*wire_, work_.reusable() && wire_->connected() && !wire_->sending());
    wire_ = nullptr;
  }
  over_ns = work_.current().end_ns;
  return work_.finish();
}

void http_flight::end_early(ifb_status status, std::string reason, std::uint64_t now) {
  work_.fail(status, std::move(reason), now);
  owner_.on_landed(*this);
}

flight::life http_flight::signs() {
  const record& r = work_.current();
  return {r.start_ns, heard_ns_, r.tokens.size(), r.first_byte_ns != 0};
}

void http_flight::on_connected(transport::connection& from, std::uint64_t stamp) {
  work_.connected(stamp, from.tls_began_at());
  send();
}

void http_flight::on_bytes(transport::connection&, std::string_view bytes, std::uint64_t stamp) {
  owner_.on_heard(bytes.size(), stamp);
  heard_ns_ = stamp;
  // The first byte may have waited for room in the socket.
  if (work_.current().sent_ns == 0) work_.sent(wire_->sent_at());
  act(work_.feed(bytes, stamp));
}

void http_flight::on_eof(transport::connection& from, std::uint64_t stamp) {
  if (stale(from))
    send_again(stamp);
  else
    act(work_.eof(stamp));
}

void http_flight::on_failure(transport::connection& from, const transport::connection_failure& why,
                             std::uint64_t stamp) {
  if (stale(from)) {
    send_again(stamp);
    return;
  }
  if (base::is_shortage(why.code)) owner_.on_shortage();
  const bool late = why.when == transport::connection_failure::phase::connect_timeout;
  end_early(late ? IFB_E_TIMEOUT : IFB_E_IO,
            why.remedy.empty() ? why.text : why.text + "; " + why.remedy, stamp);
}

bool http_flight::stale(const transport::connection& from) const {
  return (kept_ || from.sends() > 1) && !work_.answered() && !work_.current().sent_again;
}

void http_flight::send_again(std::uint64_t stamp) {
  pool_->distrust();
  work_.sent_again();
  change_connection(stamp);
}

void http_flight::change_connection(std::uint64_t stamp) {
  pool_->release(*wire_, false);
  kept_ = false;
  wire_ = &pool_->acquire_fresh(*this, connect_deadline(stamp));
}

void http_flight::act(exchange::progress p) {
  if (p == exchange::progress::more) return;
  if (p == exchange::progress::done)
    owner_.on_landed(*this);
  else if (work_.reusable() && wire_->connected() && !wire_->sending())
    send();
  else
    change_connection(loop_.clock().now());
}

std::uint64_t http_flight::connect_deadline(std::uint64_t from) const noexcept {
  return timer_queue::after(from, shared_.connect_timeout_ns);
}

}  // namespace inferbench::client
