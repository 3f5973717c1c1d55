#include "limit/wording.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/limit/simulated_search.hpp"
#include "support/golden.hpp"

namespace inferbench::limit {
namespace {

const std::string golden_folder = std::string(INFERBENCH_FIXTURES) + "/limit/";

/// A search whose probes are simulated, with a name for its goal.
search_record searched(const simulated_server& server, const search_settings& loads,
                       judge_settings settings = {}) {
  part goal;
  goal.goal = server.allowed == 0.1 ? "ttft.p90<200ms" : "ttft.p99<200ms";
  goal.allowed = server.allowed;
  settings.probes = loads.probes;
  search_record out;
  out.load_name = "request rate";
  out.load_unit = " requests/s";
  out.settings = loads;
  search chooser(loads);
  random_numbers random(1);
  while (const auto load = chooser.next()) {
    judge probe({goal}, settings);
    over_chain series(server.share(*load), server.rho, random);
    observation request;
    do {
      request.over = series.next();
    } while (probe.add({&request, 1}));
    out.probes.push_back({*load, probe.evidence()});
    chooser.add(*load, out.probes.back().evidence.outcome);
  }
  out.result = chooser.result();
  return out;
}

std::string text_of(const search_record& search) {
  std::string out;
  for (const probe_record& each : search.probes)
    out += probe_line(search, each) + '\n';
  out += '\n';
  for (const std::string& line : conclusion_lines(search))
    out += line + '\n';
  return out;
}

void expect_text(const search_record& search, const std::string& name) {
  support::expect_golden(text_of(search), golden_folder + name);
}

TEST(the_words_of_a_search, name_the_limit_its_interval_and_what_was_undecided) {
  expect_text(searched(power_server(12, 20, 0.01), {.lo = 1, .hi = 50}), "found.txt");
}

TEST(the_words_of_a_search, say_that_the_highest_load_passes) {
  expect_text(searched(power_server(100, 20, 0.01), {.lo = 1, .hi = 50}), "hi_passed.txt");
}

TEST(the_words_of_a_search, say_that_no_load_meets_the_goal) {
  expect_text(searched(power_server(0.1, 3, 0.1), {.lo = 1, .hi = 50}), "nothing_passed.txt");
}

TEST(the_words_of_a_search, say_that_nothing_is_decided) {
  expect_text(
      searched({[](double) { return 0.1; }, 0.1, 0}, {.lo = 1, .hi = 50}, {.most_counted = 500}),
      "nothing_decided.txt");
}

TEST(the_words_of_a_search, tell_the_assumption_of_independence) {
  expect_text(searched(power_server(12, 40, 0.1), {.lo = 1, .hi = 50, .probes = 4},
                       {.assumed_correlation = 0}),
              "probes_used.txt");
}

TEST(the_words_of_a_search, call_means_estimated_and_never_certified) {
  part goal;
  goal.goal = "e2el.mean<2000ms";
  goal.kind = part_kind::mean;
  goal.limit = 2000;
  goal.unit = "ms";
  search_record record;
  record.load_name = "concurrency";
  record.settings = {.lo = 1, .hi = 8, .whole = true};
  search chooser(record.settings);
  while (const auto load = chooser.next()) {
    judge probe({goal}, {.planned = 420});
    for (int i = 0; i < 420; ++i)
      probe.add(std::vector<observation>{{.value = 400 * *load + i % 7}});
    record.probes.push_back({*load, probe.evidence()});
    chooser.add(*load, record.probes.back().evidence.outcome);
  }
  record.result = chooser.result();
  expect_text(record, "estimated.txt");
}

TEST(the_words_of_a_search, say_that_a_search_was_interrupted) {
  search_record record;
  record.load_name = "request rate";
  record.settings = {.lo = 1, .hi = 8};
  record.result = search(record.settings).result();
  EXPECT_EQ(
      conclusion_lines(record).front(),
      "limit: none, because no request rate has met the goal so far; the search has not ended");
  part goal;
  goal.goal = "ttft.p99<200ms";
  judge probe({goal}, {});
  probe.end(ending::stopped);
  search chooser(record.settings);
  chooser.add(8, probe.evidence().outcome);
  record.probes.push_back({8, probe.evidence()});
  record.result = chooser.result();
  expect_text(record, "interrupted.txt");
}

}  // namespace
}  // namespace inferbench::limit
