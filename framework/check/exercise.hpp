// A short life of a plugin: every call that its kind has, once, with lent inputs. Tests that are
// about the host and not about one kind compare the results.
#pragma once

#include <string>
#include <vector>

#include "check/instance_under_test.hpp"

namespace inferbench::check {

struct effort {
  lending memory{};
  bool judging = false;  // say what is wrong with refusals
  std::uint64_t seed = 0;
  /// With the reasons of an engine's failures, which may contain a time or a port.
  bool reasons = false;
};

/// The answers of the plugin, line by line. Kinds and interfaces that the kit does not know
/// yield nothing. Skips (too_slow) where an engine takes too long.
[[nodiscard]] std::vector<std::string> exercise(subject& s, instance_under_test& instance,
                                                const effort& how = {});

// One function for each kind; `how` as above.
[[nodiscard]] std::vector<std::string> exercise_codec(subject& s, instance_under_test& instance,
                                                      const effort& how);
[[nodiscard]] std::vector<std::string> exercise_engine(subject& s, instance_under_test& instance,
                                                       const effort& how);
[[nodiscard]] std::vector<std::string> exercise_dataset(subject& s, instance_under_test& instance,
                                                        const effort& how);
[[nodiscard]] std::vector<std::string> exercise_reporter(subject& s, instance_under_test& instance,
                                                         const effort& how);
[[nodiscard]] std::vector<std::string> exercise_tokenizer(subject& s, instance_under_test& instance,
                                                          const effort& how);

/// The first line in which the two differ, for messages; empty when they do not.
[[nodiscard]] std::string difference(const std::vector<std::string>& expected,
                                     const std::vector<std::string>& found);

}  // namespace inferbench::check
