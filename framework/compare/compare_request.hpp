// The arguments of `inferbench compare`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/declared_figure.hpp"
#include "options/environment.hpp"

namespace inferbench::compare {

struct compare_request {
  std::vector<std::string> arguments;     // files and folders; with --run TOML files
  std::vector<declared_figure> declared;  // --metric; empty: the usual figures
  double same_within = 0.02;              // --same-within, as a share
  bool gate = false;
  std::string json;                    // --json: a file; empty: none
  std::vector<std::string> reporters;  // --reporter: NAME or NAME=FILE

  bool makes_runs = false;            // --run; the members below are for it, except for `blocks`
  std::optional<std::size_t> blocks;  // --blocks
  std::string result_dir;             // --result-dir; empty: a new folder
  bool resume = false;
  bool show_stdout = false;
  std::vector<std::string> sets;            // --set, for both arms
  std::uint64_t settle_ns = 2'000'000'000;  // --settle

  std::string line;  // the command line for reporters, without secrets
  std::string help;  // not empty: the caller prints this text and stops
  std::vector<std::string> warnings;
};

/// The number of blocks of --run unless --blocks is given.
inline constexpr std::size_t usual_blocks = 8;

/// Throws options::usage_error for arguments that cannot be read, for fewer
/// than two arguments (with --run: other than two), for a flag that needs
/// --run or excludes it, and for --json without a file ("" or "-").
[[nodiscard]] compare_request parse_compare(std::span<const std::string> args,
                                            const options::environment& env);

}  // namespace inferbench::compare
