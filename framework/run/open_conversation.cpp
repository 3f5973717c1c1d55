#include "run/open_conversation.hpp"

#include <string_view>
#include <utility>

#include <inferbench/views.hpp>

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

void write_counts(ifb::json_writer& out, const conversation_counts& of) {
  out.member("begun", of.begun);
  out.member("finished", of.finished);
  out.member("ended_early", of.ended_early);
  out.member("requests_given_up", of.requests_given_up);
  out.member("most_active", of.most_active);
}

void open_conversation::add_answer(std::string text, std::int64_t counted) {
  const dataset::turn& asked = now();
  const std::int64_t answer = counted >= 0 ? counted : asked.answer_tokens;
  tokens = tokens < 0 || asked.tokens < 0 || answer < 0 ? -1 : tokens + asked.tokens + answer;
  answers.push_back(std::move(text));
  attempts = 0;
}

conversation_requests::conversation_requests(const prompts::lora_modules& adapters,
                                             std::string id_prefix, turn_body body)
    : adapters_(adapters), id_prefix_(std::move(id_prefix)), body_(std::move(body)) {}

open_conversation_ptr conversation_requests::open(dataset::sample_ptr row) {
  auto out = std::make_unique<open_conversation>();
  out->row = std::move(row);
  adapters_.assign(*out->row);
  out->session = id_prefix_ + "session-" + std::to_string(begun_++);
  out->turns = dataset::turns_of(out->row->c);
  out->answers.reserve(out->turns.size());
  return out;
}

void conversation_requests::fill(client::job& out, const open_conversation& from) {
  const std::size_t number = from.answers.size();
  const dataset::turn& now = from.now();
  out.owned = pool_.take();
  out.sequence = sequence_++;
  dataset::sample& made = *out.owned;
  made.sequence = out.sequence;
  made.c = from.row->c;
  made.c.session = plugin::str(from.session);
  made.c.turn = static_cast<std::uint32_t>(number);
  if (made.c.id.size != 0)
    made.c.id = plugin::str(made.arena.copy(id_prefix_ + std::to_string(out.sequence)));
  made.c.input_tokens = from.tokens < 0 || now.tokens < 0 ? -1 : from.tokens + now.tokens;
  made.c.output_tokens = body_.carries_length() ? -1 : now.answer_tokens;
  made.c.arrival_ns = -1;
  if (!body_.empty())
    made.c.overrides = plugin::str(
        made.arena.copy(joined_objects(plugin::view(from.row->c.overrides),
                                       body_.of(now.answer_tokens, conversation_id_of(from)))));
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

void conversation_requests::describe(const open_conversation& from, client::record& of) const {
  const dataset::turn& asked = from.now();
  const auto add = [&](const char* name, auto number) {
    of.attributes.emplace_back(name, std::to_string(number));
  };
  if (of.wanted_tokens < 0) of.wanted_tokens = asked.answer_tokens;
  add("client", from.client);
  add("messages", asked.messages);
  if (asked.tokens >= 0) add("question_tokens", asked.tokens);
  add("answer.chunks", of.text_events[IFB_CHANNEL_ANSWER]);
  add("answer.first_bytes", of.first_text_bytes);
  if (from.attempts > 0) add("attempt", from.attempts + 1);
  if (from.warmed > 0 && from.warmed == from.answers.size())
    of.attributes.emplace_back("warm_up_answer", from.answers.back());
}

}  // namespace inferbench::run
