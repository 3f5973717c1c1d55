#include "prompts/salt.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <inferbench/views.hpp>

#include "dataset/conversation.hpp"
#include "plugin/instance.hpp"
#include "prompts/message_content.hpp"
#include "prompts/parallel.hpp"

namespace inferbench::prompts {

namespace {

constexpr std::size_t most_salting_threads = 8;

/// A mutable copy of the elements of `of`, allocated in `memory`, with room for `more` elements in
/// front. nullptr if there is not enough memory.
template <typename list>
auto own(list& of, base::arena& memory, std::uint32_t more = 0) {
  using item = std::remove_const_t<std::remove_pointer_t<decltype(of.first)>>;
  const std::size_t size = of.stride != 0 ? of.stride : sizeof(item);
  auto* const copy = static_cast<std::byte*>(memory.alloc((of.count + more) * size));
  if (copy != nullptr) {
    if (of.count != 0) std::memcpy(copy + more * size, of.first, of.count * size);
    of.first = reinterpret_cast<item*>(copy);
    of.count += more;
    of.stride = static_cast<std::uint32_t>(size);
  }
  return reinterpret_cast<item*>(copy);
}

template <typename item>
item& at(item* first, std::uint32_t stride, std::uint32_t i) {
  return *reinterpret_cast<item*>(reinterpret_cast<std::byte*>(first) + std::size_t{i} * stride);
}

bool set_text(ifb_part& part, std::string_view text, base::arena& memory) {
  const std::string_view kept = memory.copy(text);
  if (kept.size() != text.size()) return false;
  part.data = {kept.data(), kept.size()};
  return true;
}

/// The text of the message, which the caller searches in a rendered prompt.
std::string said_by(const ifb_message& message) {
  if (message.json.size != 0) {
    const auto place = content_of(plugin::view(message.json));
    return place && place->in_string ? place->text : std::string();
  }
  for (std::uint32_t i = 0; i < message.parts.count; ++i)
    if (const ifb_part& part = ifb::view(message.parts)[i]; part.kind == IFB_PART_TEXT)
      return std::string(plugin::view(part.data));
  return {};
}

}  // namespace

salt::salt(std::string text, const services::tokenizer* tokens, bool exact)
    : given_(std::move(text)), tokens_(tokens), now_(given_, tokens, exact) {}

void salt::begin(std::int64_t number) {
  if (number != 1) now_ = salt_text(std::to_string(number) + "-" + given_, tokens_, now_.exact());
  prompts_ = off_ = without_ = behind_ = 0;
  most_off_ = 0;
}

bool salt::put_into_tokens(ifb_part& part, base::arena& memory, std::int64_t& grown) const {
  const auto* const old = static_cast<const std::uint32_t*>(part.data.data);
  const std::size_t count = part.data.size / sizeof *old;
  // The ids already include the beginning token that the model adds to a text.
  const std::size_t kept = count != 0 && old[0] == now_.first() ? 1 : 0;
  const std::size_t gone =
      now_.exact() && count - kept >= 2 * now_.ids().size() ? now_.ids().size() : 0;
  const std::size_t size = count + now_.ids().size() - gone;
  auto* const out = static_cast<std::uint32_t*>(memory.alloc(size * sizeof *old));
  if (out == nullptr) return false;
  std::uint32_t* end = std::copy_n(old, kept, out);
  end = std::ranges::copy(now_.ids(), end).out;
  std::copy(old + kept + gone, old + count, end);
  part.data = {out, size * sizeof *old};
  grown += static_cast<std::int64_t>(now_.ids().size() - gone);
  return true;
}

// If the first part is not text, the salt is put in front of it. Otherwise the server's cache could
// contain all parts before the first text.
bool salt::put_into_parts(ifb_part_list& parts, base::arena& memory, std::int64_t& grown) const {
  const bool text = parts.count != 0 && ifb::view(parts)[0].kind == IFB_PART_TEXT;
  ifb_part* const first = own(parts, memory, text ? 0 : 1);
  if (first == nullptr) return false;
  if (!text) {
    first->struct_size = std::min<std::uint32_t>(parts.stride, sizeof *first);
    first->kind = IFB_PART_TEXT;
    grown += static_cast<std::int64_t>(now_.ids().size());
    return set_text(*first, now_.text(), memory);
  }
  const auto part_text = now_.salted(plugin::view(first->data));
  grown += part_text.grown;
  return set_text(*first, part_text.text, memory);
}

// Returns nullopt if the message has no content.
std::optional<bool> salt::put_into_message(ifb_message& message, base::arena& memory,
                                           std::int64_t& grown) const {
  const std::int64_t before = grown;
  if (message.json.size != 0) {
    const std::string_view json = plugin::view(message.json);
    const auto place = content_of(json);
    if (!place) return std::nullopt;
    grown += now_.in_front({}, place->text).grown;
    const std::string message_json = with_text(json, *place, now_.text());
    const std::string_view kept = memory.copy(message_json);
    if (kept.size() != message_json.size()) return false;
    message.json = plugin::str(kept);
  } else if (!put_into_parts(message.parts, memory, grown)) {
    return false;
  }
  if (IFB_HAS(&message, tokens) && message.tokens > 0) message.tokens += grown - before;
  return true;
}

// Salts the first message that has content, which is usually the first message of the list. If the
// turns of a conversation are sent alone, the first message of each turn is salted.
bool salt::put_into_messages(dataset::sample& one, std::int64_t& grown) const {
  std::vector<std::uint32_t> begins{0};
  if (!dataset::has_history(one.c)) {
    begins.clear();
    for (const dataset::turn& turn : dataset::turns_of(one.c))
      begins.push_back(turn.first);
  }
  ifb_message_list& list = one.c.messages;
  ifb_message* const all = own(list, one.arena);
  if (all == nullptr) return false;
  bool salted = false;
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const std::uint32_t end = k + 1 < begins.size() ? begins[k + 1] : list.count;
    std::optional<bool> done;
    for (std::uint32_t i = begins[k]; i < end && !done; ++i)
      done = put_into_message(at(all, list.stride, i), one.arena, grown);
    if (done && !*done) return false;
    salted |= done.has_value();
  }
  return salted;
}

