// Common parts of the tests of codecs: samples and answers to work with, and the rule that an
// answer has one end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/player.hpp"
#include "check/transcripts.hpp"

namespace inferbench::check {

/// The first sample of the kit that this codec takes, as JSON; the player then has an open exchange
/// for the sample. nullopt if the codec takes none of the samples: one.status() and one.error()
/// then have its refusal of the last sample.
[[nodiscard]] std::optional<std::string> taken_sample(player& one);
/// The reason for skipping a test of a codec that takes no sample.
[[nodiscard]] std::string takes_none(const player& one);

/// The recorded exchanges of the plugin; empty if no folder was given. If they cannot be read,
/// skips the test: the test codec-transcripts reports this.
[[nodiscard]] std::vector<recorded> recordings(const subject& s);

/// A codec, set up in one way, and answers to be cut and mangled for it.
struct material {
  player& one;
  std::string sample;  // a sample that the codec takes
  std::vector<answer> answers;
  // The share of this material in the time of the test is over.
  std::function<bool()> late;
};

/// Calls `look` for each group of recorded answers with the same options and sample, in turn,
/// each on an instance with these options. Where no answer was recorded without options and
/// sample, the kit's own answers come first. A group that cannot be set up is left out, which
/// the tests create and codec-transcripts report; skips if no group is left.
void with_material(subject& s, const std::function<void(const material&)>& look);

/// Reports a codec that reports more than one end, or anything after its end. `when` is
/// appended to the complaint.
void judge_ends(subject& s, const recorder& heard, const std::string& when);

/// The lines joined into one, for messages; shortened.
[[nodiscard]] std::string shown(const std::vector<std::string>& lines);

}  // namespace inferbench::check
