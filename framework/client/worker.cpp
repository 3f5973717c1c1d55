#include "client/worker.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/cpu.hpp"

namespace inferbench::client {

namespace {

// Number of launches between two checks of the sockets: a burst of thousands of launches must not
// delay the stamps of answers.
constexpr std::size_t launch_batch = 16;

// Number of requests that are serialised between two checks of the sockets: serialising must not
// delay the stamps of answers either.
constexpr std::size_t refill_batch = 4;

// Time after which the worker asks the source again if the data of the next job were not available.
constexpr std::uint64_t ask_again_ns = 100 * base::ns_per_us;

// A connection is opened for a request that is due within this time. The time is longer than a
// usual handshake, and shorter than the time for which servers keep an idle connection open.
constexpr std::uint64_t near_ns = 200 * base::ns_per_ms;

// Number of connections that are opened ahead at the same time. It is less than the usual backlog
// of a listening socket: if the backlog is full, the server's kernel drops the SYN, and the kernel
// here sends it again only after a second.
constexpr std::size_t opening_at_once = 64;

using transport::timer_queue;

}  // namespace

worker::worker(const base::clock& clock, const backend& shared, worker_settings settings,
               source& jobs, sink out)
    : shared_(shared),
      settings_(std::move(settings)),
      jobs_(jobs),
      out_(std::move(out)),
      loop_(clock, {.stamping = settings_.stamping}),
      fleet_(shared, loop_, *this),
      due_(transport::timer::action::to<&worker::on_due>(*this)),
      refill_(transport::timer::action::to<&worker::on_refill>(*this)),
      end_of_sending_(transport::timer::action::to<&worker::on_end_of_sending>(*this)),
      most_prepared_bytes_(std::max(settings_.bytes_ahead, settings_.first_bytes_ahead)) {
  health_.servers.resize(fleet_.pools().size());
  if (fleet_.pools().empty()) settings_.connections_ahead = 0;
  loop_.on_wake(transport::callback<void()>::to<&worker::on_wake>(*this));
}

worker::~worker() = default;

void worker::open() {
  const connection_pools& pools = fleet_.pools();
  const std::uint64_t now = loop_.clock().now();
  const std::uint64_t deadline = timer_queue::after(now, shared_.connect_timeout_ns);
  std::size_t begun = 0;
  const auto opening = [&] {
    std::size_t sum = 0;
    for (const auto& pool : pools)
      sum += pool->opening();
    return sum;
  };
  while (!stop_.load() && (begun < settings_.connections_ahead || opening() != 0)) {
    for (std::size_t at_once = opening();
         begun < settings_.connections_ahead && at_once < opening_at_once; ++at_once)
      pools[begun++ % pools.size()]->open_ahead(1, deadline);
    loop_.run_once(true);
  }
  for (const auto& pool : pools)
    if (const auto& why = pool->ahead_failure(); !why.text.empty() && settings_.warn)
      settings_.warn("not every connection could be opened ahead: " + why.text);
}

void worker::run() {
  if (!stop_.load()) serve();
  fleet_.close();
}

void worker::serve() {
  const std::uint64_t began = loop_.clock().now();
  const base::thread_usage before = base::usage_of_this_thread();
  for (base::histogram* h :
       {&health_.loop_lag, &health_.launch_lag, &health_.receive_queue, &health_.kernel_to_client})
    h->reserve(base::ns_per_s);
  loop_.observe(&health_.loop_lag);
  refill();
  if (jobs_.ends_ns() != timer_queue::never) loop_.arm(end_of_sending_, jobs_.ends_ns());
  pump();
  while (!(ended_ && prepared_.empty() && flying_.empty()))
    loop_.run_once(true);
  const base::thread_usage after = base::usage_of_this_thread();
  health_.wall_ns = loop_.clock().now() - began;
  health_.cpu_ns = after.cpu_ns - before.cpu_ns;
  // The run delay comes from a file in /proc. If no descriptor is free to open this file, the value
  // is 0, so the later value may be smaller.
  health_.run_delay_ns = after.run_delay_ns - std::min(before.run_delay_ns, after.run_delay_ns);
  note_health();
}

void worker::stop() noexcept {
  stop_.store(true);
  loop_.wake();
}

// After stop() the prepared requests are dropped first, so that collect() sends none of them. The
// requests in flight are cancelled last: collect() may find that a call of an engine has ended,
// and the request of this call is complete and not cancelled.
void worker::on_wake() {
  if (stop_.load()) send_no_more();
  fleet_.collect();
  if (stop_.load()) cancel_all();
}

void worker::on_due(std::uint64_t) { pump(); }

void worker::on_refill(std::uint64_t) {
  refill();
  pump();
}

bool worker::wants_more() const noexcept {
  return prepared_.size() < settings_.ahead &&
         (prepared_bytes_ < most_prepared_bytes_ || prepared_.empty()) &&
         (!jobs_.scarce() || prepared_.size() + flying_.size() < settings_.max_in_flight);
}

void worker::refill() {
  for (std::size_t n = 0; !ended_ && wants_more(); ++n) {
    if (n == refill_batch) {
      loop_.arm(refill_, 0);
      break;
    }
    if (!take_job()) break;
  }
  open_for_prepared();
}

// Takes one job and prepares its request. Returns false if there is no further job, or if no job is
// ready yet.
bool worker::take_job() {
  job next;
  switch (jobs_.try_take(next)) {
    case dataset::taken::later:
      waits_ = next.due_ns != 0;
      hungry_ = !waits_;
      loop_.arm(refill_, waits_ ? next.due_ns : loop_.clock().now() + ask_again_ns);
      return false;
    case dataset::taken::end: ended_ = true; return false;
    case dataset::taken::sample: break;
  }
  waits_ = false;
  flight& f = take_flight();
  f.what = std::move(next);
  f.waited_ns = 0;
  if (std::exchange(hungry_, false) && prepared_.empty() &&
      flying_.size() < settings_.max_in_flight && f.what.due_ns < loop_.clock().now())
    ++health_.starved;
  if (f.prepare() == flight::readiness::refused) {
    refuse(f);
  } else {
    prepared_.push_back(&f);
    prepared_bytes_ += f.held_bytes;
  }
  return true;
}

// Fails a request that the backend refused, without a connection. The request ends when it was due,
// or now if this time has passed.
void worker::refuse(flight& f) {
  f.refuse(std::max(loop_.clock().now(), f.what.due_ns));
  counters_.started.fetch_add(1, std::memory_order_relaxed);
  f.place = flying_.size();
  flying_.push_back(&f);
  // The request had no permit, so its end, which may be in the future, makes no permit free.
  const std::uint64_t freed = freed_ns_;
  on_landed(f);
  freed_ns_ = freed;
}

void worker::on_prepared(flight& f, bool good) {
  if (good && sends_) {
    pump();
    return;
  }
  std::erase(prepared_, &f);
  no_longer_prepared(f);
  if (sends_) {
    refuse(f);
    pump();
  } else {
    drop(f);
  }
}

// Drops a request that was not sent. The request has no record.
void worker::drop(flight& f) {
  std::ignore = f.land();
  f.what = job{};
  free_.push_back(&f);
}

// Opens connections for requests that are due soon and for which there are permits, so that these
// requests need not wait for a handshake.
void worker::open_for_prepared() {
  if (settings_.connections_ahead == 0 || prepared_.empty()) return;
  const std::uint64_t now = loop_.clock().now();
  std::size_t permits = settings_.max_in_flight - flying_.size();
  const connection_pools& pools = fleet_.pools();
  wanted_.assign(pools.size(), 0);
  for (const flight* f : prepared_) {
    if (permits-- == 0 || f->what.due_ns > now + near_ns) break;
    ++wanted_[f->server];
  }
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const std::size_t there = pools[i]->idle() + pools[i]->opening();
    if (wanted_[i] > there)
      pools[i]->open_ahead(wanted_[i] - there, timer_queue::after(now, shared_.connect_timeout_ns));
  }
}

