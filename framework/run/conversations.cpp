#include "run/conversations.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "dataset/conversation.hpp"
#include "metrics/context.hpp"

namespace inferbench::run {

namespace {

// A turn is chosen and serialised at this time before it is due. The time is enough to serialise a
// long history, and short compared with the time between two answers.
constexpr std::uint64_t lead_ns = base::ns_per_ms;

// Polling interval of a worker that found no turn ready. The worker wakes up for its own answers,
// but an answer on another worker may make a turn ready, too.
constexpr std::uint64_t look_again_ns = base::ns_per_ms;

std::uint64_t before(std::uint64_t at) { return at > lead_ns ? at - lead_ns : 1; }

}  // namespace

conversations::conversations(dataset::feed& feed, const schedule::timetable& due,
                             const prompts::lora_modules& adapters, const base::clock& clock,
                             settings wanted)
    : feed_(feed),
      due_(due),
      clock_(clock),
      wanted_(std::move(wanted)),
      requests_(adapters, wanted_.ids, wanted_.body),
      walk_(due) {}

conversations::~conversations() = default;

// The pause is the same after every answer, so the first conversation is the first that is ready.
bool conversations::one_is_ready(std::uint64_t now) const noexcept {
  return !ready_.empty() && ready_.front()->ready_ns <= now + lead_ns;
}

bool conversations::may_begin(std::uint64_t now) const noexcept {
  if (feed_ended_) return false;
  return wanted_.most_active ? ready_.size() + asking_.size() < *wanted_.most_active
                             : !one_is_ready(now);
}

dataset::taken conversations::try_take(client::job& out) {
  out.due_ns = 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = clock_.now();
  if (!due_.empty() && walk_.over(requests_.made())) return dataset::taken::end;
  if (asking_.empty() && ready_.empty() && !waiting_) {
    // No conversation is active: check now whether the feed has ended, and do not wait for the due
    // time.
    const dataset::taken more = feed_.try_take(waiting_);
    if (more != dataset::taken::sample) return more;
  }
  std::uint64_t wanted_at = start_ns_;
  if (!due_.empty()) {
    const std::uint64_t offset = walk_.at(requests_.made());
    if (offset >= duration_ns_) return dataset::taken::end;
    wanted_at += offset;
    if (wanted_at > now + lead_ns) {
      out.due_ns = before(wanted_at);
      return dataset::taken::later;
    }
  }
  open_conversation_ptr chosen = next(now, out);
  if (!chosen) {
    if (feed_ended_ && asking_.empty() && ready_.empty()) return dataset::taken::end;
    return dataset::taken::later;
  }
  out.due_ns = std::max(wanted_at, chosen->ready_ns);
  if (chosen->answers.empty()) chosen->began_ns = out.due_ns;
  requests_.fill(out, *chosen);
  asking_.emplace(out.sequence, std::move(chosen));
  counts_.see_active(asking_.size() + ready_.size());
  return dataset::taken::sample;
}

// Returns null if no turn is ready. In that case `out.due_ns` is the time of the next attempt.
open_conversation_ptr conversations::next(std::uint64_t now, client::job& out) {
  const bool begins = may_begin(now);
  if (begins)
    if (open_conversation_ptr fresh = begin(now, out)) return fresh;
  if (one_is_ready(now)) {
    open_conversation_ptr longest = std::move(ready_.front());
    ready_.pop_front();
    return longest;
  }
  // If begin() was called and the feed has not ended, begin() has set due_ns; it is 0 if the feed
  // has no sample yet.
  if (!begins || feed_ended_)
    out.due_ns = now + look_again_ns;
  else if (!ready_.empty())
    out.due_ns = std::min(out.due_ns, before(ready_.front()->ready_ns));
  return nullptr;
}

open_conversation_ptr conversations::begin(std::uint64_t now, client::job& out) {
  if (!waiting_) {
    const dataset::taken answer = feed_.try_take(waiting_);
    feed_ended_ = answer == dataset::taken::end;
    if (answer != dataset::taken::sample) return nullptr;
  }
  std::uint64_t arrives = 0;
  if (due_.empty() && waiting_->c.arrival_ns > 0)
    arrives = start_ns_ + static_cast<std::uint64_t>(waiting_->c.arrival_ns);
  if (arrives >= ends_ns()) {
    // The conversations after this one begin later, too.
    feed_ended_ = true;
    return nullptr;
  }
  if (arrives > now + lead_ns) {
    out.due_ns = before(arrives);
    return nullptr;
  }
  separate_turns_ |= !dataset::has_history(waiting_->c);
  open_conversation_ptr fresh = requests_.open(std::move(waiting_));
  fresh->ready_ns = std::max(arrives, freed_ns_);
  return fresh;
}

// For conversations that begin at their own times, these are the requests that were made: the time
// of a later turn depends on the answers before it.
std::uint64_t conversations::due_before(std::uint64_t offset_ns) {
  const std::lock_guard lock(mutex_);
  return due_.empty() ? requests_.made() : std::min(due_.due_before(offset_ns), feed_.requests());
}

void conversations::answered(client::record& of) {
  const std::lock_guard lock(mutex_);
  const auto at = asking_.find(of.sequence);
  if (at == asking_.end()) return;
  open_conversation_ptr it = std::move(at->second);
  asking_.erase(at);
  requests_.describe(*it, of);
  counts_.add_request(*it, of);
  if (!of.ok()) {
    counts_.add_ended_early(*it);
    make_room(of.end_ns);
    return;
  }
  it->add_answer(of.text, of.output_tokens);
  it->ready_ns = of.end_ns + wanted_.pause_ns;
  if (!it->over()) {
    ready_.push_back(std::move(it));
    return;
  }
  counts_.add_finished();
  make_room(of.end_ns);
}

// If the limit of active conversations was reached, the next conversation is not due until this
// conversation ends.
void conversations::make_room(std::uint64_t ended_ns) {
  if (wanted_.most_active && ready_.size() + asking_.size() + 1 >= *wanted_.most_active)
    freed_ns_ = ended_ns;
}

void conversations::add_facts(metrics::context& into) const {
  const std::lock_guard lock(mutex_);
  ifb::json_writer out;
  out.begin_object();
  counts_.write(out, requests_.begun(), requests_.made());
  if (wanted_.multi_turn) {
    out.key("multi_turn");
    out.begin_object();
    out.member("concurrency", wanted_.multi_turn->concurrency.value_or(
                                  static_cast<std::int64_t>(requests_.begun())));
    out.member("turn_delay_ms", wanted_.pause_ns / base::ns_per_ms);
    out.member("session_header", wanted_.multi_turn->session_header);
    out.member("separate_turns", separate_turns_);
    out.end_object();
  }
  out.end_object();
  into.set_fact("conversations", out.take());
}

}  // namespace inferbench::run
