#include "config/command_flags.hpp"

#include <limits>
#include <utility>

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
