#include "run/conversations.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "metrics/context.hpp"
#include "plugin/instance.hpp"
#include "plugin/struct_copy.hpp"

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
      adapters_(adapters),
      clock_(clock),
      wanted_(std::move(wanted)),
      walk_(due) {}

conversations::~conversations() = default;

bool conversations::may_begin() const noexcept {
  if (feed_ended_) return false;
  return wanted_.most_active ? ready_.size() + asking_.size() < *wanted_.most_active
                             : ready_.empty();
}

dataset::taken conversations::try_take(client::job& out) {
  out.due_ns = 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = clock_.now();
  if (!due_.empty() && walk_.over(sequence_)) return dataset::taken::end;
  if (asking_.empty() && ready_.empty() && !waiting_) {
    // No conversation is active: check now whether the feed has ended, and do not wait for the due
    // time.
    const dataset::taken more = feed_.try_take(waiting_);
    if (more != dataset::taken::sample) return more;
  }
  std::uint64_t wanted_at = start_ns_;
  if (!due_.empty()) {
    const std::uint64_t offset = walk_.at(sequence_);
    if (offset >= duration_ns_) return dataset::taken::end;
    wanted_at += offset;
    if (wanted_at > now + lead_ns) {
      out.due_ns = before(wanted_at);
      return dataset::taken::later;
    }
  }
  talk_ptr chosen = next(now, out);
  if (!chosen) {
    if (feed_ended_ && asking_.empty()) return dataset::taken::end;
    return dataset::taken::later;
  }
  out.due_ns = std::max(wanted_at, chosen->ready_ns);
  fill(out, *chosen);
  asking_.emplace(out.sequence, std::move(chosen));
  most_ = std::max(most_, asking_.size() + ready_.size());
  return dataset::taken::sample;
}

// Returns null if no turn is ready. In that case `out.due_ns` is the time of the next attempt.
conversations::talk_ptr conversations::next(std::uint64_t now, client::job& out) {
  const bool begins = may_begin();
  if (begins)
    if (talk_ptr fresh = begin(now, out)) return fresh;
  if (!ready_.empty()) {
    talk_ptr longest = std::move(ready_.front());
    ready_.pop_front();
    return longest;
  }
  // If begin() was called and the feed has not ended, begin() has set due_ns; it is 0 if the feed
  // has no sample yet.
  if (!begins || feed_ended_) out.due_ns = now + look_again_ns;
  return nullptr;
}

conversations::talk_ptr conversations::begin(std::uint64_t now, client::job& out) {
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
  auto fresh = std::make_unique<talk>();
  fresh->row = std::move(waiting_);
  adapters_.assign(*fresh->row);
  fresh->session = wanted_.id_prefix + "session-" + std::to_string(begun_++);
  fresh->turns = dataset::turns_of(fresh->row->c);
  fresh->answers.reserve(fresh->turns.size());
  fresh->ready_ns = std::max(arrives, freed_ns_);
  return fresh;
}

void conversations::fill(client::job& out, const talk& from) {
  const std::size_t number = from.answers.size();
  const dataset::turn& now = from.turns[number];
  out.owned = pool_.take();
  out.sequence = sequence_++;
  dataset::sample& made = *out.owned;
  made.sequence = out.sequence;
  made.c = from.row->c;
  made.c.session = plugin::str(from.session);
  made.c.turn = static_cast<std::uint32_t>(number);
  if (made.c.id.size != 0)
    made.c.id = plugin::str(made.arena.copy(wanted_.id_prefix + std::to_string(out.sequence)));
  made.c.input_tokens = from.tokens < 0 || now.tokens < 0 ? -1 : from.tokens + now.tokens;
  made.c.output_tokens = now.answer_tokens;
  made.c.arrival_ns = -1;
  out.sample = &made.c;

  const auto said = ifb::view(from.row->c.messages);
  auto* const messages =
      static_cast<ifb_message*>(made.arena.alloc(now.messages * sizeof(ifb_message)));
  auto* const parts = static_cast<ifb_part*>(made.arena.alloc((number + 1) * sizeof(ifb_part)));
  // If there is not enough memory, the list stays empty and the backend refuses it.
  made.c.messages = {};
  if (messages == nullptr || parts == nullptr) return;
  for (std::uint32_t i = 0; i < now.messages; ++i)
    messages[i] = plugin::struct_copy(said[i]);
  for (std::size_t k = 0; k < number; ++k) {
    parts[k] = ifb::text_part(from.answers[k]);
    messages[from.turns[k].messages] = ifb::message("assistant", ifb::list_of({&parts[k], 1}));
  }
  made.c.messages = ifb::list_of({messages, now.messages});
}

// For conversations that begin at their own times, these are the requests that were made: the time
// of a later turn depends on the answers before it.
std::uint64_t conversations::due_before(std::uint64_t offset_ns) {
  const std::lock_guard lock(mutex_);
  return due_.empty() ? sequence_ : std::min(due_.due_before(offset_ns), feed_.requests());
}

void conversations::answered(const client::record& of) {
  const std::lock_guard lock(mutex_);
  const auto at = asking_.find(of.sequence);
  if (at == asking_.end()) return;
  talk_ptr it = std::move(at->second);
  asking_.erase(at);
  const dataset::turn& asked = it->turns[it->answers.size()];
  if (!of.ok()) {
    not_sent_ += it->turns.size() - it->answers.size() - 1;
    ++ended_early_;
    make_room(of.end_ns);
    return;
  }
  const std::int64_t answer = of.output_tokens >= 0 ? of.output_tokens : asked.answer_tokens;
  it->tokens =
      it->tokens < 0 || asked.tokens < 0 || answer < 0 ? -1 : it->tokens + asked.tokens + answer;
  it->answers.push_back(of.text);
  it->ready_ns = of.end_ns;
  if (it->answers.size() < it->turns.size()) {
    ready_.push_back(std::move(it));
    return;
  }
  ++finished_;
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
  out.member("begun", begun_);
  out.member("finished", finished_);
  out.member("ended_early", ended_early_);
  out.member("requests_given_up", not_sent_);
  out.member("most_active", most_);
  out.end_object();
  into.set_fact("conversations", out.take());
}

}  // namespace inferbench::run
