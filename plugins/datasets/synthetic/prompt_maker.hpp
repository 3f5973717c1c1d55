// Makes texts with a wanted number of tokens. Ids are decoded, encoded again and adjusted until the
// number is correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/host.hpp>

namespace synthetic {

/// A text and the ids into which it is encoded.
struct fit_result {
  std::string text;
  std::vector<std::uint32_t> ids;
  std::int64_t mismatch = 0;  // tokens more (or, if negative, fewer) than requested
};

/// A text that may still need padding.
struct fit_state {
  fit_result so_far;
  std::size_t missing = 0;  // number of ids that padding must add; 0: complete
  int adjustments = 0;
};

/// Decodes and encodes ids until the text has the target number of tokens, at most eleven times. If
/// there are too few tokens, ids from the whole vocabulary are added; if there are too many, ids
/// are cut off. [any thread]
class prompt_maker {
 public:
  /// `vocabulary`: padding is drawn from the ids below this number.
  prompt_maker(ifb::service::tokenizer tokenizer, std::int64_t vocabulary)
      : tokenizer_(tokenizer), vocabulary_(vocabulary) {}

  [[nodiscard]] const ifb::service::tokenizer& tokenizer() const noexcept { return tokenizer_; }
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return vocabulary_; }

  /// Does all steps before the first padding. They need no random numbers.
  [[nodiscard]] fit_state begin(std::vector<std::uint32_t> ids, std::size_t target) const;

  /// Does the remaining steps. `draw(n)` must return a number in [0, n).
  template <typename source>
  [[nodiscard]] fit_result finish(fit_state from, std::size_t target, source&& draw) const {
    while (from.missing != 0) {
      auto& ids = from.so_far.ids;
      for (; from.missing != 0; --from.missing)
        ids.push_back(static_cast<std::uint32_t>(draw(vocabulary_)));
      adjust(from, target);
    }
    return std::move(from.so_far);
  }

  template <typename source>
  [[nodiscard]] fit_result fit(std::vector<std::uint32_t> ids, std::size_t target,
                               source&& draw) const {
    return finish(begin(std::move(ids), target), target, draw);
  }

 private:
  void adjust(fit_state& of, std::size_t target) const;

  ifb::service::tokenizer tokenizer_;
  std::int64_t vocabulary_;
};

/// Returns `beginning`, followed by `count` ids of `allowed` from index `start` on. The first id
/// of `allowed` follows the last.
[[nodiscard]] std::vector<std::uint32_t> id_run(std::span<const std::uint32_t> beginning,
                                                std::span<const std::uint32_t> allowed,
                                                std::uint64_t start, std::size_t count);

}  // namespace synthetic
