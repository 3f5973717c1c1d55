// Tests of scorers: an answer has a score from 0 to 1, or none, and always the same.
#include <string>

#include "check/exercise.hpp"
#include "check/host.hpp"
#include "check/instance_under_test.hpp"
#include "check/test.hpp"

namespace inferbench::check {

void check_scores(subject& s) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  const auto first = exercise(s, instance, {.judging = true});
  const auto again = exercise(s, instance);
  if (const std::string found = difference(first, again); !found.empty())
    s.fail("an answer that is scored again has another score: " + found,
           "let a score depend on the record and the options alone");
  if (!first.empty() && first.size() < 2)
    s.warn("no answer but the first was scored, because the scorer failed",
           "answer with IFB_SKIP if nothing says what is right");
}

}  // namespace inferbench::check
