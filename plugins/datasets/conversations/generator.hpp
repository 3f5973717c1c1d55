// Conversations made of texts, after a config. One generator, NumPy's default_rng of the run's
// seed, draws in this order: the turns of all conversations, the prefixes of all, the common
// prefix; then for each conversation the lengths of its prompts and those of its answers, one for
// each turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "generator_config.hpp"
#include "source.hpp"

namespace conversations {

class generator final : public source {
 public:
  /// Reads and encodes the texts and makes all draws. `path`: the config's, for messages;
  /// `most_turns` 0: all. Throws ifb::failure (option "path"), also if the texts are too short for
  /// the lengths that were drawn.
  generator(ifb::host host, const generator_config& config, const std::string& path,
            ifb::service::tokenizer tokenizer, std::uint64_t seed, std::size_t most_turns);

  [[nodiscard]] std::size_t size() const override { return plans_.size(); }
  [[nodiscard]] std::size_t turns(std::size_t i) const override {
    return kept_turns(most_turns_, plans_[i].turns);
  }
  [[nodiscard]] conversation make(std::size_t i) override;

 private:
  struct plan {
    std::uint64_t offset = 0;  // in the text, of its own part
    std::size_t first = 0;     // the first of its lengths
    std::uint32_t turns = 0;
    std::uint32_t prefix = 0;   // tokens
    std::uint32_t longest = 0;  // of its prompts
  };

  void draw(const generator_config& config, const std::string& path, std::uint64_t seed);
  void need(std::uint64_t tokens, const std::string& path, const std::string& who) const;
  void check(const std::string& path) const;
  [[nodiscard]] std::string lead_in(std::size_t i, std::size_t turn) const;
  [[nodiscard]] std::string user_text(std::size_t i, std::size_t turn) const;
  [[nodiscard]] std::string slice(std::uint64_t from, std::uint64_t count) const;
  [[nodiscard]] std::int64_t count(std::string_view text) const;

  ifb::service::tokenizer tokenizer_;
  std::size_t most_turns_;
  std::vector<std::uint32_t> text_;  // ids
  std::string common_;               // the text that all begin with
  std::uint64_t common_tokens_ = 0;  // of the text, taken for common_
  std::int64_t task_tokens_ = 0;
  std::vector<plan> plans_;
  std::vector<std::uint32_t> prompts_;  // lengths in tokens, a turn each
  std::vector<std::uint32_t> answers_;
  std::vector<std::uint32_t> counts_;  // of the messages made, 0: not made yet
};

}  // namespace conversations
