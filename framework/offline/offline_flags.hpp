// The flags of the offline commands: `inferbench throughput`, `latency`, `startup`, `mm-processor`,
// `prefix-caching`, `long-document-qa` and `prioritization`. Declarations with upstream's names,
// defaults and choices, and the help made from them. All other flags of these commands are options
// of the engine (engine_options.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace inferbench::offline {

/// The offline commands.
enum class benchmark : std::uint8_t {
  throughput,
  latency,
  startup,
  mm_processor,
  prefix_caching,
  long_document_qa,
  prioritization
};

/// "mm-processor"
[[nodiscard]] std::string_view name_of(benchmark which);

/// The set of commands that have a flag, as bits.
[[nodiscard]] constexpr unsigned bit_of(benchmark which) {
  return 1U << static_cast<unsigned>(which);
}

enum class flag_type : std::uint8_t {
  toggle,  // no value, or =true or =false; --no-NAME switches it off
  text,
  choice,
  whole,
  real,
  json  // an object; also --NAME.KEY VALUE for one member
};

/// A declared flag. All texts live as long as the program.
struct offline_flag {
  const char* name;  // without dashes
  flag_type type;
  const char* value_name;  // for --help; nullptr for a toggle
  const char* fallback;    // the default as JSON
  unsigned commands;       // bit_of() of each command that has the flag
  double least;            // smallest number; not checked for other types
  const char* help;        // a clause without a full stop; nullptr: not shown
  bool ours = false;       // upstream does not have the flag
  bool repeated = false;   // every value of a flag that is given again counts, not the last
};

/// The declarations of all commands. A flag with several defaults has several declarations, for
/// different commands.
[[nodiscard]] std::span<const offline_flag> all_offline_flags();

/// The declaration of --`name` for the command; nullptr if the command has no such flag. `name` has
/// "-" and not "_".
[[nodiscard]] const offline_flag* find_flag(benchmark which, std::string_view name);

/// "did you mean --num-prompts?" or "": for an option that the engine refuses.
[[nodiscard]] std::string nearest_flag(benchmark which, std::string_view name);

/// The text of --help.
[[nodiscard]] std::string offline_help(benchmark which);

}  // namespace inferbench::offline
