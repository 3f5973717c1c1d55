// A short life of an instance: each function of its kind is called, with lent inputs. Tests of the
// host's behaviour, which apply to every kind of plugin, compare the results.
#pragma once

#include <string>
#include <vector>

#include "check/instance_under_test.hpp"

namespace inferbench::check {

struct effort {
  lending memory{};
  bool judging = false;  // report mistakes in refusals, see judge_refusal()
  std::uint64_t seed = 0;
  /// Whether the results contain the reasons of an engine's failures. A reason may contain a time
  /// or a port, so it may differ between two runs.
  bool reasons = false;
  /// open and request of a codec are called on another thread than the other calls.
  bool elsewhere = false;
};

/// The answers of the plugin as lines. Empty for kinds and interfaces that the kit does not know.
/// Skips the test by throwing too_slow if an engine takes too long.
[[nodiscard]] std::vector<std::string> exercise(subject& s, instance_under_test& instance,
                                                const effort& how = {});

/// The answers of a new instance on an ordinary host, all of whose calls one thread makes. Skips
/// the test if create refuses.
[[nodiscard]] std::vector<std::string> ordinary_answers(subject& s);

// One function for each kind. `how`: like in exercise().
[[nodiscard]] std::vector<std::string> exercise_codec(subject& s, instance_under_test& instance,
                                                      const effort& how);
[[nodiscard]] std::vector<std::string> exercise_engine(subject& s, instance_under_test& instance,
                                                       const effort& how);
/// For an engine of the draft inferbench.batch-engine. One thread at a time.
[[nodiscard]] std::vector<std::string> exercise_batches(subject& s, instance_under_test& instance,
                                                        const effort& how);
[[nodiscard]] std::vector<std::string> exercise_dataset(subject& s, instance_under_test& instance,
                                                        const effort& how);
[[nodiscard]] std::vector<std::string> exercise_reporter(subject& s, instance_under_test& instance,
                                                         const effort& how);
/// For an instance that is used as a reporter of several runs.
[[nodiscard]] std::vector<std::string> exercise_table(subject& s, instance_under_test& instance,
                                                      const effort& how);
[[nodiscard]] std::vector<std::string> exercise_tokenizer(subject& s, instance_under_test& instance,
                                                          const effort& how);

[[nodiscard]] std::vector<std::string> exercise_scorer(subject& s, instance_under_test& instance,
                                                       const effort& how);

/// A text for messages that shows the first line in which `expected` and `found` differ; empty if
/// they are equal.
[[nodiscard]] std::string difference(const std::vector<std::string>& expected,
                                     const std::vector<std::string>& found);

}  // namespace inferbench::check
