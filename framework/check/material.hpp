// What the tests of codecs have in common: samples and answers to work with, and the rule
// that an answer has one end.
#pragma once

#include <string>
#include <vector>

#include "check/player.hpp"

namespace inferbench::check {

/// The first sample of the kit that this codec takes, as JSON; it is open then. Skips where
/// it takes none.
[[nodiscard]] std::string taken_sample(player& one);

/// The answers to cut and to mangle: those that were recorded for this codec, else the
/// kit's own.
[[nodiscard]] std::vector<answer> answers_for(subject& s);

/// A codec reports at most one end, and nothing after it. `when` goes behind the complaint.
void judge_ends(subject& s, const recorder& heard, const std::string& when);

/// Lines in one, for messages; shortened.
[[nodiscard]] std::string shown(const std::vector<std::string>& lines);

}  // namespace inferbench::check
