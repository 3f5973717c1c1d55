// Random generators with exactly the same output as in Python, so that a seed gives the same
// prompts and the same arrival times as in `vllm bench serve`. They are NumPy's default_rng
// (numpy_pcg64), Python's `random` (python_random) and NumPy's np.random.seed family
// (numpy_legacy). All are value types: a copy has the state of the original. Not thread-safe.
// Standard library only.
//
// Sources: O'Neill, PCG (2014) and NEP 19 for SeedSequence + PCG64; Matsumoto and
// Nishimura, MT19937 (1998, 2002 initialisation); Lemire, "Fast random integer
// generation in an interval" (2019).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace ifb {

__extension__ using uint128 = unsigned __int128;

/// Returns a uniform integer in [0, span], computed as in NumPy's shuffles and legacy functions:
/// rejection sampling with a mask. Draws as many random bits as the largest value, `span`, has, and
/// draws again if the result is greater than `span`. Draws nothing if `span` is 0.
template <typename engine>
[[nodiscard]] std::uint64_t masked_draw(engine& source, std::uint64_t span) {
  if (span == 0) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(span);
  for (;;) {
    const std::uint64_t value =
        (span <= 0xFFFFFFFFU ? std::uint64_t{source.next32()} : source.next64()) & mask;
    if (value <= span) return value;
  }
}

/// Fisher-Yates shuffle from the end; `below(n)` must return an index in [0, n).
template <typename sequence, typename draw>
void shuffle_from_end(sequence& items, draw&& below) {
  using std::swap;
  for (std::size_t i = std::size(items); i > 1; --i)
    swap(items[i - 1], items[below(i)]);
}

/// Returns the integers 0 to n - 1 in ascending order.
template <typename integer = std::uint64_t>
[[nodiscard]] std::vector<integer> ascending(std::size_t n) {
  std::vector<integer> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<integer>(i);
  return out;
}

/// numpy.random.default_rng(seed): PCG64 seeded through SeedSequence.
class numpy_pcg64 {
 public:
  explicit numpy_pcg64(std::uint64_t seed) {
    const std::array<std::uint32_t, 4> words = {static_cast<std::uint32_t>(seed),
                                                static_cast<std::uint32_t>(seed >> 32U), 0, 0};
    const auto q = expand(words);
    increment_ = (uint128{q[2]} << 64U | q[3]) << 1U | 1U;
    step();
    state_ += uint128{q[0]} << 64U | q[1];
    step();
  }

  [[nodiscard]] std::uint64_t next64() {
    step();
    const auto folded =
        static_cast<std::uint64_t>(state_ >> 64U) ^ static_cast<std::uint64_t>(state_);
    return std::rotr(folded, static_cast<int>(state_ >> 122U));
  }

