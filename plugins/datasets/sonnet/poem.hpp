// Prompts of poem lines: how many fit into a length, and which are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/random.hpp>

/// Lines with their "\n"; the last may have none.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// The sentence that all prompts begin with, and its end of line.
inline constexpr std::string_view poem_task =
    "Pick as many lines as you can from these poem lines:\n";

/// What lengths come to in lines.
struct poem_plan {
  std::size_t fixed = 0;  // the first lines of the poem, in every prompt
  std::size_t drawn = 0;  // after them, with repetition
  std::int64_t most = 0;  // tokens
  bool fewer = false;     // lines may be drawn where those do not fit

  /// `input`, `prefix`: wanted tokens; `base`: those of the task alone, below `input`; `average`:
  /// those of a line.
  [[nodiscard]] static poem_plan of(std::int64_t input, std::int64_t prefix, std::int64_t base,
                                    double average, std::size_t lines);
};

/// Draws prompts until they fit. One thread.
class poem_prompts {
 public:
  struct row {
    std::vector<std::uint32_t> lines;  // those drawn
    std::int64_t tokens = 0;
  };

  /// `plan_of` says what row i is to be; `fixed` lines are the same for all. `count` says how
  /// many tokens a prompt has.
  poem_prompts(std::vector<std::string> lines, std::size_t fixed,
               std::function<poem_plan(std::uint64_t)> plan_of, std::uint64_t seed,
               std::function<std::int64_t(const std::string&)> count);

  /// Row `i`, the same whenever it is asked for; draws those before it as well. When 1000 draws in
  /// a row are too long, it is tried with a line less where the plan allows that; else throws
  /// ifb::failure (IFB_E_CONFIG, option "input-len").
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
