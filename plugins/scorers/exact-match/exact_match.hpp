// The scorer `exact-match`: whether an answer is the expected text. docs/scorers.md has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "scorers/common/pattern.hpp"

namespace scorers {

/// One thread at a time, like every scorer.
class exact_match {
 public:
  static constexpr const char* id = "exact-match";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Whether answers are the expected text.";
  static constexpr const char* license = "Apache-2.0";

  enum class match_choice : std::uint8_t { first, last };

  struct options {
    bool strip = true;
    bool ignore_case = false;
    bool ignore_punctuation = false;
    std::string pattern;
    match_choice match = match_choice::first;

    static constexpr const char* matches[] = {"first", "last"};
    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"strip", &options::strip, "Ignore white space at both ends.", "true"},
          ifb::option{"ignore-case", &options::ignore_case, "Ignore the case of letters.", "false"},
          ifb::option{"ignore-punctuation", &options::ignore_punctuation,
                      "Ignore the 32 punctuation characters of ASCII.", "false"},
          ifb::option{
              "pattern", &options::pattern,
              "Regular expression of RE2; its first group in the answer is compared instead "
              "of the whole answer."}
              .value_name("REGEX"),
          ifb::option{"match", &options::match,
                      "The match of the pattern that counts: first or last.", "\"first\""}
              .choices(matches)};
    }
  };

  /// With match = last, only this part at the end of an answer is searched: a search for all
  /// matches can take time that is quadratic in the length.
  static constexpr std::size_t searched_for_last = std::size_t{32} << 10;

  /// Throws ifb::failure if RE2 cannot use the pattern.
  exact_match(ifb::host host, const options& chosen);

  [[nodiscard]] ifb::draft::score_result score(const ifb_record& of) const;

 private:
  [[nodiscard]] std::optional<std::string_view> part_of(std::string_view answer) const;
  [[nodiscard]] std::string normalized(std::string_view text) const;

  options chosen_;
  std::optional<pattern> pattern_;
};

}  // namespace scorers
