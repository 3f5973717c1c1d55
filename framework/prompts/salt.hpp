// A text in front of every prompt of a run (--salt), the same for all: prompts share among
// themselves what they shared before, and nothing with those of an earlier run that the server
// may still have in its prefix cache.
//
//   text          in front; behind the beginning token, where the text spells it out
//   with messages in front of what the first message says, where the rendered text has that
//   texts         in front of each
//   parts, chat   in the first text, or as a text of its own in front of other parts
//   tokens        the salt's tokens in front, behind those that the model adds
//
// Prompts that were made to a length keep it: as many of their first tokens go as the salt has,
// and what that changes is made good at their end. Others grow, and their input_tokens with them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dataset/sample.hpp"
#include "prompts/salt_text.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::prompts {

class salt {
 public:
  static constexpr std::size_t at_once = 64;  // prompts

  /// `tokens`: nullptr where the run has none; it must outlive this. `exact`: prompts were made to
  /// a length by it. `text` is not empty.
  salt(std::string text, const services::tokenizer* tokens, bool exact);

  /// Main thread, while no prompts are salted: from here on those of run `number`, from 1. The
  /// first is salted with the text as it was given, the others with "2-", "3-", ... before it.
  void begin(std::int64_t number);

  /// What prompts begin with now.
  [[nodiscard]] const std::string& text() const noexcept { return now_.text(); }

  /// Several are salted at the same time where tokens have to be counted. [feeding thread]
  void put_into(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// What begin() began left to tell: prompts that have another length than they were made to, by
  /// how much, and prompts that have no place for a salt. A line each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  void put_into(dataset::sample& one);
  [[nodiscard]] bool put_into_prompt(dataset::sample& one);
  [[nodiscard]] bool put_into_messages(dataset::sample& one, std::int64_t& grown) const;
  [[nodiscard]] bool put_into_parts(ifb_part_list& parts, base::arena& memory,
                                    std::int64_t& grown) const;
  [[nodiscard]] bool put_into_tokens(ifb_part& part, base::arena& memory,
                                     std::int64_t& grown) const;

  std::string given_;
  const services::tokenizer* tokens_;
  salt_text now_;
  std::atomic<std::uint64_t> prompts_ = 0;
  std::atomic<std::uint64_t> off_ = 0;      // that were to keep their length
  std::atomic<std::int64_t> most_off_ = 0;  // tokens, either way
  std::atomic<std::uint64_t> without_ = 0;
  std::atomic<std::uint64_t> behind_ = 0;  // what the server puts in front of them is unsalted
};

}  // namespace inferbench::prompts
