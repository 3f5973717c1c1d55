#include "client/worker.hpp"

#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "client/exchange.hpp"

namespace inferbench::client {

namespace {

// Launches between two looks at the sockets: a burst of thousands must not keep
// answers waiting for their stamps.
constexpr std::size_t launch_batch = 16;

// Requests serialised between two looks at the sockets, for the same reason.
constexpr std::size_t refill_batch = 4;

// How soon to ask a source again that had nothing ready.
constexpr std::uint64_t ask_again_ns = 100 * base::ns_per_us;

using transport::timer_queue;

}  // namespace

// One request on its way, and the listener of its connection.
class worker::slot final : public transport::connection_listener {
 public:
  explicit slot(worker& home)
      : work(home.shared_),
        timeout(transport::timer::action::to<&slot::on_timeout>(*this)),
        home_(home) {}

  exchange work;
  job what;
  transport::connection* wire = nullptr;
  transport::timer timeout;
  std::size_t place = 0;  // in flying_

  void send() {
    wire->send(work.head(), work.body());
    work.sent(wire->sent_at());
  }

  void on_connected(transport::connection&, std::uint64_t stamp) override {
    work.connected(stamp);
    send();
  }

  void on_bytes(transport::connection&, std::string_view bytes, std::uint64_t stamp) override {
    // The first byte may have waited for room in the socket.
    if (work.current().sent_ns == 0) work.sent(wire->sent_at());
    act(work.feed(bytes, stamp));
  }

  void on_eof(transport::connection& from, std::uint64_t stamp) override {
    if (stale(from)) {
      send_again(stamp);
    } else {
      act(work.eof(stamp));
    }
  }

  void on_failure(transport::connection& from, const transport::connection_failure& why,
                  std::uint64_t stamp) override {
    using phase = transport::connection_failure::phase;
    if (why.when != phase::connect && why.when != phase::connect_timeout && stale(from)) {
      send_again(stamp);
      return;
    }
    work.fail(why.when == phase::connect_timeout ? IFB_E_TIMEOUT : IFB_E_IO, why.text, stamp);
    home_.finish(*this, true);
  }

 private:
  [[nodiscard]] bool stale(const transport::connection& from) const {
    return from.sends() > 1 && !work.answered() && !work.current().sent_again;
  }

  void send_again(std::uint64_t stamp) {
    work.sent_again();
    change_connection(stamp);
  }

  void change_connection(std::uint64_t stamp) {
    home_.pool_.release(*wire, false);
    wire =
        &home_.pool_.acquire_fresh(*this, home_.deadline(stamp, home_.shared_.connect_timeout_ns));
  }

  void act(exchange::progress p) {
    if (p == exchange::progress::more) return;
    if (p == exchange::progress::done) {
      home_.finish(*this, true);
    } else if (work.reusable() && wire->connected() && !wire->sending()) {
      send();
    } else {
      change_connection(home_.loop_.clock().now());
    }
  }

  void on_timeout(std::uint64_t now) {
    const double limit_s = static_cast<double>(home_.shared_.request_timeout_ns) / 1e9;
    work.fail(IFB_E_TIMEOUT, fmt::format("no complete answer after {:g} s", limit_s), now);
    home_.finish(*this, true);
  }

