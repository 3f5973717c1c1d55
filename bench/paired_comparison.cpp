// The error rates and the power of `inferbench compare`, in simulated sessions of runs A B B A with
// known differences. Prints markdown tables; docs/comparison-method.md has them. The numbers are
// fixed: two calls print the same.
//
//   paired_comparison [TRIALS]     20,000 for each row without TRIALS; takes less than a minute
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comparison/comparison.hpp"
#include "comparison/difference.hpp"
#include "comparison/forecast.hpp"
#include "comparison/log_values.hpp"
#include "comparison/number_text.hpp"
#include "comparison/tails.hpp"
#include "framework/comparison/simulated_runs.hpp"

namespace inferbench::comparison {
namespace {

constexpr double deviation = 0.015;
constexpr double wide = 0.05;  // so wide that the verdict is never "same"
const double margin = std::log1p(0.02);

void print(const std::string& line) { std::printf("%s\n", line.c_str()); }

std::string percent(double share) { return fmt::format("{:.2f} %", share * 100); }

std::string form_name(noise_form form) {
  if (form == noise_form::heavy_tails) return "heavy tails (t, 5 degrees)";
  return form == noise_form::skewed ? "skewed (exponential)" : "normal";
}

/// The difference that a number of blocks finds among four metrics, with a chance of 80 % and of 90
/// %.
void print_forecast() {
  print("\n### Found among four metrics with 80 %, with 90 %\n");
  print("| blocks | deviation 1 % | 1.5 % | 2 % | 3 % |");
  print("|---:|---:|---:|---:|---:|");
  for (const std::size_t blocks : {4U, 6U, 8U, 12U, 16U, 20U}) {
    std::string line = fmt::format("| {} |", blocks);
    for (const forecast_row& row : forecast(blocks, 4, usual_deviations))
      line += fmt::format(" {}, {} |", share_text(row.found_80), share_text(row.found_90));
    print(line);
  }
}

/// Equal arms: every "faster" and "slower" is wrong.
void print_equal_arms(std::size_t trials) {
  print("\n### Equal arms, four metrics\n");
  print(
      "| blocks | block deviation | noise | drift | wrong faster or slower on any metric | "
      "\"same\" on all |");
  print("|---:|---:|---|---:|---:|---:|");
  struct equal_case {
    std::size_t blocks;
    double spread;
    noise_form form;
  };
  for (const equal_case& of :
       {equal_case{8, deviation, noise_form::normal}, equal_case{12, deviation, noise_form::normal},
        equal_case{4, wide, noise_form::normal}, equal_case{8, wide, noise_form::normal},
        equal_case{12, wide, noise_form::normal}, equal_case{8, wide, noise_form::heavy_tails},
        equal_case{8, wide, noise_form::skewed}})
    for (const double drift : {0.0, 0.1}) {
      simulated_session session;
      session.blocks = of.blocks;
      session.deviation = of.spread;
      session.drift = drift;
      session.form = of.form;
      const verdict_counts counts = count_verdicts(session, trials, 1);
      print(fmt::format("| {} | {} | {} | {:.0f} % | {} | {} |", of.blocks, percent(of.spread),
                        form_name(of.form), drift * 100,
                        percent(counts.share(counts.any_difference)),
                        percent(counts.share(counts.all_same))));
    }
}

/// The first metric differs by far, the others are equal: each "faster" or "slower" on them is
/// wrong.
void print_equal_rest(std::size_t trials) {
  print("\n### One of four metrics differs by 50 %, block deviation 5 %\n");
  print("| blocks | wrong faster or slower on any of the three others |");
  print("|---:|---:|");
  for (const std::size_t blocks : {std::size_t{8}, std::size_t{12}}) {
    simulated_session session;
    session.blocks = blocks;
    session.deviation = wide;
    session.effects = {std::log(1.5)};
    const verdict_counts counts = count_verdicts(session, trials, 5);
    print(fmt::format("| {} | {} |", blocks, percent(counts.share(counts.other_difference))));
  }
}

/// Whether two groups differ at 5 % with the degrees of Welch and Satterthwaite, also where design
/// uses those of the smaller group.
bool differs_by_welch(const comparison_input& input) {
  const log_values values = log_values_of(input.base, input.candidates.front(), 0);
  const auto found = difference_of_groups(values.base, values.other);
  if (!found) return false;
  const double n = static_cast<double>(values.base.size());
  const double m = static_cast<double>(values.other.size());
  const double a = found->plan.deviation * found->plan.deviation / n;
  const double b = found->plan.other_deviation * found->plan.other_deviation / m;
  const double degrees = (a + b) * (a + b) / (a * a / (n - 1) + b * b / (m - 1));
  return 2 * student_tail(std::abs(found->mean) / std::sqrt(a + b), degrees) <= 0.05;
}

/// Equal groups of runs without blocks.
void print_groups(std::size_t trials) {
  print("\n### Equal groups without blocks, one metric, deviation of the runs of the base 5 %\n");
  print(
      "| runs of the base | of the candidate | deviation of the candidate | wrong faster or slower "
      "| with Welch's degrees in all cases |");
  print("|---:|---:|---:|---:|---:|");
  struct group_case {
    std::size_t base, other;
    double noise;
  };
  for (const group_case& of :
       {group_case{2, 2, 1}, group_case{2, 2, 10}, group_case{3, 3, 1}, group_case{3, 3, 3},
        group_case{5, 5, 1}, group_case{10, 10, 1}, group_case{2, 10, 1}, group_case{2, 10, 0.5},
        group_case{2, 10, 2}, group_case{5, 10, 0.5}, group_case{8, 20, 0.5}}) {
    session_source source(6);
    simulated_session session;
    session.metrics = 1;
    session.blocks = 10;
    session.deviation = wide;
    session.common = 0;
    session.candidate_noise = of.noise;
    session.paired = false;
    verdict_counts counts;
    std::size_t by_welch = 0;
    for (std::size_t i = 0; i < trials; ++i) {
      comparison_input input = source.next(session);
      input.base.runs.resize(of.base);
      input.candidates.front().group.runs.resize(of.other);
      counts.add(verdicts_of(input).candidates.front());
      by_welch += differs_by_welch(input) ? 1U : 0U;
    }
    print(fmt::format("| {} | {} | {} | {} | {} |", of.base, of.other, percent(wide * of.noise),
                      percent(counts.share(counts.any_difference)),
                      percent(counts.share(by_welch))));
  }
}

/// A difference equal to the margin: every "same" is wrong.
void print_margin(std::size_t trials) {
  print("\n### A difference equal to the margin (2 %)\n");
  print(
      "| metrics | of which differ | blocks | block deviation | wrong \"same\" on the first metric "
      "| on any "
      "metric that differs | wrong conclusion \"same\" |");
  print("|---:|---:|---:|---:|---:|---:|---:|");
  struct margin_case {
    std::size_t metrics, differing;
  };
  for (const margin_case& of : {margin_case{1, 1}, margin_case{4, 1}, margin_case{4, 4}})
    for (const std::size_t blocks : {std::size_t{8}, std::size_t{12}})
      for (const double spread : {0.003, deviation}) {
        simulated_session session;
        session.metrics = of.metrics;
        session.blocks = blocks;
        session.deviation = spread;
        session.effects.assign(of.differing, margin);
        const verdict_counts counts = count_verdicts(session, trials, 2);
        const bool all_differ = of.metrics == of.differing;
        print(fmt::format("| {} | {} | {} | {} | {} | {} | {} |", of.metrics, of.differing, blocks,
                          percent(spread), percent(counts.share(counts.first_same)),
                          all_differ ? percent(counts.share(counts.any_same)) : "as the first",
                          percent(counts.share(counts.all_same))));
      }
}

/// A planted difference of 2 % in the first metric.
void print_planted(std::size_t trials) {
  print("\n### A planted difference of 2 %, block deviation 1.5 %\n");
  print(
      "| ratio | metrics | blocks | drift | level of \"same\" | found | \"same\" | wrong direction "
      "| forecast: found with 80 % |");
  print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
  struct planted_case {
    double ratio;
    std::size_t metrics, blocks;
    double same_level = comparison_settings{}.same_error_rate;
  };
  for (const planted_case& of :
       {planted_case{1.02, 1, 8}, planted_case{1.02, 4, 8}, planted_case{1.02, 4, 12},
        planted_case{0.98, 1, 8}, planted_case{0.98, 4, 8}, planted_case{0.98, 4, 12},
        planted_case{1.02, 1, 8, 0.05}})
    for (const double drift : {0.0, 0.1}) {
      simulated_session session;
      session.metrics = of.metrics;
      session.blocks = of.blocks;
      session.drift = drift;
      session.effects = {std::log(of.ratio)};
      session.settings.same_error_rate = of.same_level;
      const verdict_counts counts = count_verdicts(session, trials, 3);
      const bool grows = of.ratio > 1;
      const forecast_row row =
          forecast(of.blocks, of.metrics, std::vector{deviation}, session.settings).front();
      print(fmt::format("| {} | {} | {} | {:.0f} % | {:.0f} % | {} | {} | {} | {} |", of.ratio,
                        of.metrics, of.blocks, drift * 100, of.same_level * 100,
                        percent(counts.share(grows ? counts.first_slower : counts.first_faster)),
                        percent(counts.share(counts.first_same)),
                        percent(counts.share(grows ? counts.first_faster : counts.first_slower)),
                        percent(row.found_80)));
    }
}

/// Equal arms, and a second look at twice the blocks if the first could not tell.
void print_second_look(std::size_t trials) {
  print("\n### Equal arms, block deviation 5 %, with a second look at twice the blocks\n");
  print("| blocks | wrong faster or slower at the first look | at any of both |");
  print("|---:|---:|---:|");
  for (const std::size_t blocks : {std::size_t{8}, std::size_t{12}}) {
    session_source source(4);
    simulated_session session;
    session.blocks = 2 * blocks;
    session.deviation = wide;
    std::size_t first = 0, any = 0;
    const auto differs = [](const comparison_result& result) {
      verdict_counts counts;
      counts.add(result.candidates.front());
      return counts.any_difference > 0;
    };
    for (std::size_t i = 0; i < trials; ++i) {
      const comparison_input all = source.next(session);
      comparison_input half = all;
      half.candidates.front().blocks.resize(blocks);
      const comparison_result early = verdicts_of(half);
      const bool wrong = differs(early);
      const bool goes_on = early.candidates.front().outcome == conclusion::cannot_tell;
      first += wrong ? 1U : 0U;
      any += wrong || (goes_on && differs(verdicts_of(all))) ? 1U : 0U;
    }
    const auto share = [&](std::size_t n) {
      return static_cast<double>(n) / static_cast<double>(trials);
    };
    print(fmt::format("| {}, then {} | {} | {} |", blocks, 2 * blocks, percent(share(first)),
                      percent(share(any))));
  }
}

}  // namespace
}  // namespace inferbench::comparison

int main(int argc, char** argv) {
  namespace comparison = inferbench::comparison;
  const auto given = argc > 1 ? inferbench::base::parse_int(argv[1]) : 20'000;
  if (argc > 2 || !given || *given < 1) {
    std::fputs("usage: paired_comparison [TRIALS]\n", stderr);
    return 2;
  }
  const auto trials = static_cast<std::size_t>(*given);
  comparison::print(fmt::format("{} simulated comparisons for each row", trials));
  comparison::print_forecast();
  comparison::print_equal_arms(trials);
  comparison::print_equal_rest(trials);
  comparison::print_groups(trials);
  comparison::print_margin(trials);
  comparison::print_planted(trials);
  comparison::print_second_look(trials);
  return 0;
}
