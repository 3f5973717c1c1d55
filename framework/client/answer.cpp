#include "client/answer.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/units.hpp"
#include "plugin/instance.hpp"
#include "plugin/status.hpp"

namespace inferbench::client {

namespace {

answer& of(ifb_output* output) { return *static_cast<answer*>(output); }

void token(ifb_output* o, const ifb_token* t) { of(o).on_token(*t); }
void usage(ifb_output* o, const ifb_usage* u) { of(o).on_usage(*u); }
void attribute(ifb_output* o, ifb_str key, ifb_str value) {
  of(o).on_attribute(plugin::view(key), plugin::view(value));
}
void done(ifb_output* o, const ifb_done* d) { of(o).on_done(plugin::view(d->finish_reason)); }
void failed(ifb_output* o, const ifb_error* e) { of(o).on_error(*e); }

constexpr ifb_events table{sizeof(ifb_events), 0, &token, &usage, &attribute, &done, &failed};

// Whether the event has output that is not text.
bool has_data(const ifb_token& token) noexcept {
  return IFB_KNOWS(&token, data) && token.data.size != 0;
}

// The error that a plugin reported, as far as this version knows it.
ifb_status known_error(ifb_status status) noexcept {
  return plugin::is_known_error(status) ? status : IFB_E_INTERNAL;
}

// The metrics count the tokens of a request in 32 bits.
constexpr std::int64_t most_tokens = UINT32_MAX;

}  // namespace

const ifb_events& events() noexcept { return table; }

std::string longer_than(std::string_view what, std::uint64_t limit, std::string_view flag) {
  std::string size = base::size_text(static_cast<std::int64_t>(limit));
  size.insert(size.find_first_not_of("0123456789"), 1, ' ');
  return std::string(what) + " longer than " + size + " (" + std::string(flag) + ")";
}

void answer::begin(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns) {
  outcome_known_ = false;
  // The record is destroyed and constructed again in place, which is cheaper than moving an empty
  // record here.
  static_assert(std::is_nothrow_default_constructible_v<record>);
  std::destroy_at(&record_);
  std::construct_at(&record_);
  record_.sequence = sequence;
  record_.due_ns = due_ns;
  record_.id = plugin::view(sample.id);
  record_.session = plugin::view(sample.session);
  record_.turn = sample.turn;
  record_.sample_tokens = sample.input_tokens;
  record_.wanted_tokens = sample.output_tokens;
  for (std::size_t i = 0; i < sample.metadata_count; ++i)
    record_.attributes.emplace_back(plugin::view(sample.metadata[i].name),
                                    plugin::view(sample.metadata[i].value));
  kept_bytes_ = 0;
  kept_choice_ = 0;
  late_ = 0;
}

void answer::start(std::uint64_t now) {
  record_.start_ns = now;
  record_.tokens = stamps(now);
}

void answer::remark(std::atomic<bool>& told, std::string line) {
  if (remark_.empty() && !told.exchange(true)) remark_ = std::move(line);
}

void answer::blame(std::string_view did, std::string_view behind) {
  if (shared_.told->fault.load()) return;
  remark(shared_.told->fault,
         fmt::format("backend {} is at fault: it {} request {}{}; report it to the plugin's author",
                     shared_.id(), did, record_.sequence, behind));
}

// For codecs, as for engines, on_done or on_error must be the last call.
bool answer::is_over(std::string_view call) {
  if (!outcome_known_) return false;
  blame(call, " after its end; such calls are ignored");
  return true;
}

void answer::on_token(const ifb_token& token) {
  if (is_over("called on_token for")) return;
  kept_bytes_ += sizeof(std::uint32_t) + token.text.size;
  if (kept_bytes_ > shared_.max_answer) return;  // kept_too_much() fails the request
  std::uint64_t at = stamp_;
  if (token.at != 0) {
    at = std::clamp(token.at, std::min(record_.sent_ns, stamp_), stamp_);
    if (at != token.at)
      blame("stamped a token of",
            " with a time before the request or in the future, so the time is not from the "
            "host's clock; such times are replaced by the nearest valid time");
  }
  if (late_ != 0) [[unlikely]]
    record_.late.events.push_back(
        {static_cast<std::uint32_t>(record_.tokens.size()),
         static_cast<std::uint32_t>(std::min<std::uint64_t>(late_, UINT32_MAX))});
  record_.tokens.push(at);
  at = record_.tokens.back();  // push() makes it at least the start and the previous stamp
  if (token.text.size == 0 && !has_data(token)) return;
  if (record_.first_text_ns == 0) record_.first_text_ns = at;
  record_.last_text_ns = at;
  ++record_.text_events[std::min<std::size_t>(token.channel, record_.text_events.size() - 1)];
  if (token.channel != IFB_CHANNEL_ANSWER) return;
  if (record_.first_answer_ns == 0) record_.first_answer_ns = at;
  if (token.text.size == 0) return;
  // Only the text of one choice is kept: the first choice that reports text, which choice 0
  // replaces when it reports text.
  if (record_.text.empty() || (token.choice == 0 && kept_choice_ != 0)) {
    record_.text.clear();
    record_.first_text_bytes =
        static_cast<std::uint32_t>(std::min<std::size_t>(token.text.size, UINT32_MAX));
    kept_choice_ = token.choice;
  }
  if (token.choice == kept_choice_) record_.text.append(token.text.data, token.text.size);
}

void answer::know(std::int64_t& kept, std::int64_t said, std::string_view what) {
  if (said < 0) return;
  if (said <= most_tokens)
    kept = said;
  else
    remark(shared_.told->count,
           fmt::format("backend {} reports {} {} tokens for request {}, which is impossible: "
                       "such counts are left out; check the usage that the server reports",
                       shared_.id(), said, what, record_.sequence));
}

void answer::on_usage(const ifb_usage& usage) {
  if (is_over("called on_usage for")) return;
  know(record_.prompt_tokens, usage.prompt_tokens, "prompt");
  know(record_.cached_tokens, usage.cached_tokens, "cached");
  know(record_.output_tokens, usage.output_tokens, "output");
  know(record_.reasoning_tokens, usage.reasoning_tokens, "reasoning");
}

void answer::on_attribute(std::string_view key, std::string_view value) {
  if (is_over("called on_attribute for")) return;
  kept_bytes_ += key.size() + value.size();
  if (kept_bytes_ > shared_.max_answer) return;
  record_.attributes.emplace_back(key, value);
}

void answer::on_done(std::string_view reason) {
  if (is_over("called on_done for")) return;
  outcome_known_ = true;
  record_.status = IFB_OK;
  kept_bytes_ += reason.size();
  if (kept_bytes_ <= shared_.max_answer) record_.finish_reason = reason;
}

void answer::on_error(const ifb_error& error) {
  if (is_over("called on_error for")) return;
  fail_once(known_error(error.code), plugin::text_of(error, error.code));
}

void answer::fail(ifb_status status, std::string message, std::uint64_t stamp) {
  record_.end_ns = stamp;
  // If the answer was not received to its end, a success that the plugin has reported does not
  // count.
  if (outcome_known_ && record_.ok()) outcome_known_ = false;
  fail_once(status, std::move(message));
}

void answer::refuse(std::string_view call, ifb_status status, const ifb_error& error) {
  if (status < 0) {
    const ifb_status known = known_error(status);
    const std::string text = plugin::text_of(error, status);
    // An internal error is the plugin's own: its text alone would not say so.
    fail_once(known, known == IFB_E_INTERNAL
                         ? fmt::format("{} of backend {} failed: {}", call, shared_.id(), text)
                         : text);
    return;
  }
  if (record_.ok()) outcome_known_ = false;
  fail_once(IFB_E_INTERNAL,
            fmt::format("{} of backend {} returned the status {}, which this call does not have",
                        call, shared_.id(), status));
}

void answer::fail_once(ifb_status status, std::string message) {
  if (outcome_known_) return;
  outcome_known_ = true;
  record_.status = status;
  record_.error = std::move(message);
}

bool answer::kept_too_much(std::uint64_t stamp) {
  if (kept_bytes_ <= shared_.max_answer) return false;
  fail(IFB_E_PROTOCOL,
       longer_than("the kept part of the answer is", shared_.max_answer, "--max-answer"), stamp);
  return true;
}

}  // namespace inferbench::client