  worker& home_;
};

worker::worker(const base::clock& clock, const backend& shared, const worker_settings& settings,
               source& jobs, sink out)
    : shared_(shared),
      settings_(settings),
      jobs_(jobs),
      out_(std::move(out)),
      loop_(clock),
      pool_(loop_, *shared.servers.front()),
      due_(transport::timer::action::to<&worker::on_due>(*this)),
      refill_(transport::timer::action::to<&worker::on_refill>(*this)) {
  loop_.on_wake(transport::callback<void()>::to<&worker::on_wake>(*this));
}

worker::~worker() = default;

void worker::run() {
  if (stop_.load()) return;
  refill();
  pump();
  while (!(ended_ && prepared_.empty() && flying_.empty()))
    loop_.run_once(true);
}

void worker::stop() noexcept {
  stop_.store(true);
  loop_.wake();
}

void worker::on_wake() {
  if (stop_.load()) cancel_all();
}

void worker::on_due(std::uint64_t) { pump(); }

void worker::on_refill(std::uint64_t) {
  refill();
  pump();
}

void worker::refill() {
  for (std::size_t n = 0; !ended_ && prepared_.size() < settings_.ahead; ++n) {
    if (n == refill_batch) {
      loop_.arm(refill_, 0);
      return;
    }
    job next;
    switch (jobs_.try_take(next)) {
      case dataset::taken::later: loop_.arm(refill_, loop_.clock().now() + ask_again_ns); return;
      case dataset::taken::end: ended_ = true; return;
      case dataset::taken::sample: break;
    }
    slot& s = take_slot();
    s.what = std::move(next);
    if (s.work.prepare(*s.what.sample, s.what.sequence, s.what.due_ns)) {
      prepared_.push_back(&s);
      continue;
    }
    // Refused by the backend: a failed request that never needed a connection.
    const std::uint64_t now = loop_.clock().now();
    s.work.start(now);
    s.work.fail(IFB_E_INTERNAL, {}, now);
    counters_.started.fetch_add(1, std::memory_order_relaxed);
    s.place = flying_.size();
    flying_.push_back(&s);
    finish(s, false);
  }
}

void worker::pump() {
  std::size_t launched = 0;
  while (!prepared_.empty() && flying_.size() < settings_.max_in_flight) {
    slot& s = *prepared_.front();
    if (s.what.due_ns > loop_.clock().now()) {
      loop_.arm(due_, s.what.due_ns);
      break;
    }
    if (launched++ == launch_batch) {
      loop_.arm(due_, 0);
      break;
    }
    prepared_.pop_front();
    launch(s);
    if (prepared_.empty()) refill();
  }
  if (prepared_.size() < settings_.ahead && !ended_ && !refill_.armed()) loop_.arm(refill_, 0);
}

void worker::launch(slot& s) {
  const std::uint64_t now = loop_.clock().now();
  s.place = flying_.size();
  flying_.push_back(&s);
  counters_.started.fetch_add(1, std::memory_order_relaxed);
  s.work.start(now);
  if (shared_.request_timeout_ns != 0)
    loop_.arm(s.timeout, deadline(now, shared_.request_timeout_ns));
  s.wire = &pool_.acquire(s, deadline(now, shared_.connect_timeout_ns));
  if (!s.wire->connected()) return;
  s.work.connected(now);
  s.send();
}

void worker::finish(slot& s, bool release_connection) {
  loop_.cancel(s.timeout);
  if (release_connection && s.wire != nullptr)
    pool_.release(*s.wire, s.work.reusable() && s.wire->connected() && !s.wire->sending());
  s.wire = nullptr;
  flying_[s.place] = flying_.back();
  flying_[s.place]->place = s.place;
  flying_.pop_back();

  record r = s.work.finish();
  s.what = job{};
  counters_.finished.fetch_add(1, std::memory_order_release);
  if (!r.ok()) counters_.failed.fetch_add(1, std::memory_order_relaxed);
  free_.push_back(&s);
  out_(std::move(r));
  // A permit is free. Not from here: this may run inside refill() or for each of many
  // answers in one batch.
  if (!prepared_.empty() && flying_.size() + 1 == settings_.max_in_flight) loop_.arm(due_, 0);
}

void worker::cancel_all() {
  ended_ = true;
  loop_.cancel(due_);
  loop_.cancel(refill_);
  for (slot* s : prepared_) {
    std::ignore = s->work.finish();
    s->what = job{};
    free_.push_back(s);
  }
  prepared_.clear();
  const std::uint64_t now = loop_.clock().now();
  while (!flying_.empty()) {
    slot& s = *flying_.back();
    s.work.fail(IFB_E_CANCELLED, "cancelled: the run was stopped", now);
    finish(s, true);
  }
}

worker::slot& worker::take_slot() {
  if (free_.empty()) {
    slots_.push_back(std::make_unique<slot>(*this));
    free_.push_back(slots_.back().get());
  }
  slot& s = *free_.back();
  free_.pop_back();
  return s;
}

std::uint64_t worker::deadline(std::uint64_t from, std::uint64_t limit) const noexcept {
  return limit == 0 || limit > timer_queue::never - from ? timer_queue::never : from + limit;
}

}  // namespace inferbench::client
