// Searches over a simulated server, without a clock: the share of its requests that are over the
// limit is a function of the load, and neighbours depend on each other like a Markov chain. For the
// tests of framework/limit and for bench/limit_search.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "confidence/binomial.hpp"
#include "limit/judge.hpp"
#include "limit/search.hpp"

namespace inferbench::limit {

/// splitmix64 (Steele, Lea and Flood, 2014): the same numbers with every library. The seed is mixed
/// too, since seeds that differ by the increment give the same numbers, one later.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(mixed(mixed(seed + 1))) {}
  /// In [0, 1).
  double next() {
    state_ += 0x9E3779B97F4A7C15U;
    return static_cast<double>(mixed(state_) >> 11U) * 0x1p-53;
  }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

/// A series of over and under: after each request, with the chance `rho` the next is on the same
/// side, else it is over with the chance `share`. Its correlation time is (1 + rho) / (1 - rho).
class over_chain {
 public:
  over_chain(double share, double rho, random_numbers& random)
      : a_((1 - rho) * share), b_(rho + a_), random_(&random), over_(random.next() < share) {}
  bool next() {
    const bool now = over_;
    over_ = random_->next() < (over_ ? b_ : a_);
    return now;
  }

 private:
  double a_, b_;
  random_numbers* random_;
  bool over_;
};

struct simulated_server {
  std::function<double(double load)> share;  // over the limit
  double allowed = 0.01;
  double rho = 0;
};

/// share(load) = allowed (load / limit)^power, at most 1.
inline simulated_server power_server(double limit, double power, double allowed, double rho = 0) {
  return {[=](double load) { return std::min(1.0, allowed * std::pow(load / limit, power)); },
          allowed, rho};
}

struct simulated_search {
  search_result result;
  std::vector<probe_evidence> probes;
  std::uint64_t requests = 0;
  std::size_t most_counted = 0;  // of a probe
};

inline probe_evidence simulated_probe(const simulated_server& server, double load,
                                      const judge_settings& settings, random_numbers& random) {
  part goal;
  goal.allowed = server.allowed;
  judge probe({goal}, settings);
  over_chain series(server.share(load), server.rho, random);
  observation request;
  do {
    request.over = series.next();
  } while (probe.add({&request, 1}));
  return probe.evidence();
}

inline simulated_search search_of(const simulated_server& server, const search_settings& loads,
                                  judge_settings settings, int seed) {
  random_numbers random(static_cast<std::uint64_t>(seed));
  search chooser(loads);
  simulated_search out;
  settings.probes = loads.probes;
  while (const auto load = chooser.next()) {
    const probe_evidence found = simulated_probe(server, *load, settings, random);
    chooser.add(*load, found.outcome);
    settings.least_step = std::max(settings.least_step, found.least_step_of_others());
    out.requests += found.requests;
    out.most_counted = std::max(out.most_counted, found.parts[0].independent);
    out.probes.push_back(found);
  }
  out.result = chooser.result();
  return out;
}

/// The values that early stopping needs if `over` of them are over the limit: the smallest n with
/// P(Bin(n, share) <= over) < 1 - confidence.
inline double early_stopping_floor(double over, double share, double confidence) {
  const auto open = [&](double n) {
    return !(confidence::chance_of_at_most(n, over, share) < 1 - confidence);
  };
  double none = over;
  double enough = 1e6;
  while (enough - none > 1) {
    const double middle = std::floor((none + enough) / 2);
    (open(middle) ? none : enough) = middle;
  }
  return enough;
}

}  // namespace inferbench::limit