bool salt::put_into_prompt(dataset::sample& one) {
  ifb_part_list& list = one.c.prompt;
  std::int64_t grown = 0;
  bool done = false;
  const bool messages = one.c.messages.count != 0;
  switch (one.c.shape) {
    case IFB_PROMPT_TEXT:
    case IFB_PROMPT_TEXTS:
    case IFB_PROMPT_TOKENS:
    case IFB_PROMPT_TOKEN_LISTS: {
      const std::string content = messages ? said_by(ifb::view(one.c.messages)[0]) : std::string();
      ifb_part* const all = own(list, one.arena);
      done = all != nullptr;
      for (std::uint32_t i = 0; done && i < list.count; ++i) {
        ifb_part& part = at(all, list.stride, i);
        if (part.kind == IFB_PART_TOKENS) {
          done = put_into_tokens(part, one.arena, grown);
          continue;
        }
        const auto part_text = now_.salted(plugin::view(part.data), content);
        grown += part_text.grown;
        done = set_text(part, part_text.text, one.arena);
      }
      // Counted separately and not used: the messages repeat the prompt's text.
      std::int64_t beside = 0;
      if (done && messages) done = put_into_messages(one, beside);
      break;
    }
    case IFB_PROMPT_PARTS: done = put_into_parts(list, one.arena, grown); break;
    case IFB_PROMPT_CHAT: done = put_into_messages(one, grown); break;
    default: break;
  }
  if (one.c.input_tokens >= 0)
    one.c.input_tokens = std::max<std::int64_t>(one.c.input_tokens + grown, 0);
  if (!now_.exact() || grown == 0) return done;
  ++off_;
  std::int64_t most = most_off_;
  while (most < std::abs(grown) && !most_off_.compare_exchange_weak(most, std::abs(grown))) {
  }
  return done;
}

void salt::put_into(dataset::sample& one) {
  ++prompts_;
  bool done = false;
  try {
    done = put_into_prompt(one);
  } catch (const std::exception&) {
    // Out of memory: this prompt is not changed.
  }
  if (!done) ++without_;
  if (one.c.overrides.size != 0) ++behind_;
}

void salt::put_into(std::span<const dataset::sample_ptr> prompts) noexcept {
  // Several threads are useful only if tokens have to be counted, since counting takes long.
  const std::size_t threads =
      now_.exact() && now_.counts()
          ? std::min(most_salting_threads, std::size_t{std::thread::hardware_concurrency()})
          : 1;
  for_each_index(prompts.size(), threads, [&](std::size_t i) { put_into(*prompts[i]); });
}

std::vector<std::string> salt::notes() const {
  std::vector<std::string> out;
  if (off_ != 0)
    out.push_back(
        fmt::format("with the salt {} of {} prompts are longer or shorter than they were made, by "
                    "at most {} tokens",
                    off_.load(), prompts_.load(), most_off_.load()));
  if (without_ != 0)
    out.push_back(fmt::format(
        "{} of {} prompts went without the salt: they have no text that it could stand in front of",
        without_.load(), prompts_.load()));
  if (behind_ != 0)
    out.push_back(
        fmt::format("{} of {} prompts have tools or other members of their own: where the server's "
                    "chat template puts these in front of the messages, they stand before the salt "
                    "and may come from its cache",
                    behind_.load(), prompts_.load()));
  return out;
}

}  // namespace inferbench::prompts
