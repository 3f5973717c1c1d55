// Common parts of the tests of codecs: samples, answers, and the check that each answer has one
// end.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/player.hpp"
#include "check/transcripts.hpp"

namespace inferbench::check {

/// The first sample of the kit that this codec takes, as JSON; the player then has an open exchange
/// for the sample. nullopt if the codec takes none of the samples: one.status() and one.error()
/// then contain the refusal of the last sample.
[[nodiscard]] std::optional<std::string> taken_sample(player& one);
/// The reason for skipping a test of a codec that takes no sample.
[[nodiscard]] std::string takes_none(const player& one);

/// The recorded exchanges of the plugin; empty if the user gave no folder. Skips the test if the
/// exchanges cannot be read; the test codec-transcripts reports this.
[[nodiscard]] std::vector<recorded> recordings(const subject& s);

/// A codec with certain options, and answers for it that the tests cut and mangle.
struct material {
  player& one;
  std::string sample;  // a sample that the codec takes
  std::vector<answer> answers;
  // The recordings of the answers, in the same order; empty: the answers are the kit's own.
  std::span<const recorded> recordings;
  // Returns true when this material has used its share of the test's time.
  std::function<bool()> late;
};

/// Calls `look` in turn for each group of recorded answers that have the same options and sample.
/// Each call gets an instance with these options. If no answer was recorded without options and
/// sample, the kit's own answers are the first group. A group that cannot be set up is left out;
/// the tests create and codec-transcripts report it. Skips the test if no group is left.
void with_material(subject& s, const std::function<void(const material&)>& look);

/// Reports a finding if the codec has reported more than one end, or an event after the end. `when`
/// is appended to the text of the finding.
void judge_ends(subject& s, const recorder& heard, const std::string& when);

/// The lines joined into one shortened line, for messages.
[[nodiscard]] std::string shown(const std::vector<std::string>& lines);

}  // namespace inferbench::check