  /// Returns the low half of a 64-bit output, and at the next call its high half.
  [[nodiscard]] std::uint32_t next32() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t both = next64();
    half_ = static_cast<std::uint32_t>(both >> 32U);
    has_half_ = true;
    return static_cast<std::uint32_t>(both);
  }

  /// Generator.random(): a number in [0, 1).
  [[nodiscard]] double real() { return static_cast<double>(next64() >> 11U) * 0x1p-53; }

  /// Generator.integers(low, high): an integer in [low, high). `high` must be greater than `low`.
  /// If only one value is possible, nothing is drawn.
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) {
    const std::uint64_t span =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + up_to(span));
  }

  /// Generator.integers(0, 256, dtype=uint8): four bytes of each 32-bit draw, the lowest first.
  /// Bytes of the last draw that do not fit into `out` are discarded.
  void bytes(std::span<std::uint8_t> out) {
    std::uint8_t* to = out.data();
    std::size_t left = out.size();
    // next32() if a half is kept, so that the words after it are whole 64-bit outputs.
    if (has_half_ && left != 0) put(next32(), 4, to, left);
    while (left >= 8)
      put(next64(), 8, to, left);
    while (left != 0)
      put(next32(), 4, to, left);
  }

  /// Skips the draws of bytes() for `count` bytes: the state is then the same as after bytes(), in
  /// O(log count) steps.
  void skip_bytes(std::uint64_t count) {
    std::uint64_t draws = count / 4 + (count % 4 != 0);
    if (has_half_ && draws != 0) {
      has_half_ = false;
      --draws;
    }
    advance(draws / 2);
    if (draws % 2 != 0) static_cast<void>(next32());
  }

  /// Skips the next `count` 64-bit outputs in O(log count) steps. As with next64(), the kept half
  /// of an output stays. (The method advance() of NumPy's bit generator drops it.)
  void advance(std::uint64_t count) {
    // Brown, "Random number generation with arbitrary strides" (1994): `factor` and `summand` are
    // 1, 2, 4, ... steps, and `total_*` are the steps of the bits of `count` so far.
    uint128 factor = multiplier;
    uint128 summand = increment_;
    uint128 total_factor = 1;
    uint128 total_summand = 0;
    for (; count != 0; count >>= 1U) {
      if (count % 2 != 0) {
        total_factor *= factor;
        total_summand = total_summand * factor + summand;
      }
      summand *= factor + 1;
      factor *= factor;
    }
    state_ = state_ * total_factor + total_summand;
  }

  /// Generator.choice with weights: `cumulative` contains the cumulative sums of the weights.
  [[nodiscard]] std::size_t choice(std::span<const double> cumulative) {
    const double u = real();
    const double total = cumulative.back();
    const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), u,
                                     [&](double x, double sum) { return x < sum / total; });
    return std::min(static_cast<std::size_t>(at - cumulative.begin()), cumulative.size() - 1);
  }

  /// Generator.shuffle.
  template <typename sequence>
  void shuffle(sequence&& items) {
    shuffle_from_end(items, [&](std::size_t n) { return masked_draw(*this, n - 1); });
  }

  /// Generator.permutation(n).
  [[nodiscard]] std::vector<std::uint64_t> permutation(std::size_t n) {
    auto out = ascending(n);
    shuffle(out);
    return out;
  }

  /// Generators that compare equal produce the same numbers from then on.
  [[nodiscard]] friend bool operator==(const numpy_pcg64& a, const numpy_pcg64& b) {
    return a.state_ == b.state_ && a.increment_ == b.increment_ && a.has_half_ == b.has_half_ &&
           (!a.has_half_ || a.half_ == b.half_);
  }

 private:
  static constexpr uint128 multiplier = uint128{0x2360ed051fc65da4U} << 64U | 0x4385df649fccf645U;

  void step() { state_ = state_ * multiplier + increment_; }

  // Writes the lowest `size` bytes of `word`, or as many as are left.
  static void put(std::uint64_t word, std::size_t size, std::uint8_t*& to, std::size_t& left) {
    size = std::min(size, left);
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(to, &word, size);
    } else {
      for (std::size_t i = 0; i < size; ++i)
        to[i] = static_cast<std::uint8_t>(word >> 8 * i);
    }
    to += size;
    left -= size;
  }

  // Lemire's method: the result is the high half of draw * size. A draw is rejected if its low half
  // would cause a bias.
  std::uint64_t up_to(std::uint64_t span) {
    if (span == 0) return 0;
    if (span < 0xFFFFFFFFU) {
      const auto size = static_cast<std::uint32_t>(span) + 1;
      std::uint64_t product = std::uint64_t{next32()} * size;
      if (static_cast<std::uint32_t>(product) < size) {
        const std::uint32_t unfair = (0U - size) % size;
        while (static_cast<std::uint32_t>(product) < unfair)
          product = std::uint64_t{next32()} * size;
      }
      return product >> 32U;
    }
    if (span == 0xFFFFFFFFU) return next32();
    if (span == ~std::uint64_t{0}) return next64();
    const std::uint64_t size = span + 1;
    uint128 product = uint128{next64()} * size;
    if (static_cast<std::uint64_t>(product) < size) {
      const std::uint64_t unfair = (std::uint64_t{0} - size) % size;
      while (static_cast<std::uint64_t>(product) < unfair)
        product = uint128{next64()} * size;
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

  // SeedSequence(words).generate_state(4, uint64). A 64-bit seed has two words and fits into
  // SeedSequence's pool of four, so SeedSequence's second loop, for longer entropy, is not needed.
  static std::array<std::uint64_t, 4> expand(const std::array<std::uint32_t, 4>& words) {
    std::uint32_t running = 0x43b0d7e5U;
    const auto hash = [&](std::uint32_t value) {
      value ^= running;
      running *= 0x931e8875U;
      value *= running;
      return value ^ value >> 16U;
    };
    std::array<std::uint32_t, 4> pool{};
    for (std::size_t i = 0; i < 4; ++i)
      pool[i] = hash(words[i]);
    for (std::size_t from = 0; from < 4; ++from) {
      for (std::size_t to = 0; to < 4; ++to) {
        if (from == to) continue;
        const std::uint32_t mixed = 0xca01f9ddU * pool[to] - 0x4973f715U * hash(pool[from]);
        pool[to] = mixed ^ mixed >> 16U;
      }
    }
    std::uint32_t out = 0x8b51f9ddU;
    std::array<std::uint64_t, 4> q{};
    for (std::size_t k = 0; k < 8; ++k) {
      std::uint32_t value = pool[k % 4] ^ out;
      out *= 0x58f38dedU;
      value *= out;
      value ^= value >> 16U;
      q[k / 2] |= std::uint64_t{value} << (k % 2 * 32);
    }
    return q;
  }

  uint128 state_ = 0;
  uint128 increment_ = 0;
  std::uint32_t half_ = 0;
  bool has_half_ = false;
};

/// The Mersenne Twister MT19937, with both of its initialisations.
class mt19937 {
 public:
  /// The initialisation init_genrand.
  explicit mt19937(std::uint32_t seed) {
    state_[0] = seed;
    for (std::uint32_t i = 1; i < size; ++i)
      state_[i] = 1812433253U * (state_[i - 1] ^ state_[i - 1] >> 30U) + i;
  }

  /// The initialisation init_by_array; `key` must not be empty.
  explicit mt19937(std::span<const std::uint32_t> key) : mt19937(19650218U) {
    const auto tangled = [&](std::size_t i, std::uint32_t factor) {
      return state_[i] ^ (state_[i - 1] ^ state_[i - 1] >> 30U) * factor;
    };
    std::size_t i = 1;
    const auto next_place = [&] {
      if (++i < size) return;
      state_[0] = state_[size - 1];
      i = 1;
    };
    std::size_t j = 0;
    for (std::size_t k = std::max(size, key.size()); k > 0; --k) {
      state_[i] = tangled(i, 1664525U) + key[j] + static_cast<std::uint32_t>(j);
      j = (j + 1) % key.size();
      next_place();
    }
    for (std::size_t k = size - 1; k > 0; --k) {
      state_[i] = tangled(i, 1566083941U) - static_cast<std::uint32_t>(i);
      next_place();
    }
    state_[0] = 0x80000000U;
  }

  [[nodiscard]] std::uint32_t next32() {
    if (index_ == size) refill();
    std::uint32_t y = state_[index_++];
    y ^= y >> 11U;
    y ^= y << 7U & 0x9d2c5680U;
    y ^= y << 15U & 0xefc60000U;
    return y ^ y >> 18U;
  }

  /// The first output is the high half.
  [[nodiscard]] std::uint64_t next64() {
    const std::uint64_t high = next32();
    return high << 32U | next32();
  }

  /// Returns a number in [0, 1) with 53 bits, made from two outputs.
  [[nodiscard]] double real() {
    const std::uint32_t a = next32() >> 5U;
    const std::uint32_t b = next32() >> 6U;
    return (a * 67108864.0 + b) / 9007199254740992.0;
  }

 private:
  static constexpr std::size_t size = 624;
  static constexpr std::size_t shift = 397;

  void refill() {
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % size] & 0x7fffffffU);
      state_[i] = state_[(i + shift) % size] ^ y >> 1U ^ (y % 2 == 0 ? 0U : 0x9908b0dfU);
    }
    index_ = 0;
  }

  std::array<std::uint32_t, size> state_;
  std::size_t index_ = size;
};

