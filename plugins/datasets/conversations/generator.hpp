// Conversations that are generated from texts and a config. One generator, NumPy's default_rng with
// the run's seed, draws in this order: the turns of all conversations, the prefixes of all
// conversations, the common prefix. Then it draws for each conversation the lengths of its prompts
// and the lengths of its answers, one length for each turn.
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
  /// Reads and encodes the texts and makes all draws. `path` is the path of the config, for
  /// messages. `most_turns` is the maximum number of messages per conversation; 0: no limit. Throws
  /// ifb::failure (option "path"), also if the texts are too short for the lengths that were drawn.
  generator(ifb::host host, const generator_config& config, const std::string& path,
            ifb::service::tokenizer tokenizer, std::uint64_t seed, std::size_t most_turns);

  [[nodiscard]] std::size_t size() const override { return plans_.size(); }
  [[nodiscard]] std::size_t turns(std::size_t i) const override {
    return kept_turns(most_turns_, plans_[i].turns);
  }
  [[nodiscard]] conversation make(std::size_t i) override;

 private:
  struct plan {
    std::uint64_t offset = 0;  // where its own part begins in the text, in tokens
    std::size_t first = 0;     // index of the first of its lengths
    std::uint32_t turns = 0;
    std::uint32_t prefix = 0;   // length in tokens
    std::uint32_t longest = 0;  // length of its longest prompt in tokens
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
  std::vector<std::uint32_t> text_;  // token ids of all texts
  std::string common_;               // the text with which all conversations begin
  std::uint64_t common_tokens_ = 0;  // tokens of the text that are used for common_
  std::int64_t task_tokens_ = 0;
  std::vector<plan> plans_;
  std::vector<std::uint32_t> prompts_;  // lengths in tokens, one for each turn
  std::vector<std::uint32_t> answers_;
  std::vector<std::uint32_t> counts_;  // tokens of each generated message; 0: not counted yet
};

}  // namespace conversations
