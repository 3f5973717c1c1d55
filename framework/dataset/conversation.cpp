#include "dataset/conversation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include <inferbench/views.hpp>

#include "plugin/instance.hpp"
#include "plugin/struct_copy.hpp"

namespace inferbench::dataset {

namespace {

/// Returns -1 for a message of an older version of the contract, which has no token count.
std::int64_t tokens_of(const ifb_message& message) {
  constexpr std::size_t end = offsetof(ifb_message, tokens) + sizeof message.tokens;
  return message.struct_size >= end ? message.tokens : -1;
}

// The number of messages from the first to the recorded answer of the turn.
std::uint32_t end_of(const turn& of) { return of.messages + (of.answered ? 1 : 0); }

/// Whether the turn is known to have more than `most` tokens. `before`: those of its history.
bool is_longer(const turn& of, std::int64_t before, std::int64_t most) {
  return before >= 0 && of.tokens >= 0 &&
         sum_of_tokens(sum_of_tokens(before, of.tokens),
                       std::max<std::int64_t>(of.answer_tokens, 0)) > most;
}

}  // namespace

std::int64_t sum_of_tokens(std::int64_t a, std::int64_t b) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

bool has_history(const ifb_sample& row) noexcept {
  return std::ranges::none_of(std::span(row.metadata, row.metadata_count), [](const ifb_field& f) {
    return plugin::view(f.name) == history_field && plugin::view(f.value) == no_history;
  });
}

std::vector<turn> turns_of(const ifb_sample& row) {
  const auto messages = ifb::view(row.messages);
  const auto role = [&](std::uint32_t i) { return plugin::view(messages[i].role); };
  const bool history = has_history(row);
  std::vector<turn> out;
  std::int64_t fresh = 0;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const std::int64_t tokens = tokens_of(messages[i]);
    if (role(i) == "assistant" && !out.empty() && out.back().messages == i) continue;
    fresh = fresh < 0 || tokens < 0 ? -1 : sum_of_tokens(fresh, tokens);
    if (role(i) != "user") continue;
    const bool last = i + 1 == messages.size();
    if (!last && role(i + 1) != "assistant") continue;
    const std::int64_t answer = last ? -1 : tokens_of(messages[i + 1]);
    const std::uint32_t first = history || out.empty() ? 0 : end_of(out.back());
    out.push_back({i + 1, fresh, answer >= 0 ? answer : row.output_tokens, !last, first});
    fresh = 0;
  }
  return out;
}

std::optional<std::size_t> cut_to(sample& row, std::int64_t most) {
  const std::vector<turn> turns = turns_of(row.c);
  const bool history = has_history(row.c);
  const auto said = ifb::view(row.c.messages);
  std::vector<ifb_message> kept;
  std::size_t left = 0;
  std::int64_t before = 0;
  for (const turn& one : turns) {
    if (is_longer(one, before, most)) {
      if (history) break;
      continue;
    }
    ++left;
    for (auto i = static_cast<std::uint32_t>(history ? kept.size() : one.first); i < end_of(one);
         ++i)
      kept.push_back(plugin::struct_copy(said[i]));
    if (!history) continue;
    before = before < 0 || one.tokens < 0 || one.answer_tokens < 0
                 ? -1
                 : sum_of_tokens(sum_of_tokens(before, one.tokens), one.answer_tokens);
  }
  if (left == turns.size()) return 0;
  if (left < 2) return std::nullopt;
  const std::size_t bytes = kept.size() * sizeof(ifb_message);
  auto* const messages = static_cast<ifb_message*>(row.arena.alloc(bytes));
  if (messages == nullptr) return std::nullopt;
  std::ranges::copy(kept, messages);
  row.c.messages = ifb::list_of({messages, kept.size()});
  return turns.size() - left;
}

void keep_first_turn(sample& row) {
  const turn first = turns_of(row.c).at(0);
  row.c.messages.count = first.messages;
  row.c.input_tokens = first.tokens;
  row.c.output_tokens = first.answer_tokens;
}

}  // namespace inferbench::dataset
