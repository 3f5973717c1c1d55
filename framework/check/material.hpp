// What the tests of codecs have in common: samples and answers to work with, and the rule
// that an answer has one end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/player.hpp"
#include "check/transcripts.hpp"

namespace inferbench::check {

/// The first sample of the kit that this codec takes, as JSON; it is open then. Nothing where it
/// takes none: what it says of the last one is in status() and error().
[[nodiscard]] std::optional<std::string> taken_sample(player& one);
/// Why a test of such a codec skips.
[[nodiscard]] std::string takes_none(const player& one);

/// The recorded exchanges of the plugin, none where no folder was given. Skips where they cannot be
/// read, of which codec-transcripts tells.
[[nodiscard]] std::vector<recorded> recordings(const subject& s);

/// A codec set up in one way, and answers to cut and to mangle for it.
struct material {
  player& one;
  std::string sample;  // that it takes
  std::vector<answer> answers;
  // Its part of the time of the test is over.
  std::function<bool()> late;
};

/// Shows the recorded answers to `look`, those together that were recorded with the same options
/// and sample: in turn, each on an instance with these options. Where none was recorded with
/// neither, the kit's own come first. What cannot be set up is left out, of which the tests create
/// and codec-transcripts tell; skips where that is all.
void with_material(subject& s, const std::function<void(const material&)>& look);

/// A codec reports at most one end, and nothing after it. `when` goes behind the complaint.
void judge_ends(subject& s, const recorder& heard, const std::string& when);

/// Lines in one, for messages; shortened.
[[nodiscard]] std::string shown(const std::vector<std::string>& lines);

}  // namespace inferbench::check
