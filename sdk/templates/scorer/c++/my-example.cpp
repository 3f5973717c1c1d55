// A scorer: an answer is right if its last number is the number that the dataset expects.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/draft/scorer.hpp>
#include <inferbench/plugin.hpp>

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The last decimal number in a text, such as -1,234.5; nullopt if there is none. A comma in front
/// of three digits belongs to the number. An exponent does not, and a number begins with a digit or
/// a minus sign.
std::optional<double> last_number(std::string_view text) {
  while (!text.empty() && !is_digit(text.back()))
    text.remove_suffix(1);
  std::string number;  // from the last character to the first
  std::size_t group = 0;
  bool comma = false;
  bool point = false;
  std::size_t at = text.size();
  for (; at > 0; --at) {
    const char c = text[at - 1];
    if (is_digit(c)) {
      number += c;
      ++group;
      continue;
    }
    if (at < 2 || !is_digit(text[at - 2])) break;
    if (c == ',' && group == 3) {
      comma = true;
    } else if (c == '.' && !comma && !point) {
      point = true;
      number += c;
    } else {
      break;
    }
    group = 0;
  }
  if (number.empty()) return std::nullopt;
  // The minus in "10-5" or "covid-19" is no sign.
  const bool minus = at > 0 && text[at - 1] == '-' &&
                     (at == 1 || (!is_digit(text[at - 2]) && !is_letter(text[at - 2])));
  if (minus) number += '-';
  std::ranges::reverse(number);
  const double value = std::strtod(number.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

class my_example_scorer {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Whether the last number of answers is right.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    double tolerance = 0;

    static constexpr auto schema() {
      return std::tuple{ifb::option{"tolerance", &options::tolerance,
                                    "Largest difference from the expected number.", "0.0"}
                            .range(0, 1e9)};
    }
  };

  my_example_scorer(ifb::host, const options& given) : tolerance_(given.tolerance) {}

  // The host counts the reasons, so a reason contains no values of the answer.
  ifb::draft::score_result score(const ifb_record& of) const {
    using ifb::draft::score_result;
    // Without a number that is expected, nothing says what is right. This is not the score 0.
    const auto wanted = ifb::draft::attribute(of, IFB_EXPECTED);
    const auto expected = wanted ? last_number(*wanted) : std::nullopt;
    if (!expected) return score_result::none();
    const auto found = last_number(ifb::view(of.text));
    if (!found) return score_result::wrong("no number");
    if (std::abs(*found - *expected) <= tolerance_) return score_result::right();
    return score_result::wrong("another number");
  }

 private:
  double tolerance_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::draft::scorer<my_example_scorer>)
