#include "prompts/salt_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <inferbench/text.hpp>

#include "base/text.hpp"
#include "plugin/instance.hpp"

namespace inferbench::prompts {

namespace {

constexpr int most_fittings = 8;

// Only this number of bytes at the start of a prompt influences how many tokens the salt adds:
// merges of tokens do not extend farther.
constexpr std::size_t seam_bytes = 128;

// If the vocabulary is unknown, ids are taken from `special_ids` up to `common_ids`. Most
// vocabularies have these ids, and ids below are special tokens and bytes.
constexpr std::uint32_t common_ids = 1000;
constexpr std::uint32_t special_ids = 256;
constexpr std::size_t made_ids = 8;

}  // namespace

salt_text::salt_text(std::string text, const services::tokenizer* tokens, bool exact)
    : text_(std::move(text)), tokens_(tokens), exact_(exact) {
  if (const auto added = encode({}, IFB_ENCODE_SPECIAL); added && !added->empty()) {
    // If there are several special tokens, the others are at the end of the prompt.
    first_ = added->front();
    beginnings_.push_back(decode({added->data(), 1}).value_or(""));
  }
  find_beginnings();
  find_ids();
}

// A chat template may begin with a token that the tokenizer itself does not add.
void salt_text::find_beginnings() {
  constexpr std::size_t most = 32;
  ifb_vocabulary words{};
  words.struct_size = sizeof words;
  // Not every tokenizer knows its vocabulary, so a failure is not reported.
  if (tokens_ != nullptr && tokens_->vocabulary(&words, nullptr) == IFB_OK)
    for (std::size_t i = 0; i < std::min(words.special_id_count, most); ++i)
      beginnings_.push_back(decode({words.special_ids + i, 1}).value_or(""));
  std::erase(beginnings_, "");
}

void salt_text::find_ids() {
  if (auto found = encode(text_, 0); found && !found->empty()) {
    ids_ = std::move(*found);
    return;
  }
  ids_.clear();
  // The ids are made from the FNV-1a hash of the text.
  std::uint64_t state = 0xCBF29CE484222325U;
  for (const char c : text_)
    state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  for (std::size_t i = 0; i < made_ids; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    ids_.push_back(special_ids +
                   static_cast<std::uint32_t>((state >> 33U) % (common_ids - special_ids)));
  }
}

// Without an answer of the tokenizer the salt is put in front of the prompt, and nothing is
// counted.
std::optional<salt_text::token_ids> salt_text::encode(std::string_view text,
                                                      std::uint32_t flags) const {
  if (tokens_ == nullptr) return std::nullopt;
  try {
    return tokens_->encoded(text, flags);
  } catch (const plugin::refused& failure) {
    tokens_->tell(failure);
    return std::nullopt;
  }
}

std::optional<std::string> salt_text::decode(std::span<const std::uint32_t> from) const {
  if (tokens_ == nullptr) return std::nullopt;
  try {
    return tokens_->decoded(from);
  } catch (const plugin::refused& failure) {
    tokens_->tell(failure);
    return std::nullopt;
  }
}

std::int64_t salt_text::count(std::string_view text) const {
  return static_cast<std::int64_t>(tokens_->count(text).value_or(0));
}

std::size_t salt_text::beginning_of(std::string_view prompt) const {
  const auto at = std::ranges::find_if(beginnings_,
                                       [&](const std::string& b) { return prompt.starts_with(b); });
  return at == beginnings_.end() ? 0 : at->size();
}

// If the prompt contains `content`, the salt is put directly before `content`, after the text of
// the rendered template. So the server's own rendering of the salted message gives the same prompt.
// Otherwise the salt is put after the beginning token, which must be the first token.
salt_text::salted_text salt_text::salted(std::string_view prompt, std::string_view content) const {
  content = base::trim(content);  // many templates trim the message, too
  std::size_t place = content.empty() ? std::string_view::npos : prompt.find(content);
  if (place == std::string_view::npos) place = beginning_of(prompt);
  const std::string_view before = prompt.substr(0, place);
  const std::string_view rest = prompt.substr(place);
  if (exact_)
    if (auto fitted = refitted(before, rest)) return std::move(*fitted);
  return in_front(before, rest);
}

salt_text::salted_text salt_text::in_front(std::string_view before, std::string_view rest) const {
  salted_text out;
  out.text.reserve(before.size() + text_.size() + rest.size());
  out.text.append(before).append(text_).append(rest);
  if (tokens_ != nullptr) {
    const std::string_view seam = ifb::cut_utf8(rest, seam_bytes);
    out.grown = count(text_ + std::string(seam)) - count(seam);
  }
  return out;
}

// Corrects the number of tokens: text at the end is removed or added. Prompts with a common
// beginning are cut at the same place, so they still have a common beginning. Returns nullopt for a
// prompt that is less than twice as long as the salt: too little of its text would remain to
// distinguish it from other prompts.
std::optional<salt_text::salted_text> salt_text::refitted(std::string_view before,
                                                          std::string_view rest) const {
  const auto old = encode(rest, 0);
  if (!old || old->size() < 2 * ids_.size()) return std::nullopt;
  token_ids left(old->begin() + static_cast<std::ptrdiff_t>(ids_.size()), old->end());
  std::optional<salted_text> best;
  for (int i = 0; i < most_fittings && (!best || best->grown != 0); ++i) {
    const auto decoded = decode(left);
    if (!decoded) break;
    const std::string text = text_ + *decoded;
    const auto now = encode(text, 0);
    if (!now) break;
    const std::int64_t more =
        static_cast<std::int64_t>(now->size()) - static_cast<std::int64_t>(old->size());
    if (!best || std::abs(more) < std::abs(best->grown))
      best = salted_text{std::string(before) + text, more};
    if (more > 0)
      left.resize(left.size() - std::min(left.size() - 1, static_cast<std::size_t>(more)));
    else
      left.insert(left.end(), old->begin(),
                  old->begin() + std::min<std::ptrdiff_t>(-more, std::ssize(*old)));
  }
  return best;
}

}  // namespace inferbench::prompts
