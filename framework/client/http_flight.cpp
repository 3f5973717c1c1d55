#include "client/http_flight.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/limits.hpp"
#include "client/large_sample.hpp"

namespace inferbench::client {

using transport::timer_queue;

namespace {

// If a request waited longer than this for the first byte when it was cancelled, the error message
// contains advice.
constexpr std::uint64_t long_ns = base::ns_per_s;

// Asking the kernel whether bytes came at the same time costs a system call of half a microsecond.
// It is not made if the possible delay is too short to change any metric.
constexpr std::uint64_t worth_asking_ns = 50 * base::ns_per_us;

// Time for which a request keeps its permit after the codec has ended it, if the end of the answer
// has not arrived. Usually the end follows at once, and the next request can use the connection.
constexpr std::uint64_t linger_ns = base::ns_per_ms;

constexpr const char* unheard =
    ", and the server had sent no byte of an answer for more than 1 s; see its log, check "
    "--base-url and --endpoint, or bound such waits with --first-byte-timeout";

}  // namespace

http_flight::http_flight(const backend& shared, const flight_parts& parts,
                         transport::event_loop& loop, flight_owner& owner)
    : flight(shared, loop, owner),
      work_(shared, parts.heads),
      parts_(parts),
      later_(transport::timer::action::to<&http_flight::on_later>(*this)) {}

flight::readiness http_flight::prepare() {
  work_.accept(*what.sample, what.sequence, what.due_ns);
  server = work_.current().server;
  const std::size_t body = body_bytes(*what.sample);
  held_bytes = body + (what.owned ? what.owned->arena.used() : 0);
  const bool large = is_large(body);
  work_.leave_further_legs(large);
  if (large && parts_.large.begin(*this)) {
    preparing_ = true;
    return readiness::later;
  }
  work_.serialise();
  return work_.write_head() ? readiness::ready : readiness::refused;
}

void http_flight::on_serialised() {
  if (preparing_leg_) return on_leg_serialised();
  preparing_ = false;
  owner_.on_prepared(*this, work_.write_head());
}

bool http_flight::withdraw() {
  if (preparing_ && !parts_.large.withdraw(*this)) return false;
  preparing_ = false;
  return true;
}

void http_flight::launch(std::uint64_t now) {
  pool_ = parts_.pools[server].get();
  work_.start(now);
  heard_ns_ = now;
  error_ns_ = 0;
  own_ns_ = 0;
  watch(now);
  take_connection(now, now);
}

// `since`: as for begin_sending().
void http_flight::take_connection(std::uint64_t since, std::uint64_t now) {
  wire_ = &pool_->acquire(*this, connect_deadline(now));
  begin_sending(since);
  if (!wire_->connected()) return;
  work_.connected(now);
  send();
}

// `since`: the time when this leg could have been sent.
void http_flight::begin_sending(std::uint64_t since) {
  since_ns_ = wired_ns_ = since;
  seen_late_ = wire_->seen_late();
  noted_ = false;
}

void http_flight::send() {
  if (shared_.codec.signs && !work_.sign(loop_.clock().now(), loop_.clock().unix_now()))
      [[unlikely]] {
    // Nothing was sent on the connection.
    pool_->release(*std::exchange(wire_, nullptr), true);
    owner_.on_landed(*this);
    return;
  }
  wire_->send(work_.head(), work_.body());
  work_.sent(wire_->sent_at());
}

record http_flight::land() {
  stop_watching();
  loop_.cancel(later_);
  if (wire_ != nullptr) leave_connection();
  if (!std::exchange(lingers_, false)) over_ns = work_.current().end_ns;
  if (work_.has_remark()) owner_.tell(work_.take_remark());
  return work_.finish();
}

void http_flight::leave_connection() {
  transport::connection& left = *std::exchange(wire_, nullptr);
  if (work_.has_rest())
    parts_.rests.take(*pool_, left, work_.take_rest());
  else
    pool_->release(left, work_.reusable() && left.connected() && !left.sending(),
                   work_.announces_keep_alive());
}

void http_flight::end_early(ifb_status status, std::string reason, std::uint64_t now) {
  if (lingers_) return end_linger(now);
  if (preparing_leg_ && !parts_.large.withdraw(*this)) {
    failure_.emplace(status, std::move(reason));
    return;
  }
  preparing_leg_ = false;
  fail(status, std::move(reason), now);
}

void http_flight::fail(ifb_status status, std::string reason, std::uint64_t now) {
  const record& r = work_.current();
  if (status == IFB_E_CANCELLED && r.start_ns != 0 && r.first_byte_ns == 0 &&
      now - r.start_ns > long_ns)
    reason += unheard;
  work_.fail(status, std::move(reason), now);
  owner_.on_landed(*this);
}

flight::life http_flight::signs() {
  const record& r = work_.current();
  return {r.start_ns, heard_ns_, r.tokens.size(), r.first_byte_ns != 0, error_ns_};
}

void http_flight::end_error(std::uint64_t now) { act(work_.end_error(now), now); }

void http_flight::on_connected(transport::connection& from, std::uint64_t stamp) {
  wired_ns_ = stamp;
  work_.connected(stamp, from.tls_began_at());
  send();
}

// Adds the client's own part of the time before this leg was sent. Connecting and TLS count as time
// of the network and the server, except for delays that the client noticed and the time until
// connecting began.
void http_flight::note_sending(const transport::connection& from) {
  if (std::exchange(noted_, true)) return;
  const auto less = [](std::uint64_t a, std::uint64_t b) { return a - std::min(a, b); };
  own_ns_ += less(from.seen_late(), seen_late_) + less(from.sent_at(), wired_ns_);
  if (wired_ns_ != since_ns_) own_ns_ += less(from.began_at(), since_ns_);
  work_.sent_late(own_ns_);
}

void http_flight::on_bytes(transport::connection& from, std::string_view bytes,
                           std::uint64_t stamp) {
  owner_.on_heard(bytes.size(), stamp);
  if (lingers_) {
    work_.skip(bytes);
    if (!work_.has_rest()) end_linger(stamp);
    return;
  }
  heard_ns_ = stamp;
  // If the socket had no room, the first byte was sent later than send() was called.
  if (work_.current().sent_ns == 0) work_.sent(wire_->sent_at());
  note_sending(from);
  spread_of_read spread;
  if (from.knows_spread())
    spread = {from.read_spread(), from.more_behind()};
  else
    work_.stamps_unknown();
  const exchange::progress p = work_.feed(bytes, stamp, spread);
  if (work_.unsure() > worth_asking_ns && from.came_at_once()) work_.came_at_once();
  if (p == exchange::progress::more && error_ns_ == 0 && work_.in_error()) [[unlikely]] {
    error_ns_ = stamp;
    watch_sooner(stamp);
  }
  act(p, stamp);
}

void http_flight::on_eof(transport::connection& from, std::uint64_t stamp) {
  if (lingers_) return end_linger(stamp);
  if (!goes_once_more(from, stamp)) act(work_.eof(stamp, from.end_late(stamp)), stamp);
}

void http_flight::on_failure(transport::connection& from, const transport::connection_failure& why,
                             std::uint64_t stamp) {
  if (lingers_) return end_linger(stamp);
  if (goes_once_more(from, stamp)) return;
  if (base::is_shortage(why.code)) owner_.on_shortage();
  const bool late = why.when == transport::connection_failure::phase::connect_timeout;
  end_early(late ? IFB_E_TIMEOUT : IFB_E_IO,
            why.remedy.empty() ? why.text : why.text + "; " + why.remedy, stamp);
}

// A server may close a connection that is idle after an earlier answer. If the server has not
// received a byte of this request, the request can be sent again without reaching the server twice.
bool http_flight::goes_once_more(const transport::connection& from, std::uint64_t stamp) {
  if (from.sends() < 2 || work_.answered()) return false;
  pool_->distrust(from);
  if (!from.unseen() || work_.current().sent_again) return false;
  work_.sent_again();
  note_sending(from);
  own_ns_ += from.end_late(stamp);
  change_connection(stamp);
  return true;
}

void http_flight::change_connection(std::uint64_t stamp) {
  pool_->release(*wire_, false);
  wire_ = &pool_->acquire_fresh(*this, connect_deadline(stamp));
  begin_sending(stamp);
}

// `stamp`: if there is a next leg, the stamp of the end of the previous leg.
void http_flight::act(exchange::progress p, std::uint64_t stamp) {
  if (p == exchange::progress::more) return;
  error_ns_ = 0;
  if (p == exchange::progress::another)
    next_leg(stamp);
  else if (work_.has_rest())
    linger();
  else
    owner_.on_landed(*this);
}

void http_flight::next_leg(std::uint64_t stamp) {
  own_ns_ += work_.late_of_leg();
  if (!work_.unserialised() || prepare_leg(stamp)) send_leg(stamp);
}

// Serialises the next leg of a large sample. Returns true if the leg can be sent. The time counts
// as the client's own, because the leg could have been sent at `stamp`.
bool http_flight::prepare_leg(std::uint64_t stamp) {
  leave_connection();
  if (parts_.large.begin(*this)) {
    // The thread may write to the record, so the limits of time, which read it, are not checked.
    stop_watching();
    preparing_leg_ = true;
    leg_stamp_ = stamp;
    return false;
  }
  work_.serialise();
  if (work_.write_head()) return true;
  owner_.on_landed(*this);
  return false;
}

void http_flight::on_leg_serialised() {
  preparing_leg_ = false;
  const std::uint64_t now = loop_.clock().now();
  if (const auto failure = std::exchange(failure_, std::nullopt))
    return fail(failure->first, failure->second, now);
  if (!work_.write_head()) return owner_.on_landed(*this);
  heard_ns_ = now;
  watch(now);
  watch_sooner(now);
  send_leg(leg_stamp_);
}

void http_flight::send_leg(std::uint64_t stamp) {
  const std::uint64_t now = loop_.clock().now();
  if (work_.not_before() > now) {
    // The request keeps its permit, but another request may use the connection meanwhile.
    if (wire_ != nullptr) leave_connection();
    heard_ns_ = work_.not_before();
    loop_.arm(later_, work_.not_before());
  } else if (wire_ != nullptr && work_.reusable() && wire_->connected() && !wire_->sending()) {
    begin_sending(stamp);
    send();
  } else {
    if (wire_ != nullptr) leave_connection();
    take_connection(stamp, now);
  }
}

void http_flight::linger() {
  stop_watching();
  lingers_ = true;
  loop_.arm(later_, loop_.clock().now() + linger_ns);
}

// `over`: the time until which the permit was needed.
void http_flight::end_linger(std::uint64_t over) {
  over_ns = over;
  owner_.on_landed(*this);
}

void http_flight::on_later(std::uint64_t now) {
  if (lingers_)
    end_linger(later_.deadline());
  else
    take_connection(work_.not_before(), now);
}

std::uint64_t http_flight::connect_deadline(std::uint64_t from) const noexcept {
  return timer_queue::after(from, shared_.connect_timeout_ns);
}

}  // namespace inferbench::client
