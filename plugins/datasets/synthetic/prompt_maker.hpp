// Texts of a wanted number of tokens: ids, decoded, encoded again and adjusted until
// the count fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/host.hpp>

namespace synthetic {

/// A text and the ids that it encodes to.
struct fit_result {
  std::string text;
  std::vector<std::uint32_t> ids;
  std::int64_t mismatch = 0;  // tokens more (or, negative, fewer) than asked for
};

/// A text that may still need padding.
struct fit_state {
  fit_result so_far;
  std::size_t missing = 0;  // ids that padding must add; 0: done
  int adjustments = 0;
};

/// Decodes and encodes ids until a target comes out, at most eleven times: too few are padded
/// with ids drawn from the whole vocabulary, too many are cut off. [any]
class prompt_maker {
 public:
  /// `vocabulary`: padding is drawn from the ids below it.
  prompt_maker(ifb::service::tokenizer tokenizer, std::int64_t vocabulary)
      : tokenizer_(tokenizer), vocabulary_(vocabulary) {}

  [[nodiscard]] const ifb::service::tokenizer& tokenizer() const noexcept { return tokenizer_; }
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return vocabulary_; }

  /// All steps before padding: only padding needs a generator.
  [[nodiscard]] fit_state begin(std::vector<std::uint32_t> ids, std::size_t target) const;

  /// The remaining steps. `draw(n)` yields a number in [0, n).
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

/// `beginning`, then `count` ids of `allowed` from place `start` on, starting over at its end.
[[nodiscard]] std::vector<std::uint32_t> id_run(std::span<const std::uint32_t> beginning,
                                                std::span<const std::uint32_t> allowed,
                                                std::uint64_t start, std::size_t count);

}  // namespace synthetic
