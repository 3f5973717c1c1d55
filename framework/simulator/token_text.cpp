#include "simulator/token_text.hpp"

#include <algorithm>
#include <array>

#include <inferbench/json_writer.hpp>

namespace inferbench::simulator {

namespace {

// There are 64 words, so that a mask turns any number into the index of a word.
constexpr std::array<std::string_view, 64> words{
    " when",  " the",  " tide",   " turns",  " each", " boat", " that", " lay",   " on",   " sand",
    " lifts", " and",  " swings", " its",    " bow",  " to",   " sea",  " then",  " men",  " who",
    " slept", " near", " old",    " nets",   " wake", " take", " up",   " oars",  " talk", " low",
    " of",    " wind", " far",    " from",   " here", " a",    " lamp", " goes",  " out",  " gulls",
    " cry",   " over", " grey",   " water",  " it",   " is",   " cold", " but",   " no",   " one",
    " says",  " so",   " bread",  " passes", " hand", " by",   " hand", " until", " all",  " have",
    " had",   " some", " at",     " last"};

std::string_view word(std::uint64_t number) { return words[number % words.size()]; }

enum class sign_kind : std::uint8_t { letter, digit, other };

sign_kind sign_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return sign_kind::letter;
  return c >= '0' && c <= '9' ? sign_kind::digit : sign_kind::other;
}

// The length of the first token.
std::size_t length_of_token(std::string_view text) {
  constexpr std::size_t most_digits = 3;
  const std::size_t blank = text[0] == ' ' && text.size() > 1 ? 1 : 0;
  const sign_kind kind = sign_of(text[blank]);
  std::size_t end = blank + 1;
  while (end < text.size() && text[end] != ' ' && sign_of(text[end]) == kind &&
         (kind != sign_kind::digit || end < blank + most_digits))
    ++end;
  return end;
}

}  // namespace

void append_words(std::string& out, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    out += word(first + i);
}

std::size_t size_of_words(std::uint64_t first, std::uint64_t count) {
  std::size_t size = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    size += word(first + i).size();
  return size;
}

token_pieces pieces_of(std::string_view text) {
  token_pieces out;
  std::string escaped;
  do {
    const std::string_view token = text.substr(0, text.empty() ? 0 : length_of_token(text));
    text.remove_prefix(token.size());
    escaped.clear();
    ifb::append_json_string(escaped, token);
    out.json.append(escaped, 1, escaped.size() - 2);
    out.ends.push_back(static_cast<std::uint32_t>(out.json.size()));
  } while (!text.empty());
  return out;
}

token_pieces pieces_of_call(std::string_view arguments) {
  token_pieces out = pieces_of(arguments);
  out.ends.insert(out.ends.begin(), 0);
  return out;
}

std::string_view token_text::part(std::uint64_t count) const {
  const std::uint64_t tokens = pieces_->ends.size();
  const std::uint64_t first = std::min(first_, tokens);
  const std::uint64_t last = first + std::min(count, tokens - first);
  const auto place = [&](std::uint64_t token) -> std::size_t {
    return token == 0 ? 0 : pieces_->ends[token - 1];
  };
  return std::string_view(pieces_->json).substr(place(first), place(last) - place(first));
}

void token_text::append(std::string& out, std::uint64_t count) const {
  if (pieces_ != nullptr)
    out += part(count);
  else
    append_words(out, first_, count);
}

std::size_t token_text::size(std::uint64_t count) const {
  return pieces_ != nullptr ? part(count).size() : size_of_words(first_, count);
}

}  // namespace inferbench::simulator
