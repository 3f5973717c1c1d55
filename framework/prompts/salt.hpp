// Puts the same text in front of every prompt of a run (--salt). Prompts of the run still have
// common beginnings with each other. But they have no common beginning with prompts of an earlier
// run, which the server may still have in its prefix cache.
//
// The place of the salt depends on the kind of the prompt:
//   text            at the start, but after the beginning token if the text starts with it
//   text of a chat  before the first message's text, if the rendered text contains that text
//   several texts   at the start of each text
//   parts, chat     before the first text; if another part comes first, as a new text before it
//   token ids       the salt's tokens at the start, but after the tokens that the model adds
//
// A prompt that was generated with a wanted length keeps its length. As many of its first tokens
// are removed as the salt has, and the remaining difference is corrected at its end. Other prompts
// become longer, and their input_tokens grow, too.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dataset/sample.hpp"
#include "prompts/salt_text.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::prompts {

class salt {
 public:
  static constexpr std::size_t at_once = 64;  // the best number of prompts for one call of
                                              // put_into()

  /// `text` must not be empty. `tokens` must outlive this object; it is nullptr if the run has no
  /// tokenizer. `exact`: the tokenizer generated the prompts with a wanted length.
  salt(std::string text, const services::tokenizer* tokens, bool exact);

  /// Begins run `number`, counted from 1. The salt of the first run is the given text. Later runs
  /// have "2-", "3-", ... before the text. Called on the main thread, while no prompts are being
  /// salted.
  void begin(std::int64_t number);

  /// The current salt.
  [[nodiscard]] const std::string& text() const noexcept { return now_.text(); }

  /// Salts the prompts. Uses several threads if tokens have to be counted. [feeding thread]
  void put_into(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// Notes about the run since begin(), one line each. They report the prompts whose length has
  /// changed but should not have, and the largest change. They also report the prompts without a
  /// place for the salt, and the prompts with text before the salt.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  void put_into(dataset::sample& one);
  [[nodiscard]] bool put_into_prompt(dataset::sample& one);
  [[nodiscard]] std::optional<bool> put_into_message(ifb_message& message, base::arena& memory,
                                                     std::int64_t& grown) const;
  [[nodiscard]] bool put_into_messages(dataset::sample& one, std::int64_t& grown) const;
  [[nodiscard]] bool put_into_parts(ifb_part_list& parts, base::arena& memory,
                                    std::int64_t& grown) const;
  [[nodiscard]] bool put_into_tokens(ifb_part& part, base::arena& memory,
                                     std::int64_t& grown) const;

  std::string given_;
  const services::tokenizer* tokens_;
  salt_text now_;
  std::atomic<std::uint64_t> prompts_ = 0;
  std::atomic<std::uint64_t> off_ = 0;      // prompts that could not keep their length
  std::atomic<std::int64_t> most_off_ = 0;  // the largest change of a length, in tokens
  std::atomic<std::uint64_t> without_ = 0;
  std::atomic<std::uint64_t> behind_ = 0;  // prompts with text that the server puts before the salt
};

}  // namespace inferbench::prompts
