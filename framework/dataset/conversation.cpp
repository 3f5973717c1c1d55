#include "dataset/conversation.hpp"

#include <cstddef>

#include <inferbench/views.hpp>

#include "plugin/instance.hpp"

namespace inferbench::dataset {

namespace {

/// Returns -1 for a message of an older version of the contract, which has no token count.
std::int64_t tokens_of(const ifb_message& message) {
  constexpr std::size_t end = offsetof(ifb_message, tokens) + sizeof message.tokens;
  return message.struct_size >= end ? message.tokens : -1;
}

}  // namespace

std::vector<turn> turns_of(const ifb_sample& row) {
  const auto messages = ifb::view(row.messages);
  const auto role = [&](std::uint32_t i) { return plugin::view(messages[i].role); };
  std::vector<turn> out;
  std::int64_t fresh = 0;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const std::int64_t tokens = tokens_of(messages[i]);
    if (role(i) == "assistant" && !out.empty() && out.back().messages == i) continue;
    fresh = fresh < 0 || tokens < 0 ? -1 : fresh + tokens;
    if (role(i) != "user") continue;
    const bool last = i + 1 == messages.size();
    if (!last && role(i + 1) != "assistant") continue;
    const std::int64_t answer = last ? -1 : tokens_of(messages[i + 1]);
    out.push_back({i + 1, fresh, answer >= 0 ? answer : row.output_tokens, !last});
    fresh = 0;
  }
  return out;
}

void keep_first_turn(sample& row) {
  const turn first = turns_of(row.c).at(0);
  row.c.messages.count = first.messages;
  row.c.input_tokens = first.tokens;
  row.c.output_tokens = first.answer_tokens;
}

}  // namespace inferbench::dataset
