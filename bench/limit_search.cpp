// The row limit-search of bench/run: the error rates and the accuracy of the certified search
// (docs/certified-search.md), over simulated servers without a clock. Prints Markdown tables;
// the seeds are fixed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "framework/limit/simulated_search.hpp"

namespace {

using namespace inferbench;
using namespace inferbench::limit;

struct table {
  explicit table(const std::string& title, const std::string& columns) {
    std::printf("### %s\n\n|%s|\n|", title.c_str(), columns.c_str());
    for (const char each : columns)
      if (each == '|') std::printf(" ---: |");
    std::printf(" ---: |\n");
  }
  ~table() { std::printf("\n"); }
  table(const table&) = delete;
  table& operator=(const table&) = delete;
};

double percent(int part, int all) { return 100.0 * part / all; }

// (a) Accuracy at p99. `power`: the share over the limit is allowed (load / limit)^power, so half
// of the allowed share is over at 97 % of the limit for 22.8.
//
// The settings of the search were chosen while looking at other seeds (1 to 600); these seeds were
// not looked at before. The rows next to the demand of 95 % have more seeds.
void accuracy(int usual) {
  const table printed(
      "Accuracy: p99, independent requests, at most 12 probes of 10,000 requests",
      " power | over at 97 % of the limit | hi / lo | precision | searches | limit within 3 % | "
      "limit too high | interval covers | limit / true limit | probes | requests ");
  struct row {
    double power, precision;
  };
  for (const row each : {row{22.8, 0.005}, row{30, 0.005}, row{60, 0.005}, row{22.8, 0.01}}) {
    const int seeds = each.power < 30 ? 4 * usual : usual;
    for (const double range : {4.0, 20.0, 100.0}) {
      int within = 0;
      int high = 0;
      int covers = 0;
      double ratio = 0;
      double probes = 0;
      double requests = 0;
      for (int seed = 0; seed < seeds; ++seed) {
        random_numbers position(5'000'000U + static_cast<unsigned>(seed));
        const double limit = std::pow(range, 0.1 + 0.85 * position.next());
        const simulated_search found =
            search_of(power_server(limit, each.power, 0.01),
                      {.lo = 1, .hi = range, .precision = each.precision}, {}, 3'000'000 + seed);
        const double at = found.result.limit.value_or(0) / limit;
        within += at >= 0.97 && at <= 1 ? 1 : 0;
        high += at > 1 ? 1 : 0;
        covers += at <= 1 && found.result.upper_end.value_or(range) >= limit ? 1 : 0;
        ratio += at;
        probes += static_cast<double>(found.probes.size());
        requests += static_cast<double>(found.requests);
      }
      std::printf(
          "| %.1f | %.3f %% | %.0f | %.3f | %d | %.1f %% | %.1f %% | %.1f %% | %.3f | %.1f | %.0f "
          "|\n",
          each.power, std::pow(0.97, each.power), range, each.precision, seeds,
          percent(within, seeds), percent(high, seeds), percent(covers, seeds), ratio / seeds,
          probes / seeds, requests / seeds);
    }
  }
}

// (a) A flat server: the share grows slowly with the load.
void flat(int seeds) {
  const table printed("A flat server: p99, independent requests, hi / lo = 100",
                      " power | limit / true limit | upper end / true limit | undecided probes | "
                      "says undecided | interval covers ");
  for (const double power : {0.5, 1.0, 2.0, 5.0}) {
    int says = 0;
    int covers = 0;
    double low = 0;
    double high = 0;
    double undecided = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      const simulated_search found =
          search_of(power_server(7, power, 0.01), {.lo = 1, .hi = 100}, {}, 1 + seed);
      const double end = found.result.upper_end.value_or(100);
      says += found.result.undecided.empty() ? 0 : 1;
      covers += found.result.limit.value_or(0) <= 7 && end >= 7 ? 1 : 0;
      low += found.result.limit.value_or(1) / 7;
      high += end / 7;
      undecided += static_cast<double>(found.result.undecided.size());
    }
    std::printf("| %.1f | %.3f | %.2f | %.1f | %.0f %% | %.0f %% |\n", power, low / seeds,
                high / seeds, undecided / seeds, percent(says, seeds), percent(covers, seeds));
  }
}

struct cliff {
  double allowed, rho, assumed;
  int searches;
};

// (b) The hardest servers: the share of the whole range above the limit is just over the allowed
// share, or the whole range below the limit just meets the goal.
void error_rates(const std::string& title, const std::vector<cliff>& rows) {
  const table printed(
      title,
      " percentile | correlation of neighbours | assumed | searches | limit too high | "
      "upper end too low | requests a search ");
  for (const cliff& row : rows) {
    const auto counted = static_cast<std::size_t>(40 / row.allowed);
    const judge_settings settings{
        .assumed_correlation = row.assumed, .most_counted = counted, .most_requests = 10 * counted};
    int high = 0;
    int low = 0;
    double requests = 0;
    for (int seed = 0; seed < row.searches; ++seed) {
      random_numbers position(2'000'000U + static_cast<unsigned>(seed));
      const double limit = std::pow(20, 0.1 + 0.8 * position.next());
      const auto server = [&](double below, double above) {
        return simulated_server{[=](double load) { return load <= limit ? below : above; },
                                row.allowed, row.rho};
      };
      const simulated_search hard = search_of(server(0.1 * row.allowed, 1.0001 * row.allowed),
                                              {.lo = 1, .hi = 20}, settings, 1 + seed);
      high += hard.result.limit.value_or(0) > limit ? 1 : 0;
      requests += static_cast<double>(hard.requests);
      if (seed % 10 != 0) continue;
      const simulated_search soft = search_of(server(0.9999 * row.allowed, 3 * row.allowed),
                                              {.lo = 1, .hi = 20}, settings, 1 + seed);
      low += soft.result.upper_end.value_or(20) <= limit ? 1 : 0;
    }
    std::printf("| p%.0f | %.2f | %.2f | %d | %.3f %% | %.2f %% of %d | %.0f |\n",
                100 * (1 - row.allowed), row.rho, row.assumed, row.searches,
                percent(high, row.searches), percent(low, row.searches / 10), row.searches / 10,
                requests / row.searches);
    std::fflush(stdout);
  }
}

