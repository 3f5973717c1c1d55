#include "config/command_flags.hpp"

#include <limits>
#include <utility>

#include "config/keys.hpp"
#include "config/sweep_files.hpp"

namespace inferbench::config {

namespace {

std::vector<options::option> in_general(std::vector<options::option> out) {
  options::option help;
  help.flag = "help";
  help.takes = options::arity::none;
  help.help = "Show this text";
  out.push_back(std::move(help));
  for (options::option& o : out)
    o.group = "general";
  return out;
}

constexpr const char* more_reporters =
    "Add a reporter to those that other flags choose; NAME=FILE: it writes to FILE in "
    "--result-dir; NAME=-: it writes to standard output";

}  // namespace

options::option reporter_flag(std::string help) {
  options::option out;
  out.flag = "reporter";
  out.type = IFB_STRINGS;
  out.help = std::move(help);
  out.group = "general";
  out.value_name = "NAME[=FILE]";
  out.accumulates = true;
  return out;
}

std::vector<options::option> calibrate_flags() {
  std::vector<options::option> out(3);
  out[0] = {.table = {}, .name = {}, .flag = "ttft", .value_name = "DELAY", .fallback = "\"50ms\""};
  out[0].help = "Time to the first token of the simulator, as inferbench simulate takes it";
  out[1] = {.table = {}, .name = {}, .flag = "itl", .value_name = "DELAY", .fallback = "\"10ms\""};
  out[1].help = "Time from one event of the simulator to the next";
  out[2] = {.table = {},
            .name = {},
            .flag = "duration-limit",
            .type = IFB_DURATION,
            .fallback = "\"30s\"",
            .maximum = std::numeric_limits<double>::infinity(),
            .above = true};
  out[2].help = "Send fewer requests, so that the load lasts no longer";
  out.push_back(
      reporter_flag("Reporter of the run against the simulator; NAME=FILE: what it writes "
                    "goes to FILE, in --result-dir; NAME=-: to standard output"));
  return in_general(std::move(out));
}

std::vector<options::option> report_flags() {
  std::vector<options::option> out;
  out.push_back(
      reporter_flag("Reporters to use; console if none is given; NAME=FILE: it writes to FILE in "
                    "--result-dir; NAME=-: to standard output. Several journals need reporters "
                    "that show several runs side by side"));
  for (options::option& key : host_keys()) {
    if (key.flag != "summary" && key.table != "thresholds") continue;
    key.help += "; if not given, as the run had it";
    key.fallback.reset();
    out.push_back(std::move(key));
  }
  return in_general(std::move(out));
}

std::vector<options::option> find_flags() {
  const auto list = [](const char* flag, const char* value_name, const char* help) {
    options::option one;
    one.flag = flag;
    one.type = IFB_STRINGS;
    one.takes = options::arity::some;
    one.value_name = value_name;
    one.fallback = "[]";
    one.help = help;
    return one;
  };
  const auto number = [](const char* flag, ifb_type type, const char* fallback, double least,
                         double most, const char* help) {
    options::option one;
    one.flag = flag;
    one.type = type;
    one.fallback = fallback;
    one.minimum = least;
    one.maximum = most;
    one.help = help;
    return one;
  };
  constexpr double no_end = std::numeric_limits<double>::infinity();
  std::vector<options::option> out;
  out.push_back(
      list("goal", "GOAL",
           "A goal that the load must meet, such as \"ttft.p99<200ms\"; may be repeated"));
  out.back().accumulates = true;
  options::option over;
  over.flag = "over";
  over.value_name = "LOAD";
  over.type = IFB_CHOICE;
  over.choices = {"request_rate", "max_concurrency"};
  over.fallback = "\"request_rate\"";
  over.help = "What the search changes";
  out.push_back(std::move(over));
  out.push_back(list("between", "LO HI", "The smallest and the largest load of the search"));
  out.push_back(
      number("max-probes", IFB_INT, "12", 1, 100, "The search makes at most this number of runs"));
  out.push_back(number("max-requests", IFB_INT, "50000", 10, 1e9,
                       "A run sends at most this number of requests"));
  out.push_back(number("max-time", IFB_DURATION, "\"5m\"", 1, no_end,
                       "The requests of a run are judged for at most this time"));
  out.push_back(number("min-time", IFB_DURATION, "\"30s\"", 0, no_end,
                       "Over request_rate a run passes only after the requests of this time: a "
                       "queue that grows needs time to show"));
  out.push_back(number("alpha", IFB_FLOAT, "0.01", 1e-9, 0.5,
                       "The largest chance that a wrong limit is printed as certified"));
  out.push_back(number("precision", IFB_FLOAT, "0.005", 1e-6, 1,
                       "End the search if the smallest load that did not pass is above the largest "
                       "that passed by this share"));
  out.push_back(number("assumed-correlation", IFB_FLOAT, "0.8", 0, 0.99,
                       "How much neighbouring requests may depend on each other without a trace in "
                       "the warm-up; 0: not at all, which needs fewer requests"));
  out.push_back(number("settle", IFB_DURATION, "\"2s\"", 0, no_end,
                       "Wait before each run if the server does not tell whether it is idle"));
  options::option json;
  json.flag = "json";
  json.value_name = "FILE";
  json.fallback = "\"\"";
  json.help =
      "Also write the result of the search to this file; it is always in the folder of the search";
  out.push_back(std::move(json));
  out.push_back(
      reporter_flag("Reporter of the runs of the search, side by side; NAME=FILE: it "
                    "writes to FILE; NAME=-: it writes to standard output"));
  return in_general(std::move(out));
}

std::vector<options::option> command_flags(options::command who) {
  std::vector<options::option> out;
  if (who == options::for_run) {
    options::option set;
    set.flag = "set";
    set.type = IFB_STRINGS;
    set.accumulates = true;
    set.value_name = "TABLE.KEY=VALUE";
    set.help = "Override a key of the file";
    out.push_back(std::move(set));
    for (options::option& flag : sweep_flags())
      out.push_back(std::move(flag));
    options::option ignore;
    ignore.flag = ignore_sweep_flag;
    ignore.type = IFB_BOOL;
    ignore.takes = options::arity::none;
    ignore.help = "Make one run, without the table [sweep] of the files";
    ignore.fallback = "false";
    out.push_back(std::move(ignore));
  }
  if (who == options::for_serve || who == options::for_run) {
    options::option print;
    print.flag = "print-config";
    print.type = IFB_BOOL;
    print.takes = options::arity::none;
    print.help = "Print the run as TOML for `inferbench run`, and stop";
    out.push_back(std::move(print));
    out.push_back(reporter_flag(more_reporters));
  }
  return in_general(std::move(out));
}

}  // namespace inferbench::config
