#include "run/conversation_clients.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "metrics/context.hpp"

namespace inferbench::run {

namespace {

// A turn is serialised at this time before it is sent, and a worker that found no turn asks again
// after this time: an answer on another worker may have made a client free.
constexpr std::uint64_t margin_ns = base::ns_per_ms;

/// A longer time than 2^62 ns (146 years) counts as 2^62 ns, so that its end fits into 64 bits.
std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(
      std::min(seconds * static_cast<double>(base::ns_per_s), 0x1p62));
}

}  // namespace

conversation_clients::conversation_clients(dataset::feed& feed,
                                           const prompts::lora_modules& adapters,
                                           const base::clock& clock, settings wanted,
                                           const first_answers& known)
    : feed_(feed),
      clock_(clock),
      wanted_(std::move(wanted)),
      known_(known),
      requests_(adapters, wanted_.ids, wanted_.body) {
  clients_.reserve(wanted_.clients);
  for (std::size_t i = 0; i < wanted_.clients; ++i)
    clients_.push_back({{}, {}, {}, ifb::python_random(wanted_.seed + i + 1)});
}

conversation_clients::~conversation_clients() = default;

// Fills the places of a client. A sample that is not ready yet is taken at the next call.
void conversation_clients::take_new(one_client& to, std::size_t number) {
  while (!feed_ended_ && to.active < wanted_.active_each) {
    dataset::sample_ptr row;
    const dataset::taken answer = feed_.try_take(row);
    feed_ended_ = answer == dataset::taken::end;
    if (answer != dataset::taken::sample) return;
    const std::uint64_t place = row->sequence;
    open_conversation_ptr fresh = requests_.open(std::move(row));
    fresh->client = number;
    if (const auto known = known_.find(place); known != known_.end() && !fresh->turns.empty()) {
      fresh->add_answer(known->second.text, known->second.tokens);
      fresh->warmed = 1;
      ++warmed_;
    }
    if (fresh->over()) continue;
    ++to.active;
    counts_.see_active(++active_);
    to.fresh.push_back(std::move(fresh));
  }
}

/// Decides whether the client, which is not busy, has no more work.
void conversation_clients::see_end(one_client& of) {
  const bool sent_all = wanted_.requests_each && of.sent >= *wanted_.requests_each && !of.again;
  const bool idle = of.active == 0 && feed_ended_;
  if (sent_all || idle) of.done = true;
  const bool has_room = feed_ended_ && of.active < wanted_.active_each && !of.again;
  if (wanted_.early_stop && (of.done || has_room)) stopped_ = true;
}

open_conversation_ptr conversation_clients::choose(one_client& of) {
  if (of.again) return std::move(of.again);
  std::deque<open_conversation_ptr>* from = of.fresh.empty() ? &of.ready : &of.fresh;
  std::size_t at = 0;
  if (wanted_.random) {
    at = static_cast<std::size_t>(of.random.below(of.fresh.size() + of.ready.size()));
    from = at < of.ready.size() ? &of.ready : &of.fresh;
    if (from == &of.fresh) at -= of.ready.size();
  }
  open_conversation_ptr out = std::move((*from)[at]);
  from->erase(from->begin() + static_cast<std::ptrdiff_t>(at));
  return out;
}

dataset::taken conversation_clients::try_take(client::job& out) {
  out.due_ns = 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = clock_.now();
  std::uint64_t next = now + margin_ns;
  for (std::size_t i = 0; i < clients_.size() && !stopped_; ++i) {
    const std::size_t number = (turn_ + i) % clients_.size();
    one_client& one = clients_[number];
    if (one.done || one.busy) continue;
    take_new(one, number);
    see_end(one);
    if (stopped_ || one.done) continue;
    if (!one.again && one.fresh.empty() && one.ready.empty()) continue;
    const std::uint64_t at = std::max(one.free_ns, start_ns_);
    if (at >= ends_ns()) {
      one.done = true;
      continue;
    }
    if (at > now + margin_ns) {
      next = std::min(next, at - margin_ns);
      continue;
    }
    open_conversation_ptr chosen = choose(one);
    out.due_ns = at;
    requests_.fill(out, *chosen);
    if (chosen->began_ns == 0) chosen->began_ns = at;
    if (chosen->attempts == 0) ++one.sent;
    one.busy = true;
    asking_.emplace(out.sequence, std::move(chosen));
    turn_ = number + 1;
    return dataset::taken::sample;
  }
  if (stopped_ || std::ranges::all_of(clients_, &one_client::done)) return dataset::taken::end;
  out.due_ns = next;
  return dataset::taken::later;
}

/// Makes the client free, after a pause if one is wanted.
void conversation_clients::end_turn(one_client& of, std::uint64_t at) {
  of.busy = false;
  of.free_ns = at;
  if (wanted_.rate > 0) of.free_ns += nanoseconds(-std::log(1 - of.random.real()) / wanted_.rate);
}

void conversation_clients::answered(client::record& of) {
  const std::lock_guard lock(mutex_);
  const auto at = asking_.find(of.sequence);
  if (at == asking_.end()) return;
  open_conversation_ptr it = std::move(at->second);
  asking_.erase(at);
  one_client& one = clients_[it->client];
  requests_.describe(*it, of);
  counts_.add_request(*it, of);
  if (!of.ok() && it->attempts < wanted_.retries && of.status != IFB_E_CANCELLED) {
    const double jitter = 0.9 + 0.2 * one.random.real();
    one.busy = false;
    one.free_ns = of.end_ns + nanoseconds(std::ldexp(jitter, static_cast<int>(it->attempts)));
    ++it->attempts;
    ++retries_;
    one.again = std::move(it);
    return;
  }
  end_turn(one, of.end_ns);
  if (of.ok()) {
    if (wanted_.first_turns_only)
      answers_.insert_or_assign(it->row->sequence, first_answer{of.text, of.output_tokens});
    it->add_answer(of.text, of.output_tokens);
    it->ready_ns = of.end_ns;
    if (!it->over() && !wanted_.first_turns_only) {
      one.ready.push_back(std::move(it));
      return;
    }
    counts_.add_finished();
  } else {
    counts_.add_ended_early(*it);
  }
  --one.active;
  --active_;
}

// The time of a turn depends on the answers before it, so these are the requests that were made.
std::uint64_t conversation_clients::due_before(std::uint64_t) {
  const std::lock_guard lock(mutex_);
  return requests_.made();
}

std::uint64_t conversation_clients::planned(std::uint64_t of_feed) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t turns = of_feed - std::min(warmed_, of_feed);
  if (wanted_.requests_each && *wanted_.requests_each < turns / wanted_.clients)
    turns = *wanted_.requests_each * wanted_.clients;
  return std::max(turns + retries_, requests_.made());
}

void conversation_clients::add_facts(metrics::context& into) const {
  const std::lock_guard lock(mutex_);
  ifb::json_writer out;
  out.begin_object();
  counts_.write(out, requests_.begun(), requests_.made() - retries_);
  out.member("clients", clients_.size());
  out.member("retries", retries_);
  out.member("answered_by_warm_up", warmed_);
  out.end_object();
  into.set_fact("conversations", out.take());
}

}  // namespace inferbench::run
