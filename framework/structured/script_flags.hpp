// The flags of vLLM's benchmark_serving_structured_output: declarations with its names, types,
// defaults and choices. The defaults that are those of `inferbench serve`, too, are not repeated
// on the command line of serve.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace inferbench::structured {

enum class script_type : std::uint8_t {
  text,
  whole,  // as Python's int() reads it
  real,   // as Python's float() reads it
  list,   // one or more texts
  toggle  // no value
};

/// All texts live as long as the program.
struct script_flag {
  const char* name;  // without dashes
  script_type type;
  const char* value_name;  // for --help; nullptr for a toggle
  const char* fallback;    // nullptr: there is none
  // The flag of serve with the same meaning, without dashes; nullptr: serve_words() has a rule for
  // it.
  const char* serve;
  const char* help;  // a clause without a full stop; nullptr: not shown
};

/// In the order of --help.
[[nodiscard]] std::span<const script_flag> script_flags();

/// The values of --dataset.
[[nodiscard]] std::span<const std::string_view> script_datasets();

/// The flag that `written` ("--num_prompts", "--num-p") means: an exact name with "_" for "-", or
/// the only flag that begins with it. nullptr: the script has no such flag, or several.
[[nodiscard]] const script_flag* find_script_flag(std::string_view written);

/// The text of --help.
[[nodiscard]] std::string script_help();

}  // namespace inferbench::structured