void worker::pump() {
  std::size_t launched = 0;
  while (!prepared_.empty() && flying_.size() < settings_.max_in_flight) {
    flight& f = *prepared_.front();
    const std::uint64_t now = loop_.clock().now();
    if (f.what.due_ns > now) {
      loop_.arm(due_, f.what.due_ns);
      break;
    }
    if (now >= jobs_.ends_ns()) {
      send_no_more();
      return;
    }
    if (f.preparing()) break;  // on_prepared() will call pump() again
    if (launched++ == launch_batch) {
      loop_.arm(due_, 0);
      break;
    }
    prepared_.pop_front();
    no_longer_prepared(f);
    most_prepared_bytes_ = settings_.bytes_ahead;
    launch(f, now);
    if (prepared_.empty()) refill();
  }
  if (wants_more() && !ended_ && !refill_.armed()) loop_.arm(refill_, 0);
}

void worker::launch(flight& f, std::uint64_t now) {
  f.place = flying_.size();
  flying_.push_back(&f);
  counters_.started.fetch_add(1, std::memory_order_relaxed);
  f.waited_ns = now - std::min(now, std::max(f.what.due_ns, freed_ns_));
  health_.launch_lag.add(f.waited_ns);
  if (!health_.servers.empty()) ++health_.servers[f.server].requests;
  f.launch(now);
}

