// The structure that a request demands of its answer, in the forms of vLLM and of OpenAI:
// `structured_outputs`, the older `guided_json`, `guided_regex`, `guided_choice` and
// `guided_grammar`, and `response_format`. Also the answers that satisfy it and that do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/body_reader.hpp"

namespace inferbench::simulator {

enum class structure_kind : std::uint8_t { none, json, regex, choice, grammar };

struct demanded_structure {
  structure_kind kind = structure_kind::none;
  // Empty if the simulator cannot make answers of this structure: every grammar, and what
  // sample_pattern.hpp and schema_instance.hpp do not support.
  std::optional<std::string> right;
  // Two wrong answers for JSON: a text that is cut, and JSON that the schema refuses. For choice
  // and regex both are the same. nullopt: there is no such answer.
  std::optional<std::string> cut;
  std::optional<std::string> refused;
};

/// Reads the structure from the members of a body. Refuses members of wrong types, more than one
/// structure, an empty choice, and a schema that is a text but no JSON.
[[nodiscard]] demanded_structure read_structure(body_reader& body);

/// Decides which answers are wrong: of the first n answers, the whole part of n * share. The first
/// wrong answer is cut, the second is refused by the schema, and so on in turn. One thread.
class wrong_answers {
 public:
  /// `share`: from 0 to 1.
  explicit wrong_answers(double share) noexcept : share_(share) {}

  enum class kind : std::uint8_t { right, cut, refused };
  [[nodiscard]] kind next() noexcept;

 private:
  double share_;
  std::uint64_t asked_ = 0;
  std::uint64_t wrong_ = 0;
};

/// The numbers of answers by what they are, for /metrics.
struct structure_totals {
  std::uint64_t right = 0;
  std::uint64_t wrong = 0;        // by --wrong-structure
  std::uint64_t limited = 0;      // right, but cut off by max_tokens
  std::uint64_t unsupported = 0;  // ordinary words
};

}  // namespace inferbench::simulator
