#include "poem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <inferbench/guard.hpp>

namespace {

constexpr int most_draws = 1000;

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// Half-way values are rounded to the even number, like in Python.
poem_plan poem_plan::of(std::int64_t input, std::int64_t prefix, std::int64_t base, double average,
                        std::size_t lines) {
  const auto in_lines = [&](std::int64_t tokens, double least) {
    return std::max(std::nearbyint(static_cast<double>(tokens - base) / average), least);
  };
  const double all = in_lines(input, 1);
  const double fixed = in_lines(prefix, 0);
  poem_plan out;
  out.fixed = static_cast<std::size_t>(std::min(fixed, static_cast<double>(lines)));
  out.drawn = all > fixed ? static_cast<std::size_t>(all - fixed) : 0;
  out.most = input;
  return out;
}

poem_prompts::poem_prompts(std::vector<std::string> lines, std::size_t fixed,
                           std::function<poem_plan(std::uint64_t)> plan_of, std::uint64_t seed,
                           std::function<std::int64_t(const std::string&)> count)
    : lines_(std::move(lines)),
      fixed_(fixed),
      plan_of_(std::move(plan_of)),
      random_(seed),
      count_(std::move(count)) {}

const poem_prompts::row& poem_prompts::at(std::uint64_t i) {
  while (rows_.size() <= i)
    rows_.push_back(draw(plan_of_(rows_.size()), random_));
  return rows_[i];
}

poem_prompts::row poem_prompts::draw(poem_plan plan, ifb::python_random& random) const {
  for (int rejected = 0;;) {
    row next;
    for (const std::size_t line : random.choices(lines_.size(), plan.drawn))
      next.lines.push_back(static_cast<std::uint32_t>(line));
    next.tokens = count_(text(next));
    if (next.tokens <= plan.most || (plan.fewer && plan.drawn == 0)) return next;
    if (++rejected < most_draws) continue;
    if (!plan.fewer)
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts of " + std::to_string(plan.fixed) + " fixed and " +
                             std::to_string(plan.drawn) + " drawn lines do not fit into " +
                             std::to_string(plan.most) + " tokens: " + std::to_string(most_draws) +
                             " draws in a row were longer; ask for longer prompts, or for a "
                             "shorter prefix",
                         "input-len");
    --plan.drawn;
    rejected = 0;
  }
}

std::string poem_prompts::text(const row& of) const {
  std::string out(poem_task);
  for (std::size_t i = 0; i < fixed_; ++i)
    out += lines_[i];
  for (const std::uint32_t line : of.lines)
    out += lines_[line];
  return out;
}
