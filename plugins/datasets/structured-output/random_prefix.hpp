// The random tokens before every prompt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

namespace structured {

/// Tokens that all prompts of a run begin with, drawn from the ids that are not special. Any
/// thread.
class random_prefix {
 public:
  /// Throws ifb::failure (IFB_E_CONFIG) if the tokenizer does not have a vocabulary.
  random_prefix(const ifb::service::tokenizer& tokenizer, std::int64_t length, std::uint64_t seed);

  /// Returns the text of the tokens.
  [[nodiscard]] std::string text() const;
  /// Returns the text of the tokens, followed by the tokens of `prompt`. The text may have a few
  /// tokens more or fewer if it is encoded again. Throws the errors of the tokenizer.
  [[nodiscard]] std::string in_front_of(std::string_view prompt) const;

 private:
  ifb::service::tokenizer tokenizer_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace structured
