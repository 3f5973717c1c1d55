#include "client/engine_flight.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "plugin/instance.hpp"
#include "plugin/struct_copy.hpp"

namespace inferbench::client {

void engine_flight::collected::sent(std::uint64_t at) noexcept {
  record_.connected_ns = record_.start_ns;
  record_.sent_ns = at;
  record_.late.unknown = true;
}

void engine_flight::collected::heard(std::uint64_t at) noexcept {
  stamp_ = std::max(at, record_.sent_ns);
  if (record_.first_byte_ns == 0) record_.first_byte_ns = stamp_;
}

/// The functions in the ifb_events table of an engine. [any thread]
struct engine_flight::entry_points {
  static const ticket& of(ifb_output* output) { return *static_cast<const ticket*>(output); }

  static void token(ifb_output* o, const ifb_token* t) {
    const ticket& from = of(o);
    from.flight->hear(from, "called on_token for", t->at, false, [&](answer& into) {
      // The engine's header may be older or newer than the host's, so its struct may have another
      // size.
      ifb_token stamped = plugin::struct_copy(*t);
      stamped.struct_size = sizeof stamped;
      stamped.at = 0;  // 0: the answer uses the stamp of hear(), which is never in the future
      into.on_token(stamped);
    });
  }
  static void usage(ifb_output* o, const ifb_usage* u) {
    const ticket& from = of(o);
    from.flight->hear(from, "called on_usage for", 0, false,
                      [&](answer& into) { into.on_usage(*u); });
  }
  static void attribute(ifb_output* o, ifb_str key, ifb_str value) {
    const ticket& from = of(o);
    from.flight->hear(from, "called on_attribute for", 0, false, [&](answer& into) {
      into.on_attribute(plugin::view(key), plugin::view(value));
    });
  }
  static void done(ifb_output* o, const ifb_done* d) {
    const ticket& from = of(o);
    from.flight->hear(from, "called on_done for", 0, true,
                      [&](answer& into) { into.on_done(plugin::view(d->finish_reason)); });
  }
  static void failed(ifb_output* o, const ifb_error* e) {
    const ticket& from = of(o);
    from.flight->hear(from, "called on_error for", 0, true,
                      [&](answer& into) { into.on_error(*e); });
  }

