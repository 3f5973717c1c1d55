// The command line of `inferbench multi-turn convert`. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace inferbench::multiturn {

/// The messages that the last filter keeps.
enum class message_filter : std::uint8_t {
  none,
  non_ascii,  // messages with characters beyond ASCII, as the script does
  ascii       // messages without such characters, as the script means to do
};

struct converter_options {
  bool help = false;  // no other member is set
  std::string input;
  std::string output;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> max_items;
  std::optional<std::int64_t> min_turns;    // messages, before the cut by max_turns
  std::optional<std::int64_t> max_turns;    // messages, a dropped first message included
  std::optional<std::int64_t> min_content;  // characters of a message
  std::optional<std::int64_t> max_content;
  std::string model;  // empty: no statistics of tokens
  message_filter filter = message_filter::none;
};

/// Reads the arguments after `multi-turn convert`: INPUT, OUTPUT and flags. Throws
/// options::usage_error, also for a minimum above its maximum and if INPUT and OUTPUT are the same
/// file.
[[nodiscard]] converter_options read_converter_options(std::span<const std::string> args);

/// The text of --help.
[[nodiscard]] std::string converter_help();

}  // namespace inferbench::multiturn