void worker::on_landed(flight& f) {
  record r = f.land();
  r.late.launch_ns = f.waited_ns;
  flying_[f.place] = flying_.back();
  flying_[f.place]->place = f.place;
  flying_.pop_back();

  f.what = job{};
  if (r.sent_again) ++health_.servers[r.server].sent_again;
  counters_.finished.fetch_add(1, std::memory_order_release);
  if (!r.ok()) counters_.failed.fetch_add(1, std::memory_order_relaxed);
  free_.push_back(&f);
  // A permit is free now. The next request is not launched here, because this function may run
  // inside refill(). The event loop may also call it several times in one batch of ready sockets,
  // and the requests may have ended in another order than that of the calls.
  const std::uint64_t freed = f.over_ns - std::min(f.over_ns, r.late.end_ns);
  if (flying_.size() + 1 == settings_.max_in_flight) {
    freed_ns_ = freed;
    if (!prepared_.empty()) loop_.arm(due_, 0);
  } else {
    freed_ns_ = std::min(freed_ns_, freed);
  }
  out_(std::move(r));
  if ((waits_ || jobs_.scarce()) && !ended_) loop_.arm(refill_, 0);
}

bool worker::tell(const std::string& line) {
  if (settings_.warn) settings_.warn(line);
  return settings_.warn != nullptr;
}

void worker::send_no_more() {
  ended_ = true;
  sends_ = false;
  loop_.cancel(due_);
  loop_.cancel(refill_);
  // A request that another thread is serialising stays in the list until on_prepared().
  std::erase_if(prepared_, [this](flight* f) {
    if (!f->withdraw()) return false;
    no_longer_prepared(*f);
    drop(*f);
    return true;
  });
}

void worker::cancel_all() {
  send_no_more();
  const std::uint64_t now = loop_.clock().now();
  // The order is backwards, because a flight that lands in cancel() is replaced in the list by the
  // last flight, which was already cancelled. A call of an engine may land only after cancel().
  for (std::size_t i = flying_.size(); i-- > 0;)
    flying_[i]->cancel("cancelled: the run was stopped", now);
}

flight& worker::take_flight() {
  if (free_.empty()) {
    flights_.push_back(fleet_.make());
    free_.push_back(flights_.back().get());
  }
  flight& f = *free_.back();
  free_.pop_back();
  return f;
}

}  // namespace inferbench::client
