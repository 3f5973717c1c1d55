#include "symbols.hpp"

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

constexpr std::size_t page_size = 256;

}  // namespace

character_ids::character_ids(const vocabulary& from) : ids_(page_size, none) {
  from.for_each([&](std::string_view token, std::uint32_t id) {
    if (token.empty() || token.size() > 4) return;
    const utf8_character c = character_at(token, 0);
    if (c.size != token.size()) return;
    const std::size_t page = c.code / page_size;
    if (page >= pages_.size()) pages_.resize(page + 1, 0);
    if (pages_[page] == 0) {
      pages_[page] = static_cast<std::uint32_t>(ids_.size());
      ids_.resize(ids_.size() + page_size, none);
    }
    ids_[pages_[page] + c.code % page_size] = id;
  });
}

}  // namespace tokenizers::hf
