// A length in tokens as the user writes it. All synthetic datasets have the same grammar:
//
//   1024                  this length, or lengths around it with a range ratio
//   uniform(100, 900)     any whole number from 100 to 900, both included
//   normal(1024, 200)     normal distribution: mean and standard deviation
//   lognormal(1024, 0.4)  long-tailed: mean of the lengths, standard deviation of their logarithm
//   file(PATH)            drawn from the numbers in a file: one per line, or a JSON list
//
// Drawn lengths are rounded, and are at least 1 and at most 16,777,216.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/random.hpp>

namespace synthetic {

inline constexpr std::int64_t longest_drawn = 16'777'216;

/// Immutable; any thread, if each thread has its own generator.
class length {
 public:
  /// `option` is the name of the option whose value is `text`, for messages. Throws ifb::failure:
  /// IFB_E_CONFIG for a text of a different form, IFB_E_IO or IFB_E_DATA for a file that cannot be
  /// used.
  [[nodiscard]] static length parse(std::string_view text, const char* option);

  /// Returns the value of a plain number, 0 to 2147483647; nullopt for a distribution.
  [[nodiscard]] std::optional<std::int64_t> plain() const noexcept;

  /// Returns the next length of a distribution.
  [[nodiscard]] std::uint32_t draw(ifb::numpy_pcg64& random) const;

  /// Returns the smallest length that draw() can return.
  [[nodiscard]] std::uint32_t least() const noexcept;

  /// Returns a text for messages: "1024", "lognormal(1024, 0.4)", "20 lengths of lengths.txt".
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Returns a key. Two lengths with equal keys draw equal numbers. The key of a file depends on
  /// the numbers in the file, and not on its name.
  [[nodiscard]] std::string key() const;

 private:
  enum class kind : std::uint8_t { plain, uniform, normal, lognormal, file };

  static length of_call(std::string_view name, std::string_view inside, const char* option);
  void read(const std::string& path, const char* option);

  kind kind_ = kind::plain;
  double first_ = 0;
  double second_ = 0;
  std::vector<std::uint32_t> numbers_;
  std::string text_;
};

}  // namespace synthetic