  static constexpr ifb_events table{sizeof(ifb_events), 0,     &token, &usage,
                                    &attribute,         &done, &failed};
};

engine_flight::engine_flight(const backend& shared, engine_port& port, engine_threads* threads,
                             transport::event_loop& loop, flight_owner& owner)
    : flight(shared, loop, owner), port_(port), threads_(threads), work_(shared) {
  for (ticket& one : tickets_)
    one.flight = this;
}

flight::readiness engine_flight::prepare() {
  held_bytes = what.owned ? what.owned->arena.used() : 0;
  const std::lock_guard lock(mutex_);
  work_.begin(*what.sample, what.sequence, what.due_ns);
  return readiness::ready;
}

void engine_flight::launch(std::uint64_t now) {
  ticket& mine = tickets_[next_ticket_++ % tickets_.size()];
  {
    const std::lock_guard lock(mutex_);
    mine.sequence = what.sequence;
    current_ = &mine;
    work_.start(now);
    heard_ns_ = now;
    begun_ = ended_ = returned_ = made_ = given_up_ = too_long_ = false;
  }
  call_ = nullptr;
  told_ = false;
  watch(now);
  if (threads_ == nullptr) {
    if (submit()) announce();
    return;
  }
  const std::string why = threads_->perform(*this);
  if (why.empty()) return;
  owner_.on_shortage();
  {
    const std::lock_guard lock(mutex_);
    work_.fail(IFB_E_INTERNAL,
               fmt::format("no thread could be started for it: {}; lower --max-concurrency", why),
               now);
    ended_ = returned_ = true;
    ++announced_;
  }
  announce();
}

bool engine_flight::submit() {
  ticket* output = nullptr;
  {
    const std::lock_guard lock(mutex_);
    work_.sent(loop_.clock().now());
    output = current_;
  }
  ifb_error error = plugin::empty_error();
  const ifb_status status = shared_.engine->ops.submit(
      shared_.instance, what.sample, &arena_, &entry_points::table, output, &call_, &error);
  const std::uint64_t now = loop_.clock().now();
  const std::lock_guard lock(mutex_);
  returned_ = true;
  made_ = status == IFB_OK;
  if (!ended_ && (status != IFB_OK || threads_ != nullptr)) {
    ended_ = true;
    if (!given_up_) work_.end(now);
    if (status != IFB_OK)
      work_.refuse("submit", status, error);
    else
      work_.fail_once(IFB_E_INTERNAL,
                      "submit returned, and the engine had called neither on_done nor on_error");
  }
  if (!ended_) return false;
  heard_ns_ = now;
  ++announced_;
  return true;
}

template <typename function>
void engine_flight::hear(const ticket& from, const char* call, std::uint64_t at, bool last,
                         function&& report) {
  const std::uint64_t now = loop_.clock().now();
  std::uint64_t sequence = 0;
  {
    const std::lock_guard lock(mutex_);
    sequence = from.sequence;
    if (&from == current_ && !ended_) {
      heard_ns_ = now;
      begun_ = true;
      ended_ = last;
      if (!given_up_) {
        if (at != 0 && (at > now || at < work_.current().sent_ns))
          port_.fault("stamped a token of", sequence,
                      " with a time before submit or in the future, so the time is not from the "
                      "host's clock; such times are replaced by the nearest valid time");
        work_.heard(at == 0 ? now : std::min(at, now));
        report(work_);
        if (last) work_.end(now);
        given_up_ = too_long_ = work_.kept_too_much(now);
        call = given_up_ ? nullptr : call;
      }
      if (!over() && call != nullptr) return;
      ++announced_;
      call = nullptr;
    }
  }
  if (call == nullptr)
    announce();
  else
    port_.fault(call, sequence, " after its end; such calls are ignored");
}

void engine_flight::look() {
  bool landed = false;
  bool too_long = false;
  {
    const std::lock_guard lock(mutex_);
    landed = --announced_ == 0 && over();
    too_long = !ended_ && std::exchange(too_long_, false);
  }
  if (landed)
    owner_.on_landed(*this);
  else if (too_long) {
    stop_watching();
    cancel_call();
    port_.cancelled(*this, loop_.clock().now());
  }
}

void engine_flight::end_early(ifb_status status, std::string reason, std::uint64_t now) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || given_up_) return;
    given_up_ = true;
    work_.fail(status, std::move(reason), now);
  }
  stop_watching();
  cancel_call();
  port_.cancelled(*this, now);
}

// An engine that blocks may set its call before submit returns, because the call could not be
// cancelled otherwise. So `call_` is read as an atomic.
void engine_flight::cancel_call() {
  if (told_) return;
  ifb_call* const call = std::atomic_ref(call_).load(std::memory_order_acquire);
  if (call == nullptr) return;
  told_ = true;
  shared_.engine->ops.cancel(call);
}

record engine_flight::land() {
  stop_watching();
  port_.ended(*this);
  bool release = false;
  {
    const std::lock_guard lock(mutex_);
    release = std::exchange(made_, false) && call_ != nullptr;
  }
  if (release) shared_.engine->ops.release(call_);
  call_ = nullptr;
  arena_.reset();
  const std::lock_guard lock(mutex_);
  current_ = nullptr;
  over_ns = heard_ns_;
  if (work_.has_remark()) owner_.tell(work_.take_remark());
  return work_.take();
}

flight::life engine_flight::signs() {
  const std::lock_guard lock(mutex_);
  const record& r = work_.current();
  return {r.start_ns, heard_ns_, r.tokens.size(), begun_};
}

}  // namespace inferbench::client
