#include "ranks.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include <inferbench/guard.hpp>

namespace tokenizers::tiktoken {

namespace {

// This limit is far above any real token. A limit is needed because find_merges() cuts a token in
// two at each byte and looks up the parts: the time grows with the square of the token's length.
constexpr std::size_t longest_token = 2048;

/// Returns the decoded bytes of `text`; nullopt if it is not valid base64.
std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('='))
    text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z')
      value = static_cast<std::uint32_t>(c - 'A');
    else if (c >= 'a' && c <= 'z')
      value = static_cast<std::uint32_t>(c - 'a') + 26;
    else if (c >= '0' && c <= '9')
      value = static_cast<std::uint32_t>(c - '0') + 52;
    else if (c == '+' || c == '/')
      value = c == '+' ? 62 : 63;
    else
      return std::nullopt;
    bits = bits << 6U | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xFFU);
  }
  if (held >= 6) return std::nullopt;
  return out;
}

struct line {
  std::string token;
  std::uint32_t rank = 0;
};

std::optional<line> read_line(std::string_view text) {
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  auto token = from_base64(text.substr(0, space));
  line out;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + space + 1, end, out.rank);
  if (!token || error != std::errc() || at != end) return std::nullopt;
  out.token = *std::move(token);
  return out;
}

[[noreturn]] void refuse(std::string_view file, std::size_t number, std::string_view what) {
  throw ifb::failure(IFB_E_CONFIG,
                     std::string(file) + ":" + std::to_string(number) + ": " + std::string(what));
}

}  // namespace

ranks::ranks(std::string_view text, std::string_view file) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  tokens_.reserve(lines, text.size() / 2);
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.ends_with('\r')) content.remove_suffix(1);
    if (content.empty()) continue;
    const auto read = read_line(content);
    if (!read)
      refuse(file, number,
             "expected a token in base64, a space and its rank, as .tiktoken files have");
    if (read->rank >= merge_table::none) refuse(file, number, "the rank is too high");
    if (read->token.empty()) refuse(file, number, "an empty token");
    if (read->token.size() > longest_token)
      refuse(file, number, "a token of more than " + std::to_string(longest_token) + " bytes");
    if (tokens_.id_of(read->token)) refuse(file, number, "a token that was there before");
    tokens_.add(read->token, read->rank);
    highest_ = std::max(highest_, read->rank);
  }
  tokens_.finish();
  require_different_ranks(file);
  for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
    const char c = static_cast<char>(byte);
    const auto id = tokens_.id_of({&c, 1});
    if (!id)
      throw ifb::failure(IFB_E_CONFIG, std::string(file) + ": the byte " + std::to_string(byte) +
                                           " has no token; is this a whole .tiktoken file?");
    bytes_[byte] = *id;
  }
  find_merges();
  cache_ = std::make_unique<word_cache>(size());
}

// The id of a token is its rank. tiktoken refuses a file with two equal ranks, too.
void ranks::require_different_ranks(std::string_view file) const {
  std::vector<std::uint32_t> all;
  all.reserve(tokens_.size());
  tokens_.for_each([&](std::string_view, std::uint32_t id) { all.push_back(id); });
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end())
    throw ifb::failure(IFB_E_CONFIG,
                       std::string(file) + ": two tokens have the rank " + std::to_string(*twice));
}

void ranks::find_merges() {
  merges_.reserve(tokens_.size() * 2);
  tokens_.for_each([&](std::string_view token, std::uint32_t id) {
    for (std::size_t cut = 1; cut < token.size(); ++cut) {
      const auto left = tokens_.id_of(token.substr(0, cut));
      if (!left) continue;
      const auto right = tokens_.id_of(token.substr(cut));
      if (right) merges_.add(*left, *right, {id, id});
    }
  });
}

void ranks::encode(std::string_view piece, std::vector<std::uint32_t>& ids) const {
  cache_->take().append(piece, hash_of(piece), ids, [&] {
    if (const auto id = tokens_.id_of(piece)) return ids.push_back(*id);
    const std::size_t before = ids.size();
    for (const char c : piece)
      ids.push_back(bytes_[static_cast<unsigned char>(c)]);
    merge_all(merges_, ids, before);
  });
}

}  // namespace tokenizers::tiktoken
