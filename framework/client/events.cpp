#include <algorithm>

#include "client/exchange.hpp"
#include "plugin/instance.hpp"

namespace inferbench::client {

namespace {

exchange& of(ifb_output* output) { return *static_cast<exchange*>(output); }

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

void exchange::on_token(const ifb_token& token) {
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

void exchange::on_usage(const ifb_usage& usage) {
  know(record_.prompt_tokens, usage.prompt_tokens);
  know(record_.cached_tokens, usage.cached_tokens);
  know(record_.output_tokens, usage.output_tokens);
  know(record_.reasoning_tokens, usage.reasoning_tokens);
}

void exchange::on_attribute(std::string_view key, std::string_view value) {
  kept_bytes_ += key.size() + value.size();
  if (kept_bytes_ > shared_.max_answer) return;
  record_.attributes.emplace_back(key, value);
}

void exchange::on_done(std::string_view reason) {
  if (outcome_known_) return;
  outcome_known_ = true;
  record_.status = IFB_OK;
  kept_bytes_ += reason.size();
  if (kept_bytes_ <= shared_.max_answer) record_.finish_reason = reason;
}

void exchange::on_error(const ifb_error& error) {
  fail_once(error.code < 0 ? error.code : IFB_E_INTERNAL, plugin::text_of(error, error.code));
}

}  // namespace inferbench::client
