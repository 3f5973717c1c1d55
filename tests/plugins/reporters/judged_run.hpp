// A run with every fact that reporters read beyond the figures: goals, certainty, and a client that
// did not keep up. Its texts are hostile.
#pragma once

#include <string>

#include "driver.hpp"

namespace inferbench::reporters_test {

inline input judged_run() {
  input in = full_run();
  in.run.set_fact(
      "thresholds",
      R"([{"goal": "ttft.p99<200ms", "figure": "ttft", "statistic": "p99", "relation": "<",
           "limit": 200.0, "unit": "ms", "value": 296.9925, "passed": false, "certain": true,
           "count": 4, "effective_count": 3.5, "reason": null},
          {"goal": "output_throughput>=5", "figure": "output_throughput", "statistic": "value",
           "relation": ">=", "limit": 5.0, "unit": "token/s", "value": 7.428571428571429,
           "passed": true, "certain": false, "count": 4, "effective_count": 4,
           "reason": "one value | has no `interval`"},
          {"goal": "rtfx>=1", "figure": "rtfx", "statistic": "value", "relation": ">=",
           "limit": 1.0, "unit": "1", "value": null, "passed": false, "certain": false,
           "count": 0, "effective_count": 0, "reason": "the run has no such figure"}])");
  in.run.set_fact("certainty",
                  R"({"confidence": 0.99, "figures": {"ttft": {"count": 4, "effective_count": 3.5,
                      "percentiles": [{"percentile": 50, "bound": 299.5},
                                      {"percentile": 99, "bound": null}]}}})");
  in.run.set_fact("client",
                  R"({"verdict": "SUSPECT", "reasons": ["P99 TTFT may be off by up to 12.3 ms",
                      "<script>alert(1)</script> | `x`"], "causes": [],
                      "worst_error_bound": {"figure": "P99 TTFT", "ms": 12.3, "of_limit": 2}})");
  in.resolved.replace(in.resolved.find("\"small\""), 7, R"("a|b`c<i>@team")");
  in.resolved.insert(1, R"("flags": {"model": "a|b`c<i>@team", "save-result": true,
      "header": ["x=it's", "y=1"], "request-rate": 10.5, "temperature": -1}, )");
  return in;
}

/// judged_run() with texts in its records that no report may take for marks of its own.
inline input hostile_run() {
  using namespace std::string_literals;
  input in = judged_run();
  in.records[5].error = "=cmd|' /C calc'!A0\0\xFF\xC3 <b>]]>\r\n,\"end\""s;
  in.records[5].id = "@SUM(1,\"2\")\0"s;
  in.records[0].text = "=1+1\n\"two\"";
  in.records[0].finish_reason = "-stop";
  in.records[0].id = "+id";
  in.records[0].attributes.emplace_back("reasoning", "because");
  return in;
}

}  // namespace inferbench::reporters_test
