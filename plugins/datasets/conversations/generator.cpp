#include "generator.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <inferbench/guard.hpp>

#include "datasets/synthetic/text.hpp"

namespace conversations {

namespace {

constexpr std::string_view task =
    "\nRetell the text that follows in your own words, and go on with it from where it ends: ";

constexpr std::size_t most_in_all = 100'000'000;  // turns of all conversations, of 12 bytes each

}  // namespace

generator::generator(ifb::host host, const generator_config& config, const std::string& path,
                     ifb::service::tokenizer tokenizer, std::uint64_t seed, std::size_t most_turns)
    : tokenizer_(tokenizer), most_turns_(most_turns), task_tokens_(count(task)) {
  for (const std::string& file : config.texts) {
    host.progress().report("encoding " + file, 0);
    const auto ids = tokenizer_.encode(synthetic::read_text(file));
    text_.insert(text_.end(), ids.begin(), ids.end());
  }
  draw(config, path, seed);
  need(common_tokens_, path, "the common prefix");
  // The added full stop is one more token, and the following text may join with it to one token.
  if (common_tokens_ > 0)
    common_ = slice(0, common_tokens_ - std::min<std::uint64_t>(common_tokens_, 2)) + ".";
  check(path);
}

void generator::draw(const generator_config& config, const std::string& path, std::uint64_t seed) {
  ifb::numpy_pcg64 random(seed);
  auto turns = config.turns.draw(random, config.count);
  std::size_t all = 0;
  for (std::uint32_t& each : turns) {
    each = std::max(each, 2U);
    each += each % 2;
    all += each;
  }
  if (all > most_in_all)
    throw ifb::failure(IFB_E_CONFIG,
                       path + ": prompt_input.num_turns: more than " + std::to_string(most_in_all) +
                           " turns in all conversations together",
                       "path");
  const auto prefixes = config.prefix.draw(random, config.count);
  common_tokens_ = config.common_prefix.draw(random, 1).front();
  std::uint64_t offset = common_tokens_;
  plans_.resize(config.count);
  for (std::size_t i = 0; i < config.count; ++i) {
    plan& one = plans_[i];
    one.turns = turns[i];
    one.prefix = prefixes[i];
    one.offset = offset;
    one.first = prompts_.size();
    for (const std::uint32_t each : config.user.draw(random, one.turns)) {
      prompts_.push_back(std::max(each, static_cast<std::uint32_t>(task_tokens_)));
      one.longest = std::max(one.longest, prompts_.back());
    }
    for (const std::uint32_t each : config.answer.draw(random, one.turns))
      answers_.push_back(std::max(each, 1U));
    offset += one.prefix + one.turns;
  }
  counts_.resize(prompts_.size());
}

void generator::need(std::uint64_t tokens, const std::string& path, const std::string& who) const {
  if (tokens <= text_.size()) return;
  throw ifb::failure(IFB_E_DATA,
                     path + ": text_files: the texts have " + std::to_string(text_.size()) +
                         " tokens, and " + who + " needs " + std::to_string(tokens) +
                         "; add texts, or ask for fewer conversations or shorter prompts",
                     "path");
}

// Checked before the first request, because conversations are generated during the run. A lead-in
// shortens the last slice; lead-ins are encoded only if the result depends on them.
void generator::check(const std::string& path) const {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const plan& one = plans_[i];
    const std::uint64_t begin = one.offset + one.prefix;
    const std::string who = "CONV_ID_" + std::to_string(i);
    need(begin, path, who);
    for (std::size_t turn = 0; turn < turns(i); ++turn) {
      if (turn % 2 != 0) {
        need(answers_[one.first + turn], path, who);
        continue;
      }
      std::int64_t left = prompts_[one.first + turn] - task_tokens_;
      const std::uint64_t from = begin + turn * one.longest;
      if (left > 0 && from + static_cast<std::uint64_t>(left) > text_.size())
        left -= count(lead_in(i, turn));
      if (left > 0) need(from + static_cast<std::uint64_t>(left), path, who);
    }
  }
}

std::string generator::lead_in(std::size_t i, std::size_t turn) const {
  return (turn == 0 ? common_ : "") + std::to_string(i) + " is the number of this conversation.\n";
}

std::string generator::user_text(std::size_t i, std::size_t turn) const {
  const plan& one = plans_[i];
  std::string out = lead_in(i, turn);
  const std::int64_t left = prompts_[one.first + turn] - task_tokens_ - count(out);
  if (turn == 0 && one.prefix > 0) out += std::to_string(i) + ", " + slice(one.offset, one.prefix);
  out += task;
  if (left > 0)
    out += slice(one.offset + one.prefix + turn * one.longest, static_cast<std::uint64_t>(left));
  return out;
}

conversation generator::make(std::size_t i) {
  conversation out;
  out.id = "CONV_ID_" + std::to_string(i);
  const plan& one = plans_[i];
  const std::size_t kept = turns(i);
  out.messages.resize(kept);
  for (std::size_t turn = 0; turn < kept; ++turn) {
    message& said = out.messages[turn];
    const bool user = turn % 2 == 0;
    said.role = user ? "user" : "assistant";
    said.text = user ? user_text(i, turn) : slice(0, answers_[one.first + turn]);
    std::uint32_t& known = counts_[one.first + turn];
    if (known == 0) known = static_cast<std::uint32_t>(count(said.text));
    said.tokens = known;
  }
  return out;
}

std::string generator::slice(std::uint64_t from, std::uint64_t count) const {
  return tokenizer_.decode(
      std::span(text_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count)));
}

std::int64_t generator::count(std::string_view text) const {
  return static_cast<std::int64_t>(tokenizer_.count(text));
}

}  // namespace conversations
