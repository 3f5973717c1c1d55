#include "client/answer.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "config/units.hpp"
#include "plugin/instance.hpp"

namespace inferbench::client {

namespace {

answer& of(ifb_output* output) { return *static_cast<answer*>(output); }

void token(ifb_output* o, const ifb_token* t) { of(o).on_token(*t); }
void usage(ifb_output* o, const ifb_usage* u) { of(o).on_usage(*u); }
void attribute(ifb_output* o, ifb_str key, ifb_str value) {
  of(o).on_attribute(plugin::view(key), plugin::view(value));
}
void done(ifb_output* o, ifb_str reason) { of(o).on_done(plugin::view(reason)); }
void failed(ifb_output* o, const ifb_error* e) { of(o).on_error(*e); }

constexpr ifb_events table{sizeof(ifb_events), 0, &token, &usage, &attribute, &done, &failed};

void know(std::int64_t& kept, std::int64_t said) {
  if (said >= 0) kept = said;
}

}  // namespace

const ifb_events& events() noexcept { return table; }

std::string longer_than(std::string_view what, std::uint64_t limit, std::string_view flag) {
  std::string size = config::size_text(static_cast<std::int64_t>(limit));
  size.insert(size.find_first_not_of("0123456789"), 1, ' ');
  return std::string(what) + " longer than " + size + " (" + std::string(flag) + ")";
}

void answer::begin(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns) {
  outcome_known_ = false;
  // Made anew where it stands, which is cheaper than to move an empty one here.
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
}

void answer::start(std::uint64_t now) {
  record_.start_ns = now;
  record_.tokens = stamps(now);
}

void answer::on_token(const ifb_token& token) {
  if (outcome_known_) return;
  kept_bytes_ += sizeof(std::uint32_t) + token.text.size;
  if (kept_bytes_ > shared_.max_answer) return;  // kept_too_much() fails the request
  record_.tokens.push(token.at != 0 ? token.at : stamp_);
  const std::uint64_t at = record_.tokens.back();  // not before start and the last one
  if (token.text.size == 0) return;
  if (record_.first_text_ns == 0) record_.first_text_ns = at;
  record_.last_text_ns = at;
  ++record_.text_events[std::min<std::size_t>(token.channel, record_.text_events.size() - 1)];
  if (token.channel != IFB_CHANNEL_ANSWER) return;
  if (record_.first_answer_ns == 0) record_.first_answer_ns = at;
  if (token.choice == 0) record_.text.append(token.text.data, token.text.size);
}

void answer::on_usage(const ifb_usage& usage) {
  know(record_.prompt_tokens, usage.prompt_tokens);
  know(record_.cached_tokens, usage.cached_tokens);
  know(record_.output_tokens, usage.output_tokens);
  know(record_.reasoning_tokens, usage.reasoning_tokens);
}

void answer::on_attribute(std::string_view key, std::string_view value) {
  kept_bytes_ += key.size() + value.size();
  if (kept_bytes_ > shared_.max_answer) return;
  record_.attributes.emplace_back(key, value);
}

void answer::on_done(std::string_view reason) {
  if (outcome_known_) return;
  outcome_known_ = true;
  record_.status = IFB_OK;
  kept_bytes_ += reason.size();
  if (kept_bytes_ <= shared_.max_answer) record_.finish_reason = reason;
}

void answer::on_error(const ifb_error& error) {
  fail_once(error.code < 0 ? error.code : IFB_E_INTERNAL, plugin::text_of(error, error.code));
}

void answer::fail(ifb_status status, std::string message, std::uint64_t stamp) {
  record_.end_ns = stamp;
  // A success that the plugin saw in an answer without an end is none, unless it has
  // said that the rest does not matter.
  if (outcome_known_ && record_.ok() && !heard_enough_) outcome_known_ = false;
  fail_once(status, std::move(message));
}

void answer::refuse(ifb_status status, const ifb_error& error) {
  fail_once(status < 0 ? status : IFB_E_INTERNAL, plugin::text_of(error, status));
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
       longer_than("what is kept of the answer is", shared_.max_answer, "--max-answer"), stamp);
  return true;
}

}  // namespace inferbench::client
