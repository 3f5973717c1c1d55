// The flags of `inferbench sweep serve`, `serve_workload`, `serve_sla` and `startup`: their
// declarations, their help, and the command line as flags with texts (request.hpp checks the
// texts). The rules are those of upstream's parser: "_" means "-" in the name of a flag,
// --NAME=TEXT is --NAME TEXT, a prefix that only one flag has stands for that flag, and the last of
// several equal flags counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::sweep {

/// The commands: upstream's `serve` and `serve_workload`, `serve_sla` of its earlier releases, and
/// upstream's `startup`, whose benchmark is a start-up benchmark and which has no server.
enum class kind : std::uint8_t { serve, workload, sla, startup };

/// Whether the runs of a combination are made at several levels of a variable. Otherwise a
/// combination has one folder with all its runs.
[[nodiscard]] constexpr bool has_levels(kind which) {
  return which == kind::workload || which == kind::sla;
}

/// "serve_workload"
[[nodiscard]] std::string_view command_name(kind which);

/// The flag that gives the command of the benchmark: "--bench-cmd" or "--startup-cmd". A text of
/// the whole program.
[[nodiscard]] const char* benchmark_flag(kind which);

/// A flag that was given.
struct sweep_flag_value {
  std::string_view name;  // as declared, without dashes; valid for the whole program
  std::string text;       // empty for a switch; two texts with a blank between them
};

struct sweep_line {
  std::vector<sweep_flag_value> flags;  // in the order of the line
  bool help = false;                    // --help or -h; later arguments were not read

  /// The text of the last flag with this name; nullptr if it was not given.
  [[nodiscard]] const std::string* find(std::string_view name) const;
};

/// Throws options::usage_error for an unknown flag, an ambiguous prefix, a value that is missing or
/// that a switch does not take, and an argument that is no flag.
[[nodiscard]] sweep_line read_sweep_flags(kind which, std::span<const std::string> args);

/// The text of --help.
[[nodiscard]] std::string sweep_help(kind which);

}  // namespace inferbench::sweep
