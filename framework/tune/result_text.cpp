#include "tune/result_text.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::tune {

namespace {

// All whole numbers up to here are exact as a double.
constexpr double largest_whole = 9e15;

std::string pair_text(const tuned_pair& of) {
  return fmt::format("max_num_seqs: {}, max_num_batched_tokens: {}", of.seqs, of.tokens);
}

}  // namespace

std::string number_text(double value) {
  if (std::abs(value) <= largest_whole && value == std::trunc(value))
    return std::to_string(static_cast<std::int64_t>(value));
  return base::shortest(value);
}

std::string utilization_text(int hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::string hash_line(const std::string& commit) { return "hash:" + commit; }

std::string accepted_line(const accepted_pair& what) {
  return fmt::format("{}, request_rate: {}, e2el: {:.2f}, throughput: {:.2f}, goodput: {:.2f}",
                     pair_text(what.of), number_text(what.rate), what.figures.e2el_ms,
                     what.figures.throughput, what.figures.goodput);
}

std::string missed_line(const tuned_pair& what, double limit_ms) {
  return pair_text(what) + " does not meet latency requirement " + number_text(limit_ms);
}

std::string failed_line(const tuned_pair& what, const std::string& reason) {
  return pair_text(what) + " failed: " + base::one_line(reason);
}

std::string best_line(const std::optional<accepted_pair>& best, const std::string& profile) {
  if (!best)
    return "best_max_num_seqs: 0, best_num_batched_tokens: 0, best_throughput: 0, profile saved "
           "in: " +
           profile;
  return fmt::format(
      "best_max_num_seqs: {}, best_num_batched_tokens: {}, best_throughput: {:.2f}, profile saved "
      "in: {}",
      best->of.seqs, best->of.tokens, best->figures.throughput, profile);
}

std::string pair_name(const tuned_pair& of) { return fmt::format("{}_{}", of.seqs, of.tokens); }

std::string benchmark_log_name(const tuned_pair& of, double rate) {
  return "bm_log_" + pair_name(of) + "_requestrate_" + number_text(rate);
}

}  // namespace inferbench::tune
