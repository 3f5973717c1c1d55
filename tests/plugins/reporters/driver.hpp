// Runs a reporter plugin as the host does: loads it by name, creates it with options, and gives it
// records and the figures of the accumulator through a fanout.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/record.hpp"
#include "metrics/context.hpp"

namespace inferbench::reporters_test {

using setting = std::pair<std::string, std::variant<bool, std::string, std::vector<std::string>>>;

struct input {
  std::vector<client::record> records;
  metrics::context run;
  std::string resolved = "{}";  // JSON object
  std::string plan;             // members of config_json before "resolved", each with a comma
  bool interrupted = false;
  std::string name = "run-1";
};

struct outcome {
  bool ok = false;
  bool stamps = false;                                         // the reporter got all event stamps
  std::string printed;                                         // on standard output
  std::vector<std::pair<std::string, std::string>> artifacts;  // kind, path
  std::vector<std::string> lines;                              // log lines
};

/// report_with() reports a run that began at `started_ns` and ended on 2026-11-20 06:30:00 UTC. It
/// throws base::error if the plugin refuses its options.
inline constexpr std::uint64_t started_ns = 5'000'000'000'000;
[[nodiscard]] outcome report_with(const std::string& plugin, const std::vector<setting>& settings,
                                  const input& given);

/// A run of a table. `concurrency`: its value on the axis max_concurrency, as JSON; empty: none.
/// Neighbours with the same `point`, which is not empty, repeat each other. Their point has this
/// label and the figures 15 ± 2 req/s and TTFT with the median 20 ± 1 ms and P95, without an
/// interval if it has one run.
struct table_input {
  input run;
  std::string label;
  std::string source = "a.journal";
  std::string concurrency{};
  std::string point{};
};
/// Like report_with(), for several runs side by side (inferbench.table-reporter/1). The table
/// "table-1" has the axis max_concurrency. A run whose `point` is empty is a point of its own,
/// without figures.
[[nodiscard]] outcome report_table_with(const std::string& plugin,
                                        const std::vector<setting>& settings,
                                        const std::vector<table_input>& runs);

/// Compares the text with tests/fixtures/reporters/NAME, or records the file (support/golden.hpp).
void expect_golden(const std::string& found, const std::string& name);
/// tests/fixtures/reporters/NAME
[[nodiscard]] std::string golden(const std::string& name);

[[nodiscard]] input plain_run();     // three successes, rate inf, no cap
[[nodiscard]] input strained_run();  // 4 successes, 12 failures, cap 8, rate 10.5, goodput
[[nodiscard]] input pooling_run();
[[nodiscard]] input hopeless_run();  // no request succeeded
[[nodiscard]] input full_run();      // strained_run() with all other data that a run can have
[[nodiscard]] input closed_run();    // two at a time, ten requests, ramp-up, rate inf
[[nodiscard]] input pooling_closed_run();
/// Two conversations of two turns, of which one ended early, in the multi-turn mode of vLLM's Rust
/// client. `mode`: the member `multi_turn` of the fact `conversations`; empty: another mode.
[[nodiscard]] input multi_turn_run(const std::string& mode =
                                       R"({"concurrency": 2, "turn_delay_ms": 500,
                                           "session_header": "X-Session-ID",
                                           "separate_turns": false})");
[[nodiscard]] input diffusing_run();  // plain_run() with both kinds of server counters

}  // namespace inferbench::reporters_test
