// How many images and videos each request has, and of which sizes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/random.hpp>

#include "bucket.hpp"

namespace random_mm {

/// The most items of each modality in a request; nullopt: the modality is not named.
using item_limits = std::array<std::optional<std::int64_t>, modality_count>;

/// Reads a JSON object such as {"image": 255, "video": 1}; empty: this object. Other members are
/// ignored. Throws ifb::failure (IFB_E_CONFIG) for the option limit-mm-per-prompt.
[[nodiscard]] item_limits parse_limits(std::string_view json);

/// Requests with more items are refused.
inline constexpr std::int64_t most_items = 65'536;

/// Immutable; any thread.
class item_draws {
 public:
  struct choices {
    std::int64_t base = 1;  // mean number of items in a request
    double ratio = 0;       // spread of this number, from 0 to 1
    item_limits limits{};
  };

  /// Buckets without weight are left out. Throws ifb::failure (IFB_E_CONFIG) for the option at
  /// fault.
  item_draws(const std::vector<bucket>& all, const choices& chosen);

  /// Draws the items of a request. For each item, calls visit(bucket, random), which must draw the
  /// pixels, bucket.bytes() bytes, because upstream draws a bucket and its pixels in turn.
  template <typename visitor>
  void draw(ifb::numpy_pcg64& random, visitor&& visit) const {
    std::array<std::int64_t, modality_count> room = limits_;
    const lottery* from = &all_;
    for (std::int64_t left = random.integer(least_, most_ + 1); left > 0;) {
      const bucket& drawn = buckets_[from->numbers[random.choice(from->sums)]];
      const auto kind = static_cast<std::size_t>(drawn.kind());
      // The number of items is at most the sum of the limits, so at least one modality has room.
      if (room[kind] == 0) {
        from = &without_[kind];
        continue;
      }
      --room[kind];
      --left;
      visit(drawn, random);
    }
  }

  /// Draws everything that draw() draws, without the pixels.
  void skip(ifb::numpy_pcg64& random) const {
    draw(random, [](const bucket& of, ifb::numpy_pcg64& pixels) { pixels.skip_bytes(of.bytes()); });
  }

  /// Returns the buckets that can be drawn.
  [[nodiscard]] std::vector<bucket> used() const;
  /// Returns a text such as "1 to 3 images or videos".
  [[nodiscard]] std::string text() const;

 private:
  // Buckets to choose from.
  struct lottery {
    std::vector<std::size_t> numbers;  // their indices
    std::vector<double> sums;          // cumulative sums of their probabilities
  };

  [[nodiscard]] bool has(modality kind) const;
  void take_limits(const item_limits& limits);
  void find_range(const choices& chosen);
  [[nodiscard]] lottery lottery_without(std::optional<modality> left_out) const;

  std::vector<bucket> buckets_;  // their weights are probabilities
  std::array<std::int64_t, modality_count> limits_{};
  std::int64_t least_ = 0;
  std::int64_t most_ = 0;
  lottery all_;
  std::array<lottery, modality_count> without_;  // without the buckets of a modality
};

}  // namespace random_mm
