// Prompts of poem lines: the number of lines for a length, and the draw of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/random.hpp>

/// The lines with their "\n"; the last may lack it.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// The sentence that all prompts begin with, and its end of line.
inline constexpr std::string_view poem_task =
    "Pick as many lines as you can from these poem lines:\n";

/// Lengths as numbers of lines.
struct poem_plan {
  std::size_t fixed = 0;  // the first lines of the poem, in every prompt
  std::size_t drawn = 0;  // after them, with repetition
  std::int64_t most = 0;  // tokens
  bool fewer = false;     // fewer lines may be drawn if these do not fit

  /// `input`, `prefix`: wanted tokens; `base`: tokens of the task alone, below `input`; `average`:
  /// tokens of a line.
  [[nodiscard]] static poem_plan of(std::int64_t input, std::int64_t prefix, std::int64_t base,
                                    double average, std::size_t lines);
};

/// Draws prompts until they fit. One thread.
class poem_prompts {
 public:
  struct row {
    std::vector<std::uint32_t> lines;  // the drawn ones
    std::int64_t tokens = 0;
  };

  /// `plan_of` returns the plan of a row; the `fixed` lines are the same for all. `count` returns
  /// the tokens of a prompt.
  poem_prompts(std::vector<std::string> lines, std::size_t fixed,
               std::function<poem_plan(std::uint64_t)> plan_of, std::uint64_t seed,
               std::function<std::int64_t(const std::string&)> count);

  /// Row `i`, always the same; draws the rows before it as well. After 1000 draws that are too long
  /// it tries a line less if the plan allows that; else throws ifb::failure (IFB_E_CONFIG, option
  /// "input-len").
  [[nodiscard]] const row& at(std::uint64_t i);

  [[nodiscard]] std::string text(const row& of) const;

 private:
  std::vector<std::string> lines_;
  std::size_t fixed_;
  std::function<poem_plan(std::uint64_t)> plan_of_;
  ifb::python_random random_;
  std::function<std::int64_t(const std::string&)> count_;
  std::vector<row> rows_;
};
