// Answers for a scorer: what a server may say, beside what a dataset may say about the right
// answer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

struct scorer_answer {
  struct field {
    const char* name;
    const char* value;
  };
  const char* name;  // for messages
  std::string text;
  std::vector<field> attributes;
};

/// All answers, ordinary and hostile. Valid as long as the program.
[[nodiscard]] std::span<const scorer_answer> scorer_answers();

/// A record of a request that succeeded with this answer.
[[nodiscard]] ifb_record* lend_answer(lent_memory& memory, const scorer_answer& what);

}  // namespace inferbench::check