// The requests that one probe needs.
void cost(int probes) {
  const table printed(
      "The requests of a probe at p99, independent requests, cap 10,000",
      " over / allowed | assumed correlation | passed | failed | undecided | median "
      "requests ");
  for (const double assumed : {0.0, 0.8}) {
    for (const double share : {0.0, 0.2, 0.5, 0.8, 1.0, 1.25, 2.0, 10.0, 100.0}) {
      random_numbers random(9);
      const simulated_server server{[=](double) { return 0.01 * share; }, 0.01, 0};
      int outcomes[3] = {0, 0, 0};
      std::vector<std::size_t> requests;
      for (int i = 0; i < probes; ++i) {
        const probe_evidence found =
            simulated_probe(server, 1, {.assumed_correlation = assumed}, random);
        ++outcomes[static_cast<int>(found.outcome)];
        requests.push_back(found.requests);
      }
      std::sort(requests.begin(), requests.end());
      std::printf("| %.2f | %.1f | %.1f %% | %.1f %% | %.1f %% | %zu |\n", share, assumed,
                  percent(outcomes[0], probes), percent(outcomes[1], probes),
                  percent(outcomes[2], probes), requests[requests.size() / 2]);
    }
  }
}

// A queue that grows: good requests first, then the share over the limit rises to all.
probe_evidence overloaded(double allowed, int good, double rise, std::size_t least_requests) {
  part goal;
  goal.allowed = allowed;
  judge probe({goal}, {.least_requests = least_requests});
  random_numbers random(4);
  observation request;
  int i = 0;
  do {
    const double risen = i < good ? 0 : (i - good) / rise;
    request.over = random.next() < std::min(1.0, 0.2 * allowed + risen);
    ++i;
  } while (probe.add({&request, 1}));
  return probe.evidence();
}

void overload() {
  const table printed(
      "Overload: good requests, then a rising share over the limit up to all requests",
      " percentile | good requests | requests of the rise | verdict | after requests | "
      "verdict with `least_requests` = 3,000 | after requests ");
  for (const double allowed : {0.01, 0.1}) {
    for (const int good : {100, 300, 1'000, 3'000}) {
      for (const double rise : {1.0, 1'000.0}) {
        const probe_evidence any = overloaded(allowed, good, rise, 0);
        const probe_evidence longer = overloaded(allowed, good, rise, 3'000);
        std::printf("| p%.0f | %d | %.0f | %s | %zu | %s | %zu |\n", 100 * (1 - allowed), good,
                    rise, std::string(name_of(any.outcome)).c_str(), any.requests,
                    std::string(name_of(longer.outcome)).c_str(), longer.requests);
      }
    }
  }
}

// (f) The cells of early stopping; simulated_search_test.cpp compares them with the published
// numbers.
void early_stopping() {
  const table printed("Early stopping: needed values n for t values over the limit",
                      " percentile | confidence | t = 0 | 1 | 2 | 5 | 10 | 20 | 50 ");
  struct row {
    double share, confidence;
  };
  for (const row each :
       {row{0.1, 0.99}, row{0.05, 0.99}, row{0.01, 0.99}, row{0.001, 0.99}, row{0.01, 0.95}}) {
    std::printf("| p%.4g | %.0f %% |", 100 * (1 - each.share), 100 * each.confidence);
    for (const double over : {0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
      std::printf(" %.0f |", early_stopping_floor(over, each.share, each.confidence));
    std::printf("\n");
  }
}

std::vector<cliff> cliffs(int p90, int p99) {
  std::vector<cliff> out;
  for (const double rho : {0.0, 0.3, 0.5, 0.8})
    out.push_back({0.1, rho, 0.8, p90});
  for (const double rho : {0.0, 0.8})
    out.push_back({0.01, rho, 0.8, p99});
  return out;
}

}  // namespace

// --quick: a tenth of the searches.
int main(int count, char** words) {
  const bool quick = count > 1 && std::strcmp(words[1], "--quick") == 0;
  const int part = quick ? 10 : 1;
  accuracy(200 / part);
  flat(100 / part);
  cost(200 / part);
  error_rates("Error rates: a cliff at the limit, where the assumption holds",
              cliffs(20'000 / part, 500 / part));
  error_rates("Error rates without and beyond the assumption", {{0.1, 0.8, 0, 2'000 / part},
                                                                {0.01, 0.8, 0, 200 / part},
                                                                {0.1, 0.9, 0.8, 2'000 / part},
                                                                {0.1, 0.95, 0.8, 2'000 / part},
                                                                {0.1, 0.95, 0.95, 500 / part}});
  overload();
  early_stopping();
  return EXIT_SUCCESS;
}
