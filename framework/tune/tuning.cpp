#include "tune/tuning.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace inferbench::tune {

namespace {

constexpr int first_share = 98;  // in hundredths
constexpr int last_share = 90;
constexpr std::int64_t prompts_at_once = 1000;
constexpr std::int64_t prompts_at_rate = 100;
constexpr auto pause_after_reset = std::chrono::seconds(5);
constexpr double all_at_once = std::numeric_limits<double>::infinity();

class tuner {
 public:
  tuner(const tuning_setting& setting, tuning_bench& bench) : setting_(setting), bench_(bench) {}

  tuning_outcome carried_out() {
    if (setting_.memory) {
      memory_ = found_memory();
      out_.memory_found = memory_.has_value();
      if (!memory_) return out_;
    }
    for (const std::int64_t seqs : setting_.seqs)
      for (const std::int64_t tokens : setting_.tokens)
        tune({seqs, tokens});
    const bool profiled = out_.best && setting_.profile && profile(*out_.best);
    note(best_line(out_.best, profiled ? setting_.profile_folder : "none"));
    return out_;
  }

 private:
  std::optional<int> found_memory() {
    const tuned_pair largest{setting_.seqs.back(), setting_.tokens.back()};
    for (int share = first_share; share >= last_share; --share) {
      const std::string problem =
          bench_.start_server({largest, share, server_purpose::memory_trial});
      bench_.stop_server();
      if (problem.empty()) {
        bench_.say("The server starts with gpu_memory_utilization " + utilization_text(share));
        return share;
      }
      bench_.say("No server with gpu_memory_utilization " + utilization_text(share) + ": " +
                 problem);
    }
    return std::nullopt;
  }

  void tune(const tuned_pair& pair) {
    std::optional<accepted_pair> accepted;
    const std::string problem = measure(pair, accepted);
    bench_.stop_server();
    if (!problem.empty()) {
      ++out_.failed;
      note(failed_line(pair, problem));
      return;
    }
    ++out_.measured;
    note(accepted ? accepted_line(*accepted) : missed_line(pair, setting_.limit_ms));
    if (accepted && (!out_.best || accepted->figures.throughput > out_.best->figures.throughput))
      out_.best = accepted;
  }

  /// Returns an empty text, or the reason why there is no verdict.
  std::string measure(const tuned_pair& pair, std::optional<accepted_pair>& accepted) {
    if (std::string why = bench_.start_server({pair, memory_}); !why.empty()) return why;
    const benchmark_end at_once = bench_.benchmark({pair, all_at_once, prompts_at_once});
    if (!at_once.figures) return at_once.problem;
    if (is_within(*at_once.figures)) {
      accepted = accepted_pair{pair, all_at_once, *at_once.figures};
      return {};
    }
    const double highest = std::floor(at_once.figures->throughput) + 1;
    return setting_.search == rate_search::find ? search(pair, highest, accepted)
                                                : descend(pair, highest, accepted);
  }

  std::string descend(const tuned_pair& pair, double highest,
                      std::optional<accepted_pair>& accepted) {
    for (double rate = highest; rate > 0; --rate) {
      settle();
      const benchmark_end end = bench_.benchmark({pair, rate, prompts_at_rate});
      if (!end.figures) return end.problem;
      if (!is_within(*end.figures)) continue;
      accepted = accepted_pair{pair, rate, *end.figures};
      break;
    }
    return {};
  }

  std::string search(const tuned_pair& pair, double highest,
                     std::optional<accepted_pair>& accepted) {
    settle();
    search_end end = bench_.search({pair, highest > 1 ? 1 : highest / 10, highest});
    accepted = end.found;
    return end.problem;
  }

  void settle() {
    bench_.reset_cache();
    bench_.pause(pause_after_reset);
  }

  /// The latencies of a benchmark without a completed request are 0 and say nothing.
  [[nodiscard]] bool is_within(const measured_load& figures) const {
    return !figures.nothing_completed && figures.e2el_ms <= setting_.limit_ms;
  }

  bool profile(const accepted_pair& best) {
    std::string problem = bench_.start_server({best.of, memory_, server_purpose::profile});
    if (problem.empty())
      problem = bench_.benchmark({best.of, best.rate, prompts_at_rate, true}).problem;
    bench_.stop_server();
    if (problem.empty()) return true;
    out_.profile_failed = true;
    bench_.say("No profile of the best combination: " + problem);
    return false;
  }

  void note(const std::string& line) {
    bench_.record(line);
    bench_.say(line);
  }

  const tuning_setting& setting_;
  tuning_bench& bench_;
  std::optional<int> memory_;
  tuning_outcome out_;
};

}  // namespace

tuning_outcome carry_out(const tuning_setting& setting, tuning_bench& bench) {
  return tuner(setting, bench).carried_out();
}

}  // namespace inferbench::tune
