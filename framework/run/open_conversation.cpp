#include "run/open_conversation.hpp"

#include <string_view>
#include <utility>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "plugin/instance.hpp"
#include "plugin/struct_copy.hpp"

namespace inferbench::run {

namespace {

/// The id of the conversation in its data set; the id of the session if it has none.
std::string_view conversation_id_of(const open_conversation& of) {
  const ifb_sample& row = of.row->c;
  for (std::size_t i = 0; i < row.metadata_count; ++i)
    if (plugin::view(row.metadata[i].name) == "conversation_id")
      return plugin::view(row.metadata[i].value);
  return of.session;
}

/// The two JSON objects as one; either may be empty. If both have a member, the member of `above`
/// comes last, so it counts.
std::string joined_objects(std::string_view below, std::string_view above) {
  if (below.empty() || above.empty()) return std::string(below.empty() ? above : below);
  const std::size_t end = below.find_last_of('}');
  std::string out(below.substr(0, end));
  if (below.find_first_not_of(" \t\r\n", below.find('{') + 1) != end) out += ',';
  return out.append(above.substr(1));
}

}  // namespace

void conversation_counts::add_request(open_conversation& of, const client::record& ended) {
  const std::uint64_t from = of.seen_ns == 0 ? of.began_ns : of.seen_ns;
  of.seen_ns = std::max(from, ended.end_ns);
  lasted_ns_ += of.seen_ns - from;
}

void conversation_counts::add_ended_early(const open_conversation& of) {
  ++ended_early_;
  requests_given_up_ += of.turns.size() - of.answers.size() - 1;
}

void conversation_counts::write(ifb::json_writer& out, std::uint64_t begun,
                                std::uint64_t turns) const {
  out.member("begun", begun);
  out.member("finished", finished_);
  out.member("ended_early", ended_early_);
  out.member("requests_given_up", requests_given_up_);
  out.member("most_active", most_active_);
  if (begun == 0) return;
  const auto mean = [&](std::uint64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(begun);
  };
  out.member("mean_turns", mean(turns));
  out.member("mean_duration_ms", mean(lasted_ns_) / static_cast<double>(base::ns_per_ms));
}

void open_conversation::add_answer(std::string text, std::int64_t counted) {
  const dataset::turn& asked = now();
  const std::int64_t answer = counted >= 0 ? counted : asked.answer_tokens;
  tokens = tokens < 0 || asked.tokens < 0 || answer < 0
               ? -1
               : dataset::sum_of_tokens(dataset::sum_of_tokens(tokens, asked.tokens), answer);
  answers.push_back(std::move(text));
  attempts = 0;
}

conversation_requests::conversation_requests(const prompts::lora_modules& adapters,
                                             conversation_ids ids, turn_body body)
    : adapters_(adapters), ids_(std::move(ids)), body_(std::move(body)) {}

open_conversation_ptr conversation_requests::open(dataset::sample_ptr row) {
  auto out = std::make_unique<open_conversation>();
  out->row = std::move(row);
  adapters_.assign(*out->row);
  out->session = ids_.prefix + (ids_.by_turn ? "conv-" : "session-") + std::to_string(begun_++);
  out->turns = dataset::turns_of(out->row->c);
  out->answers.reserve(out->turns.size());
  return out;
}

void conversation_requests::fill(client::job& out, const open_conversation& from) {
  const std::size_t number = from.answers.size();
  const dataset::turn& now = from.now();
  out.owned = pool_.take();
  out.sequence = sequence_++;
  dataset::sample& request = *out.owned;
  request.sequence = out.sequence;
  request.c = from.row->c;
  request.c.session = plugin::str(from.session);
  request.c.turn = static_cast<std::uint32_t>(number);
  if (request.c.id.size != 0)
    request.c.id = plugin::str(
        request.arena.copy(ids_.by_turn ? from.session + "-turn" + std::to_string(number)
                                        : ids_.prefix + std::to_string(out.sequence)));
  const std::int64_t before = now.first > 0 ? 0 : from.tokens;
  request.c.input_tokens =
      before < 0 || now.tokens < 0 ? -1 : dataset::sum_of_tokens(before, now.tokens);
  request.c.output_tokens = body_.carries_length() ? -1 : now.answer_tokens;
  request.c.arrival_ns = -1;
  if (!body_.empty())
    request.c.overrides = plugin::str(
        request.arena.copy(joined_objects(plugin::view(from.row->c.overrides),
                                          body_.of(now.answer_tokens, conversation_id_of(from)))));
  out.sample = &request.c;

  const auto said = ifb::view(from.row->c.messages);
  const std::uint32_t count = now.messages - now.first;
  auto* const messages =
      static_cast<ifb_message*>(request.arena.alloc(count * sizeof(ifb_message)));
  auto* const parts = static_cast<ifb_part*>(request.arena.alloc((number + 1) * sizeof(ifb_part)));
  // If there is not enough memory, the list stays empty and the backend refuses it.
  request.c.messages = {};
  if (messages == nullptr || parts == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i)
    messages[i] = plugin::struct_copy(said[now.first + i]);
  for (std::size_t k = 0; k < number; ++k) {
    const std::uint32_t at = from.turns[k].messages;
    if (at < now.first) continue;
    parts[k] = ifb::text_part(from.answers[k]);
    messages[at - now.first] = ifb::message("assistant", ifb::list_of({&parts[k], 1}));
  }
  request.c.messages = ifb::list_of({messages, count});
}

void conversation_requests::describe(const open_conversation& from, client::record& of) const {
  const dataset::turn& asked = from.now();
  const auto add = [&](const char* name, auto number) {
    of.attributes.emplace_back(name, std::to_string(number));
  };
  if (of.wanted_tokens < 0) of.wanted_tokens = asked.answer_tokens;
  add("client", from.client);
  add("messages", asked.messages - asked.first);
  if (asked.tokens >= 0) add("question_tokens", asked.tokens);
  add("answer.chunks", of.text_events[IFB_CHANNEL_ANSWER]);
  add("answer.first_bytes", of.first_text_bytes);
  if (from.attempts > 0) add("attempt", from.attempts + 1);
  if (from.warmed > 0 && from.warmed == from.answers.size())
    of.attributes.emplace_back("warm_up_answer", from.answers.back());
}

}  // namespace inferbench::run
