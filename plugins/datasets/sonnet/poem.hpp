// Prompts that consist of lines of a poem: the number of lines for a length, and the random choice
// of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/random.hpp>

/// Returns the lines with their "\n"; the last line may have no "\n".
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// The sentence with which all prompts begin, and its line ending.
inline constexpr std::string_view poem_task =
    "Pick as many lines as you can from these poem lines:\n";

/// The lengths of the parts of a prompt as numbers of lines.
struct poem_plan {
  std::size_t fixed = 0;  // the first lines of the poem, which are in every prompt
  std::size_t drawn = 0;  // randomly chosen lines after them, with repetition
  std::int64_t most = 0;  // maximum number of tokens of the prompt
  bool fewer = false;     // if the prompt is too long, fewer lines may be drawn

  /// `input` and `prefix` are the wanted numbers of tokens. `base` is the number of tokens of the
  /// task, which must be less than `input`. `average` is the mean number of tokens of a line.
  [[nodiscard]] static poem_plan of(std::int64_t input, std::int64_t prefix, std::int64_t base,
                                    double average, std::size_t lines);
};

/// Draws each prompt again until it is short enough. One thread, except for draw() and text().
class poem_prompts {
 public:
  struct row {
    std::vector<std::uint32_t> lines;  // indices of the drawn lines
    std::int64_t tokens = 0;
  };

  /// `plan_of` returns the plan of a row; `fixed` is the same for all rows. `count` returns the
  /// number of tokens of a prompt.
  poem_prompts(std::vector<std::string> lines, std::size_t fixed,
               std::function<poem_plan(std::uint64_t)> plan_of, std::uint64_t seed,
               std::function<std::int64_t(const std::string&)> count);

  /// Returns row `i`; every call returns the same content. Also draws all rows before it. If 1000
  /// draws are too long, and the plan allows fewer lines, it tries one line less. If the plan does
  /// not allow this, throws ifb::failure (IFB_E_CONFIG, option "input-len").
  [[nodiscard]] const row& at(std::uint64_t i);

  /// Draws a row with this plan from `random`, like at(). Any thread, if each thread has its own
  /// generator.
  [[nodiscard]] row draw(poem_plan plan, ifb::python_random& random) const;

  [[nodiscard]] std::string text(const row& of) const;

 private:
  std::vector<std::string> lines_;
  std::size_t fixed_;
  std::function<poem_plan(std::uint64_t)> plan_of_;
  ifb::python_random random_;
  std::function<std::int64_t(const std::string&)> count_;
  std::vector<row> rows_;
};
