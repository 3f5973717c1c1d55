#include "prompts/prefix_sharing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>

#include <inferbench/views.hpp>

#include "dataset/conversation.hpp"
#include "plugin/instance.hpp"

namespace inferbench::prompts {

namespace {

constexpr std::size_t most_kept = std::size_t{1} << 20U;
constexpr std::size_t least_kept = std::size_t{1} << 12U;
constexpr std::size_t kept_of_each = 128;

// Beginnings of prompts are compared at steps of 16 bytes. Farther into a prompt, a step is 1/64 of
// the length up to it. So a length is exact to 2 %, and a prompt of a megabyte needs only a
// thousand table entries.
constexpr std::size_t least_step = 16;
constexpr std::size_t fineness = 64;

constexpr std::size_t most_marks = 1024;

constexpr double block_tokens = 16;
constexpr double bytes_of_a_token = 4;  // assumed if the token count is not known

std::uint64_t mixed(std::uint64_t before, std::string_view bytes) {
  std::uint64_t out = before ^ std::hash<std::string_view>{}(bytes);
  out *= 0x9E3779B97F4A7C15U;
  return out ^ (out >> 32U);
}

}  // namespace

prefix_sharing::prefix_sharing(std::uint64_t prompts, std::size_t servers, bool conversations)
    : seen_(std::bit_ceil(std::clamp(
          static_cast<std::size_t>(std::min<std::uint64_t>(prompts, most_kept)) * kept_of_each,
          least_kept, most_kept))),
      servers_(std::max<std::size_t>(servers, 1)),
      conversations_(conversations) {}

void prefix_sharing::clear() {
  std::ranges::fill(seen_, 0);
  known_ = !conversations_ || servers_ == 1;
  all_ = {};
  marks_.clear();
  stride_ = 1;
}

// The server's tokens are unknown. They are not needed, because equal bytes give equal tokens.
std::string_view prefix_sharing::bytes_of(const ifb_sample& prompt) {
  // The server puts some of these members, for instance tools, in front of the messages.
  if (prompt.media.count != 0 || prompt.overrides.size != 0) known_ = false;
  joined_.clear();
  ends_.clear();
  const auto join = [&](const ifb_part_list& parts) {
    for (std::uint32_t i = 0; i < parts.count; ++i) {
      const ifb_part& part = ifb::view(parts)[i];
      if (part.kind != IFB_PART_TEXT) known_ = false;
      joined_ += plugin::view(part.data);
    }
  };
  switch (prompt.shape) {
    case IFB_PROMPT_TEXT:
    case IFB_PROMPT_TOKENS: return plugin::view(prompt.prompt.first->data);
    case IFB_PROMPT_PARTS: join(prompt.prompt); return joined_;
    case IFB_PROMPT_CHAT:
      for (std::uint32_t i = 0; i < prompt.messages.count; ++i) {
        const ifb_message& message = ifb::view(prompt.messages)[i];
        joined_ += plugin::view(message.role);
        joined_ += '\n';
        if (message.json.size != 0) known_ = false;
        join(message.parts);
        joined_ += '\n';
        ends_.push_back(joined_.size());
      }
      return joined_;
    default: known_ = false; return {};
  }
}

// The hash of a beginning depends on all of its bytes, so the last match is the longest. The table
// has one entry for each index. Frequent beginnings are written again each time. If an entry is
// overwritten, only this one match is lost.
std::size_t prefix_sharing::look_up(std::string_view prompt, std::size_t server) {
  std::size_t found = 0;
  std::uint64_t hash = server + 1;
  for (std::size_t at = 0; at < prompt.size();) {
    const std::size_t step = std::max(least_step, std::bit_floor(at / fineness));
    hash = mixed(hash, prompt.substr(at, step));
    at = std::min(at + step, prompt.size());
    std::uint64_t& place = seen_[hash & (seen_.size() - 1)];
    if (place == hash) found = at;
    place = hash;
  }
  return found;
}

void prefix_sharing::sent_before(const ifb_sample& prompt, std::uint64_t count) {
  const std::string_view bytes = bytes_of(prompt);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(count, servers_); ++i)
    static_cast<void>(look_up(bytes, i));
}

void prefix_sharing::add(const ifb_sample& prompt) {
  const std::size_t server = all_.prompts++ % servers_;
  if (!known_) return;
  if (conversations_) return add_turns(prompt);
  if (const std::string_view bytes = bytes_of(prompt); !bytes.empty()) {
    const auto size = static_cast<double>(bytes.size());
    const double share = static_cast<double>(look_up(bytes, server)) / size;
    const double tokens = prompt.input_tokens > 0 ? static_cast<double>(prompt.input_tokens)
                                                  : size / bytes_of_a_token;
    add(tokens, tokens * share, tokens * share);
  }
  mark();
}

// If there are too many marks, every second mark is deleted.
void prefix_sharing::mark() {
  if (all_.prompts % stride_ != 0) return;
  marks_.push_back(all_);
  if (marks_.size() < most_marks) return;
  for (std::size_t i = 0; i < most_marks / 2; ++i)
    marks_[i] = marks_[2 * i + 1];
  marks_.resize(most_marks / 2);
  stride_ *= 2;
}

// Each request of a conversation begins with the previous request and its answer. The server has
// the previous request in its cache; some servers also have the answer.
void prefix_sharing::add_turns(const ifb_sample& row) {
  const auto turns = dataset::turns_of(row);
  const std::string_view whole = bytes_of(row);
  if (turns.empty()) return;
  const auto end_of = [&](std::uint32_t messages) {
    return messages == 0 ? std::size_t{0} : ends_[messages - 1];
  };
  if (!dataset::has_history(row)) {
    for (const dataset::turn& one : turns) {
      const std::size_t first = end_of(one.first);
      const std::string_view bytes = whole.substr(first, end_of(one.messages) - first);
      const double found = static_cast<double>(look_up(bytes, 0)) / bytes_of_a_token;
      add(static_cast<double>(bytes.size()) / bytes_of_a_token, found, found);
    }
    return;
  }
  const std::size_t found = look_up(whole.substr(0, end_of(turns.back().messages)), 0);
  std::size_t before = 0;
  std::size_t with_answer = 0;
  for (const dataset::turn& one : turns) {
    const std::size_t size = end_of(one.messages);
    const auto tokens_in = [&](std::size_t bytes) {
      return static_cast<double>(std::min(bytes, size)) / bytes_of_a_token;
    };
    add(tokens_in(size), tokens_in(std::max(found, with_answer)),
        tokens_in(std::max(found, before)));
    before = size;
    with_answer = one.answered ? end_of(one.messages + 1) : size;
  }
}

// `in_blocks` never includes the last token of a prompt: the server computes this token again even
// if the whole prompt is in its cache.
void prefix_sharing::add(double tokens, double most, double surely) {
  all_.tokens += tokens;
  all_.most += most;
  all_.in_blocks +=
      std::max(std::floor(std::min(surely, tokens - 1) / block_tokens), 0.0) * block_tokens;
}

std::optional<shared_prefixes> prefix_sharing::shares(std::uint64_t first) const {
  if (!known_ || all_.tokens <= 0) return std::nullopt;
  sums of = all_;
  if (first < all_.prompts && !marks_.empty()) {
    const auto after = std::ranges::upper_bound(marks_, first, {}, &sums::prompts);
    of = after == marks_.begin() ? marks_.front() : *std::prev(after);
    if (of.tokens <= 0) return std::nullopt;
  }
  return shared_prefixes{of.most / of.tokens, of.in_blocks / of.tokens};
}

}  // namespace inferbench::prompts
