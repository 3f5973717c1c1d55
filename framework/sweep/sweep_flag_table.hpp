// The declarations of the flags of `inferbench sweep serve`, `serve_workload`, `serve_sla` and
// `startup`. sweep_flags.hpp reads a command line with them.
#pragma once

#include <cstdint>
#include <span>

#include "sweep/sweep_flags.hpp"

namespace inferbench::sweep {

enum class takes : std::uint8_t { nothing, text, two_texts, optional_text };

/// A declared flag. All texts live as long as the program.
struct sweep_flag {
  const char* name;  // without dashes
  char letter;       // of the short form; 0: none
  takes value;
  const char* value_name;  // for --help; nullptr for a switch
  unsigned commands;       // bit_of() of each command that has the flag
  const char* help;        // nullptr: not shown
};

/// The set of commands that have a flag, as bits.
[[nodiscard]] constexpr unsigned bit_of(kind which) { return 1U << static_cast<unsigned>(which); }

[[nodiscard]] constexpr bool belongs(const sweep_flag& flag, kind which) {
  return (flag.commands & bit_of(which)) != 0;
}

/// In the order of --help. A flag whose help differs between commands has several declarations, for
/// different commands.
[[nodiscard]] std::span<const sweep_flag> all_sweep_flags();

}  // namespace inferbench::sweep