/// Python's random.Random(seed) for an integer seed.
class python_random {
 public:
  explicit python_random(std::uint64_t seed) : engine_(key(seed)) {}

  /// random(): a number in [0, 1).
  [[nodiscard]] double real() { return engine_.real(); }

  /// Returns an integer in [0, n); `n` must be greater than 0. choice and shuffle draw their
  /// indices with this function.
  [[nodiscard]] std::uint64_t below(std::uint64_t n) {
    const int bits = static_cast<int>(std::bit_width(n));
    std::uint64_t value = 0;
    do
      value = draw(bits);
    while (value >= n);
    return value;
  }

  /// randint(low, high): an integer in [low, high]; both ends are included.
  [[nodiscard]] std::int64_t randint(std::int64_t low, std::int64_t high) {
    const std::uint64_t n = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below(n));
  }

  /// choice(items); `items` must not be empty.
  template <typename sequence>
  [[nodiscard]] auto& choice(sequence& items) {
    return items[below(std::size(items))];
  }

  /// choices(range(n), k=k): draws with repetition; each index takes one real().
  [[nodiscard]] std::vector<std::size_t> choices(std::size_t n, std::size_t k) {
    std::vector<std::size_t> out(k);
    for (auto& index : out)
      index = static_cast<std::size_t>(real() * static_cast<double>(n));
    return out;
  }

  /// sample(range(n), k=k): `k` different indices in the order of the draws; `k` must not be
  /// greater than `n`.
  [[nodiscard]] std::vector<std::size_t> sample(std::size_t n, std::size_t k) {
    std::vector<std::size_t> out(k);
    if (n > largest_pool(k)) {
      std::vector<bool> drawn(n);
      for (auto& index : out) {
        do
          index = static_cast<std::size_t>(below(n));
        while (drawn[index]);
        drawn[index] = true;
      }
      return out;
    }
    auto pool = ascending<std::size_t>(n);
    for (auto& index : out) {
      auto& chosen = pool[static_cast<std::size_t>(below(pool.size()))];
      index = chosen;
      chosen = pool.back();
      pool.pop_back();
    }
    return out;
  }

  template <typename sequence>
  void shuffle(sequence&& items) {
    shuffle_from_end(items, [&](std::size_t n) { return below(n); });
  }

 private:
  // sample() of Python keeps the drawn indices in a set if the list of all indices would be longer
  // than this: it assumes that a set of more than 5 indices has as many entries as a power of 4.
  static std::size_t largest_pool(std::size_t k) {
    if (k <= 5) return 21;
    std::size_t entries = 1;
    while (entries < k * 3)
      entries *= 4;
    return 21 + entries;
  }

  static mt19937 key(std::uint64_t seed) {
    const std::array<std::uint32_t, 2> words = {static_cast<std::uint32_t>(seed),
                                                static_cast<std::uint32_t>(seed >> 32U)};
    return mt19937(std::span<const std::uint32_t>(words).first(words[1] == 0 ? 1 : 2));
  }

  // getrandbits(bits): up to 32 bits are the top bits of one output. For more bits, the first
  // output is the low word and the top bits of the second output are the high word.
  std::uint64_t draw(int bits) {
    if (bits <= 32) return engine_.next32() >> (32 - bits);
    const std::uint64_t low = engine_.next32();
    return low | std::uint64_t{engine_.next32() >> (64 - bits)} << 32U;
  }

  mt19937 engine_;
};

/// numpy.random.RandomState(seed), which np.random.seed and np.random.* use.
class numpy_legacy {
 public:
  explicit numpy_legacy(std::uint32_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint32_t next32() { return engine_.next32(); }
  [[nodiscard]] std::uint64_t next64() { return engine_.next64(); }

  /// random_sample(): a number in [0, 1).
  [[nodiscard]] double real() { return engine_.real(); }

  /// randint(low, high): an integer in [low, high). `high` must be greater than `low`. If only one
  /// value is possible, nothing is drawn.
  [[nodiscard]] std::int64_t randint(std::int64_t low, std::int64_t high) {
    const std::uint64_t span =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + masked_draw(*this, span));
  }

  template <typename sequence>
  void shuffle(sequence&& items) {
    shuffle_from_end(items, [&](std::size_t n) { return masked_draw(*this, n - 1); });
  }

  [[nodiscard]] std::vector<std::uint64_t> permutation(std::size_t n) {
    auto out = ascending(n);
    shuffle(out);
    return out;
  }

 private:
  mt19937 engine_;
};

}  // namespace ifb
