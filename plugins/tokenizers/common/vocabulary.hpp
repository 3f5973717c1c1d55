// The tokens of a model and their ids, in both directions. The tokens lie in one pool of text, and
// one open-addressing table finds their ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "node.hpp"

namespace tokenizers {

/// One thread builds the vocabulary. After finish() it is immutable, and any thread may use it.
class vocabulary {
 public:
  vocabulary() = default;
  /// Reads {"token": id, ...}, and calls finish(). Throws ifb::failure that names the JSON path.
  explicit vocabulary(const node& object);

  /// Makes room for `tokens` tokens with `bytes` bytes in total.
  void reserve(std::size_t tokens, std::size_t bytes);
  /// Adds a token. If the vocabulary already has the token, the new id replaces its id. Throws
  /// ifb::failure (IFB_E_CONFIG) if all tokens together have more than 4 GiB.
  void add(std::string_view token, std::uint32_t id) { put(token, id, false); }
  /// Like add(), but if the vocabulary already has the token, the token keeps both ids; id_of()
  /// returns the new id.
  void add_another(std::string_view token, std::uint32_t id) { put(token, id, true); }
  /// Must be called after the last add() or add_another(), and before token_of(), dense_ids() and
  /// distinct_ids().
  void finish();

  /// Returns nullopt if there is no such token.
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const noexcept;
  /// Returns nullopt if no token has the id. The view is valid until the vocabulary is changed,
  /// moved or destroyed.
  [[nodiscard]] std::optional<std::string_view> token_of(std::uint32_t id) const noexcept;
  /// Returns the number of tokens; a token with two ids counts twice.
  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  /// Returns the highest id plus one; 0 if there are large gaps between ids.
  [[nodiscard]] std::size_t dense_ids() const noexcept { return by_id_.size(); }
  /// Returns how many ids below dense_ids() have a token. The number is less than size() if tokens
  /// share an id.
  [[nodiscard]] std::size_t distinct_ids() const noexcept {
    return by_id_.size() - static_cast<std::size_t>(std::ranges::count(by_id_, nothing));
  }
  /// Returns the total number of bytes of all tokens.
  [[nodiscard]] std::size_t bytes() const noexcept { return pool_.size(); }
  /// Returns the number of bytes of the longest token.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

  /// Calls `take(token, id)` for each token, in the order in which the tokens were added; twice for
  /// a token with two ids.
  template <typename taker>
  void for_each(taker&& take) const {
    for (std::uint32_t i = 0; i < ids_.size(); ++i)
      take(text_of(i), ids_[i]);
  }

 private:
  static constexpr std::uint32_t nothing = 0xFFFFFFFF;

  /// A slot of the hash table. `tag` is a part of the token's hash: a lookup compares it first, and
  /// so rarely reads the text of another token in the pool.
  struct slot {
    std::uint32_t tag = 0;
    std::uint32_t entry = nothing;
  };
  [[nodiscard]] std::string_view text_of(std::uint32_t entry) const noexcept {
    return {pool_.data() + begins_[entry], begins_[entry + 1] - begins_[entry]};
  }
  void put(std::string_view token, std::uint32_t id, bool keeps_both);
  void rehash(std::size_t slots);

  // Entry n is the token that was added as number n: the bytes of pool_ from begins_[n] to
  // begins_[n + 1], with the id ids_[n].
  std::string pool_;
  std::vector<std::uint32_t> begins_ = {0};
  std::vector<std::uint32_t> ids_;
  std::vector<slot> slots_ = std::vector<slot>(2);
  // The entry for each id, or `nothing`. If there are large gaps between ids, by_id_ is empty, and
  // sorted pairs of id and entry are used instead.
  std::vector<std::uint32_t> by_id_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> scattered_;
  std::size_t longest_ = 0;
};

}  // namespace tokenizers
