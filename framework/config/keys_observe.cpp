#include "config/key_table.hpp"

namespace inferbench::config {

void observe_keys(key_table& t) {
  constexpr double shortest_ns = 0.1e9;
  constexpr double longest_ns = 3600e9;
  t.group("server series");
  t.add({.table = "observe",
         .name = "urls",
         .flag = "observe",
         .type = IFB_STRINGS,
         .help = "Read the metrics of the server at its /metrics during the run, and of the pages "
                 "that are given, such as those of a DCGM or node exporter",
         .value_name = "URL",
         .takes = options::arity::any});
  t.add({.table = "observe",
         .name = "names",
         .flag = "observe-names",
         .type = IFB_STRINGS,
         .help = "Further metrics to keep, as patterns with * and ?, separated by blanks or commas",
         .value_name = "PATTERN",
         .takes = options::arity::some,
         .accumulates = true});
  t.add({.table = "observe",
         .name = "interval",
         .flag = "observe-interval",
         .type = IFB_DURATION,
         .help = "Time between two readings of a page",
         .fallback = "\"1s\"",
         .minimum = shortest_ns,
         .maximum = longest_ns});
  t.add(switched("observe", "power", "record-power",
                 "Measure the energy of the NVIDIA GPUs of this machine during the run"));
}

}  // namespace inferbench::config
