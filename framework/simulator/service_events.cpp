// The part of the service that sends answers when they are due, and logs their true times.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "simulator/service.hpp"

namespace inferbench::simulator {

namespace {

// The number of events between two checks of the sockets. Writing them takes about 0.3 ms.
constexpr std::size_t events_a_turn = 64;
// The most bytes in one write when coalescing: about 300 events. After a write of this size, an
// unpaced stream lets other streams continue.
constexpr std::size_t coalesced_bytes = std::size_t{64} << 10U;
// A whole answer may need more, which is freed after it.
constexpr std::size_t largest_buffer = std::size_t{1} << 20U;

// Ground truth is written in slices of about 30 us, and only if no event is due within
// `log_quiet_ns`. It is written earlier if it uses more memory than `log_memory`.
constexpr std::size_t log_slice = std::size_t{64} << 10U;
constexpr std::size_t log_memory = std::size_t{64} << 20U;
constexpr std::uint64_t log_quiet_ns = 2 * base::ns_per_ms;

}  // namespace

void service::rearm() {
  const std::uint64_t next = schedule_.next_due();
  if (next == UINT64_MAX)
    loop_.cancel(due_);
  else if (!due_.armed() || due_.deadline() != next)
    loop_.arm(due_, next);
}

void service::on_due(std::uint64_t) {
  for (std::size_t i = 0; i < events_a_turn; ++i) {
    const std::uint64_t now = loop_.clock().now();
    job* next = schedule_.take(now);
    if (next == nullptr) break;
    emit(static_cast<stream&>(*next), now);
  }
  rearm();
}

void service::emit(stream& what, std::uint64_t now) {
  connection& to = *what.to;
  buffer_.clear();
  if (what.streamed)
    add_events(what, now);
  else
    add_whole(what, now);
  // An answer that is not streamed may be larger than the kernel's buffers. Its end is the time at
  // which the kernel has taken its last byte, which on_drained() reports.
  bool whole_waits = false;
  if (!buffer_.empty()) {
    if (what.log.first_byte_ns == 0) what.log.first_byte_ns = now;
    to.write(buffer_);
    whole_waits = !what.streamed && to.blocked();
    if (!whole_waits) note_written(what);
  }
  if (buffer_.capacity() > largest_buffer) {
    buffer_ = {};
    buffer_.reserve(2 * coalesced_bytes);
  }
  if (to.broken()) return on_over(to);
  if (whole_waits) return;
  if (what.events == 0) return complete(what, now);
  if (!to.blocked()) schedule_.put(what);
}

// Fills buffer_ with one due event or, when coalescing, with all due events.
void service::add_events(stream& what, std::uint64_t now) {
  if (!what.head_sent) what.append_head(buffer_);
  for (;;) {
    count(what.append_event(buffer_, settings_.tokens_per_event));
    note_event(what, now);
    if (!schedule_.advance(what)) return what.append_end(buffer_);
    if (!settings_.coalesce || what.due > now || buffer_.size() >= coalesced_bytes) return;
  }
}

// An answer that is not streamed has the same schedule. It is sent when its last event is due. Its
// body may take some time to make, so `now` becomes the time after that.
void service::add_whole(stream& what, std::uint64_t& now) {
  for (std::size_t i = 0; i < events_a_turn; ++i) {
    const std::uint64_t left = what.used.completion_tokens - what.done;
    const std::uint64_t tokens = std::min(left, settings_.tokens_per_event);
    what.done += tokens;
    count(tokens);
    if (!schedule_.advance(what)) {
      what.append_answer(buffer_);
      now = loop_.clock().now();
      return note_event(what, now);
    }
    if (what.due > now) return;
  }
}

void service::count(std::uint64_t tokens) {
  counted_.generation_tokens += tokens;
  counted_.count_draft(tokens);
}

void service::note_event(stream& what, std::uint64_t now) {
  ++counted_.events;
  if (what.due < what.resumed_ns)
    ++counted_.stalled;
  else if (what.paced)
    counted_.late.record(now - what.due);
  if (!truth_) return;
  what.log.events.push(now);
  what.log.planned.push(what.due);
}

// Stores when the events in the buffer were written.
void service::note_written(stream& what) {
  if (!truth_) return;
  const std::uint64_t now = loop_.clock().now();
  while (what.log.written.size() < what.log.events.size())
    what.log.written.push(now);
}

void service::on_drained(connection& from) {
  if (from.answering == nullptr || !scheduler::held(*from.answering)) return;
  stream& what = *from.answering;
  const std::uint64_t now = loop_.clock().now();
  if (what.events == 0) {
    note_written(what);
    finish(what, now);
  } else {
    what.resumed_ns = now;
    schedule_.put(what);
  }
  rearm();
}

// The end of an answer whose last byte was written.
void service::finish(stream& what, std::uint64_t now) {
  connection& to = *what.to;
  const bool keep_alive = what.keep_alive && (what.chunked || !what.streamed);
  ++(what.cut ? counted_.finished_length : counted_.finished_stop);
  what.log.outcome = "finished";
  release(what, now);
  to.finish(keep_alive);
}

void service::complete(stream& what, std::uint64_t now) {
  connection& to = *what.to;
  finish(what, now);
  to.resume();
  if (to.over()) on_over(to);
}

// Removes the stream from the schedule and from its connection, and logs its true times.
void service::release(stream& what, std::uint64_t now) {
  what.to->answering = nullptr;
  schedule_.remove(what, now);
  if (truth_) {
    note_written(what);  // the event of a whole answer whose end the client did not take
    what.log.admitted_ns = what.admitted;
    what.log.end_ns = now;
    what.log.output_tokens = what.done;
    truth_->add(std::move(what.log));
    // After a failed write nothing is written any more, and on_log_time() has logged the failure.
    if (truth_->error().empty() && !log_time_.armed()) loop_.arm(log_time_, now + log_quiet_ns);
  }
  what.log = {};
  what.pooled = {};
  what.admitted = 0;
  spare_.push_back(&what);
}

void service::on_over(connection& from) {
  if (from.answering != nullptr) {
    ++counted_.aborted;
    release(*from.answering, loop_.clock().now());
    rearm();
  }
  connections_[static_cast<std::size_t>(from.descriptor())].reset();
}

void service::on_log_time(std::uint64_t now) {
  const bool quiet = schedule_.next_due() > now + log_quiet_ns;
  if ((quiet || truth_->pending_bytes() > log_memory) && !truth_->write_some(log_slice)) {
    log_.error(truth_->error());
    return;
  }
  if (truth_->pending_bytes() > 0) loop_.arm(log_time_, quiet ? now : now + log_quiet_ns);
}

}  // namespace inferbench::simulator
