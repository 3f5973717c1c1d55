#include "offline/inner_names.hpp"

#include <string>
#include <string_view>

#include "offline/offline_flags.hpp"

namespace inferbench::offline {

namespace {

struct inner_name {
  unsigned commands;  // as bits; 0: every command
  std::string_view inner;
  std::string_view own;
};

constexpr unsigned prefix = bit_of(benchmark::prefix_caching);
constexpr unsigned documents = bit_of(benchmark::long_document_qa);

constexpr inner_name all_inner_names[] = {
    {prefix, "prefix-repetition-prefix-len", "prefix-len"},
    {prefix, "prefix-repetition-suffix-len", "input-length-range"},
    {prefix, "prefix-repetition-output-len", "output-len"},
    {prefix, "sharegpt-input-length-range", "input-length-range"},
    {documents, "long-document-length", "document-length"},
    {documents, "long-document-count", "num-documents"},
    {documents, "long-document-repeat-count", "repeat-count"},
    {documents, "long-document-repeat-mode", "repeat-mode"},
    {documents, "long-document-shuffle-seed", "shuffle-seed"},
    {documents, "num-prompts", "num-documents"},
    {bit_of(benchmark::prioritization), "dataset-path", "dataset"},
    // The general lengths are those of the data set that is chosen.
    {0, "sharegpt-output-len", "output-len"},
    {0, "custom-output-len", "output-len"},
    {0, "random-input-len", "input-len"},
    {0, "random-output-len", "output-len"},
    {0, "random-prefix-len", "prefix-len"},
    {0, "sonnet-input-len", "input-len"},
    {0, "sonnet-output-len", "output-len"},
    {0, "sonnet-prefix-len", "prefix-len"},
};

/// Whether the command sets the flag `inner` by its own flag `own`: not if the user gave `inner`,
/// nor if the command has both flags and the user did not give `own`.
bool is_set_by_own(const offline_line& line, const inner_name& of) {
  if (of.commands != 0 && (of.commands & bit_of(line.command)) == 0) return false;
  if (find_flag(line.command, of.own) == nullptr || line.engine.has(of.inner)) return false;
  const offline_values values(line);
  return !values.given(of.inner) &&
         (values.given(of.own) || find_flag(line.command, of.inner) == nullptr);
}

}  // namespace

scripts::flag_names inner_names(const offline_line& line) {
  scripts::flag_names out;
  for (const inner_name& each : all_inner_names)
    if (is_set_by_own(line, each)) out.add(std::string(each.inner), std::string(each.own));
  return out;
}

}  // namespace inferbench::offline
