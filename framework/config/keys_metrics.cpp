#include <fmt/format.h>

#include "config/key_table.hpp"
#include "config/keys.hpp"

namespace inferbench::config {

void metric_keys(key_table& t) {
  t.group("metrics");
  t.add({.table = "metrics",
         .name = "percentile-metrics",
         .flag = "percentile-metrics",
         .type = IFB_STRINGS,
         .help = fmt::format("Metrics to report percentiles of: {}; if not given, ttft,tpot,itl, "
                             "or e2el for backends that do not stream",
                             fmt::join(percentile_metrics(), ", ")),
         .value_name = "NAMES",
         .shape = options::form::names});
  t.add({.table = "metrics",
         .name = "metric-percentiles",
         .flag = "metric-percentiles",
         .type = IFB_STRINGS,
         .help = "Percentiles to report",
         .value_name = "NUMBERS",
         .fallback = "\"99\"",
         .maximum = 100,
         .shape = options::form::numbers,
         .remedy = "write numbers from 0 to 100 with commas between, such as 50,99"});
  t.add({.table = "metrics",
         .name = "sweep-summary-percentiles",
         .flag = "sweep-summary-percentiles",
         .type = IFB_STRINGS,
         .help = "More percentiles for the summary of --sweep-max-concurrency and "
                 "--sweep-request-rate",
         .value_name = "NUMBERS",
         .maximum = 100,
         .shape = options::form::numbers,
         .remedy = "write numbers from 0 to 100 with commas between, such as 95,99.9"});
  t.add({.table = "metrics",
         .name = "goodput",
         .flag = "goodput",
         .type = IFB_STRINGS,
         .help = "Limits that a good request keeps, in ms: ttft, tpot, e2el",
         .choices = goodput_metrics(),
         .maximum = unbounded,
         .shape = options::form::goals,
         .takes = options::arity::some});
  t.add({.table = "metrics",
         .name = "summary",
         .flag = "summary",
         .type = IFB_CHOICE,
         .help = "Figures from every value, or from histograms of constant size that are at most "
                 "0.1 % off",
         .fallback = "\"exact\"",
         .choices = {"exact", "bounded"}});
  t.add(switched("metrics", "report-cached-tokens", "report-cached-tokens",
                 "Report the prompt tokens that the server took from its cache"));
  t.add(switched("metrics", "strict-answers", "strict-answers",
                 "Count an answer as failed if it ends early: without [DONE] and without a finish "
                 "reason, or shorter than --ignore-eos promises"));
  t.add({.table = "metrics",
         .name = "steady-state-threshold",
         .flag = "steady-state-threshold",
         .type = IFB_FLOAT,
         .help = "Share of --max-concurrency that is in flight during the steady state",
         .fallback = "0.95",
         .maximum = 1,
         .above = true});
  t.add({.table = "metrics",
         .name = "steady-state-min-window",
         .flag = "steady-state-min-window",
         .type = IFB_DURATION,
         .help = "Warn if the steady state is shorter; if not given, the longer of 10s and a tenth "
                 "of the run",
         .maximum = unbounded});
  t.add({.table = "metrics",
         .name = "steady-state",
         .flag = "no-steady-state",
         .type = IFB_BOOL,
         .help = "Figures of the steady state; the flag leaves them out",
         .fallback = "true",
         .takes = options::arity::none,
         .sets = "false"});
  t.add({.table = "thresholds",
         .name = "goals",
         .flag = "threshold",
         .type = IFB_STRINGS,
         .help = "Limits that the run must keep, such as \"ttft.p99<200ms\" or \"failed<=1%\"; the "
                 "exit status is 4 if one is not kept",
         .value_name = "GOAL",
         .takes = options::arity::some,
         .accumulates = true});
  t.add(switched("thresholds", "certain", "threshold-certain",
                 "A goal also fails if the sample does not prove it with a confidence of 99 %"));
}

void scorer_keys(key_table& t) {
  t.group("scorer");
  t.add({.table = "scorer",
         .name = "use",
         .flag = "scorer",
         .help = "Plugin that says how right each answer is, such as exact-match; it runs beside "
                 "the traffic",
         .value_name = "NAME"});
  t.add(digest_of_plugin("scorer"));
}

}  // namespace inferbench::config
