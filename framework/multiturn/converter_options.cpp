#include "multiturn/converter_options.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "multiturn/run_files.hpp"
#include "options/environment.hpp"
#include "options/refusal.hpp"
#include "scripts/flag_line.hpp"

namespace inferbench::multiturn {

namespace {

constexpr scripts::flag_row convert_flags[] = {
    {"seed", 0, "", "N", "0", "Seed of the order of the conversations"},
    {"max-items", 0, "", "N", "", "Conversations to write, at most; chosen at random"},
    {"min-turns", 0, "", "N", "",
     "Leave out conversations with fewer messages (before --max-turns cuts them)"},
    {"max-turns", 0, "", "N", "", "Messages to keep of a conversation"},
    {"min-content-len", 0, "", "N", "",
     "Leave out conversations with a message of fewer characters"},
    {"max-content-len", 0, "", "N", "",
     "Leave out conversations with a message of more characters"},
    {"model", 0, "", "NAME", "",
     "Accepted; lengths in tokens are shown by inferbench dataset show"},
    {"message-filter", 0, "", "WHICH", "none",
     "Messages to keep: none (no filter), non-ascii (those with characters beyond ASCII, as the "
     "script), ascii (those without)"},
};

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> limit_of(const scripts::flag_line& line, std::string_view name,
                                     std::int64_t least = 0) {
  if (!line.given(name)) return std::nullopt;
  return line.whole(name, least, largest);
}

/// A minimum above the maximum would leave no message. --min-turns may be above --max-turns: it
/// counts the messages before --max-turns cuts the conversation.
void check_content(const converter_options& of) {
  if (of.min_content && of.max_content && *of.min_content > *of.max_content)
    throw options::usage_error(
        fmt::format("{} is above --max-content-len, {}", *of.min_content, *of.max_content),
        "give a minimum that is at most the maximum", {"--min-content-len", 0, 0});
}

message_filter filter_of(const scripts::flag_line& line) {
  const std::string text = line.text("message-filter");
  if (text == "none") return message_filter::none;
  if (text == "non-ascii") return message_filter::non_ascii;
  if (text == "ascii") return message_filter::ascii;
  throw options::usage_error(options::in_quotes(text) + " is not none, non-ascii or ascii", {},
                             {"--message-filter", 0, 0});
}

}  // namespace

converter_options read_converter_options(std::span<const std::string> args) {
  // The files may stand before, between and after the flags. Each flag takes a value.
  std::vector<std::string> files;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].starts_with('-') || args[i] == "-") {
      files.push_back(args[i]);
      continue;
    }
    words.push_back(args[i]);
    const bool has_value = args[i].find('=') != std::string::npos;
    if (!has_value && args[i].starts_with("--") && args[i] != "--help" && i + 1 < args.size())
      words.push_back(args[++i]);
  }
  const scripts::flag_line line(convert_flags, words, {});
  converter_options out;
  out.help = line.asks_for_help();
  if (out.help) return out;
  if (files.size() != 2)
    throw options::usage_error("convert takes two files",
                               "write inferbench multi-turn convert INPUT OUTPUT");
  out.input = files[0];
  out.output = files[1];
  require_different_files(
      std::array{named_file{"INPUT", out.input}, named_file{"OUTPUT", out.output}});
  out.seed = static_cast<std::uint64_t>(line.whole("seed", 0, largest));
  out.max_items = limit_of(line, "max-items", 1);
  out.min_turns = limit_of(line, "min-turns");
  out.max_turns = limit_of(line, "max-turns");
  out.min_content = limit_of(line, "min-content-len");
  out.max_content = limit_of(line, "max-content-len");
  check_content(out);
  out.model = line.text("model");
  out.filter = filter_of(line);
  return out;
}

std::string converter_help() {
  return scripts::flags_help("inferbench multi-turn convert INPUT OUTPUT [FLAG]...",
                             "Make a file of conversations from a ShareGPT file.", convert_flags);
}

}  // namespace inferbench::multiturn
