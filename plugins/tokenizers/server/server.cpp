#include "server.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>

namespace server {

const tokenizer::special_tokens& tokenizer::special() const {
  const std::lock_guard lock(special_mutex_);
  if (!special_) {
    auto ids = remote_.tokenize({}, true);
    const auto count = static_cast<std::uint32_t>(ids.size());
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    special_ = special_tokens{std::move(ids), count};
  }
  return *special_;
}

ifb_vocabulary tokenizer::vocabulary() const {
  if (!vocab_size_) {
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "the server does not tell the size of its vocabulary; give vocab-size, or "
                       "another tokenizer mode",
                       "vocab-size"};
  }
  const auto& tokens = special();
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.added = tokens.count;
  out.size = static_cast<std::uint64_t>(*vocab_size_);
  out.total_size = out.size;
  out.special_ids = tokens.ids.data();
  out.special_id_count = tokens.ids.size();
  out.skipped_ids = out.special_ids;
  out.skipped_id_count = out.special_id_count;
  return out;
}

std::size_t tokenizer::encode(std::string_view text, std::uint32_t flags,
                              std::span<std::uint32_t> out) const {
  const bool with_special = (flags & IFB_ENCODE_SPECIAL) != 0;
  std::string question(1, with_special ? 's' : '-');
  question += text;
  auto ids = encoded_.take(question);
  if (!ids) ids = remote_.tokenize(text, with_special);
  const std::size_t needed = ids->size();
  std::copy_n(ids->begin(), std::min(needed, out.size()), out.begin());
  if (needed > out.size()) encoded_.keep(std::move(question), std::move(*ids));
  return needed;
}

std::size_t tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t flags,
                              std::span<char> out) const {
  std::vector<std::uint32_t> wanted(ids.begin(), ids.end());
  if ((flags & IFB_DECODE_SKIP_SPECIAL) != 0) {
    const auto& skipped = special().ids;
    std::erase_if(wanted, [&](auto token) { return std::ranges::binary_search(skipped, token); });
  }
  if (wanted.empty()) return 0;
  std::string question(reinterpret_cast<const char*>(wanted.data()),
                       wanted.size() * sizeof wanted[0]);
  auto text = decoded_.take(question);
  if (!text) text = remote_.detokenize(wanted);
  const std::size_t needed = text->size();
  std::copy_n(text->begin(), std::min(needed, out.size()), out.begin());
  if (needed > out.size()) decoded_.keep(std::move(question), std::move(*text));
  return needed;
}

std::uint64_t tokenizer::count(std::string_view text, std::uint32_t flags) const {
  return remote_.tokenize(text, (flags & IFB_ENCODE_SPECIAL) != 0).size();
}

}  // namespace server
