#include "comparison/forecast.hpp"

#include <fmt/format.h>

#include "comparison/design.hpp"
#include "comparison/number_text.hpp"
#include "comparison/text_table.hpp"

namespace inferbench::comparison {
namespace {

std::string test_text(std::size_t tests) {
  return tests == 1 ? "one test" : fmt::format("Holm's correction for {} tests", tests);
}

}  // namespace

std::vector<forecast_row> forecast(std::size_t blocks, std::size_t tests,
                                   std::span<const double> deviations,
                                   const comparison_settings& settings) {
  std::vector<forecast_row> out;
  const decision at = first_decision(settings, tests);
  for (const double deviation : deviations) {
    design plan;
    plan.deviation = deviation;
    plan.count = blocks;
    out.push_back({deviation, found_with(plan, at, 0.8), found_with(plan, at, 0.9)});
  }
  return out;
}

std::vector<std::string> forecast_lines(std::size_t blocks, std::size_t tests,
                                        const comparison_settings& settings) {
  if (blocks < 2)
    return {fmt::format("{} can tell nothing: a comparison needs at least two.",
                        counted(blocks, "block"))};
  std::vector<std::vector<std::string>> rows{
      {"block deviation", "found with 80 %", "found with 90 %"}};
  for (const forecast_row& row : forecast(blocks, tests, usual_deviations, settings))
    rows.push_back({share_text(row.deviation), share_text(row.found_80), share_text(row.found_90)});
  std::vector<std::string> out{fmt::format(
      "True differences that {} find with a chance of 80 % and of 90 %, with {}, depending on the "
      "deviation of the blocks, which is not known yet:",
      counted(blocks, "block"), test_text(tests))};
  for (std::string& line : table_lines(rows))
    out.push_back(std::move(line));
  return out;
}

std::string forecast_line(std::string_view title, double deviation, std::size_t blocks_so_far,
                          std::size_t blocks, std::size_t tests,
                          const comparison_settings& settings) {
  if (blocks < 2) return fmt::format("{}: {} can tell nothing.", title, counted(blocks, "block"));
  const forecast_row row = forecast(blocks, tests, std::span(&deviation, 1), settings).front();
  return fmt::format(
      "{}: the deviation of {} is {}; {} find a true difference of {} with a chance of 80 %, of {} "
      "with 90 %",
      title, counted(blocks_so_far, "block"), share_text(row.deviation), counted(blocks, "block"),
      share_text(row.found_80), share_text(row.found_90));
}

}  // namespace inferbench::comparison
