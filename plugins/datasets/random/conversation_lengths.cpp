#include "conversation_lengths.hpp"

#include <algorithm>
#include <cmath>

#include <inferbench/guard.hpp>

#include "datasets/synthetic/row_random.hpp"

namespace random_chat {

namespace {

[[noreturn]] void refuse_length(const std::string& problem, const char* option) {
  throw ifb::failure(IFB_E_CONFIG, problem, option);
}

std::string tokens(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " token" : " tokens");
}

std::string turns_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " turn" : " turns");
}

// The mean length of the first messages, without the special tokens of the model.
double mean_length(const synthetic::length& input, const synthetic::length_range& inputs,
                   std::int64_t special, std::uint64_t seed) {
  if (const auto plain = input.plain())
    return static_cast<double>(std::max<std::int64_t>(0, *plain - special));
  double sum = 0;
  for (std::uint64_t row = 0; row < synthetic::looked_at; ++row) {
    ifb::numpy_pcg64 random(synthetic::seed_of_row(seed, row));
    sum += inputs.draw(random);
  }
  return sum / static_cast<double>(synthetic::looked_at);
}

}  // namespace

conversation_lengths conversation_lengths::of(const conversation_options& chosen,
                                              const given_lengths& given, std::int64_t special,
                                              std::uint64_t seed) {
  using synthetic::length_range;
  const auto per_turn = synthetic::length::parse(chosen.per_turn_input_len, "per-turn-input-len");
  const bool same = per_turn.plain() == 0;
  const length_range inputs = length_range::of_inputs(given.input, special, given.ratio.input);
  conversation_lengths out(
      {inputs, length_range::of_outputs(given.output, given.ratio.output),
       length_range::of(given.prefix)},
      length_range::of_inputs(same ? given.input : per_turn, chosen.separate_turns() ? special : 0,
                              given.ratio.input));
  out.prefixed_ = given.prefix.plain() != 0;
  out.set_turns(chosen);
  if (out.first_.prefixes.least() + inputs.least() < 1)
    refuse_length("a first message may come out empty: " + given.input.text() + " tokens less " +
                      std::to_string(special) +
                      " that the model adds, less the range ratio, leaves none; ask for longer "
                      "messages",
                  "input-len");
  if (chosen.separate_turns()) {
    out.set_prefixes(chosen, mean_length(given.input, inputs, special, seed));
  } else if (out.later_.least() < 1 && out.most_turns_ > 1) {
    refuse_length(
        "a message after the first may come out empty: " + (same ? given.input : per_turn).text() +
            " tokens, less the range ratio, leaves none; ask for longer messages",
        same ? "input-len" : "per-turn-input-len");
  }
  return out;
}

void conversation_lengths::set_turns(const conversation_options& chosen) {
  least_turns_ = chosen.min_turns != 0 ? chosen.min_turns : chosen.num_turns;
  most_turns_ = chosen.max_turns != 0 ? chosen.max_turns : chosen.num_turns;
  if (least_turns_ <= most_turns_) return;
  if (chosen.min_turns != 0)
    refuse_length(turns_text(least_turns_) + " are more than the " + std::to_string(most_turns_) +
                      " of --multi-turn-" + (chosen.max_turns != 0 ? "max" : "num") +
                      "-turns; ask for fewer, or raise the other number",
                  "multi-turn-min-turns");
  refuse_length(
      turns_text(most_turns_) + (most_turns_ == 1 ? " is" : " are") + " fewer than the " +
          std::to_string(least_turns_) +
          " of --multi-turn-num-turns; lower that number, or give --multi-turn-min-turns, too",
      "multi-turn-max-turns");
}

void conversation_lengths::set_prefixes(const conversation_options& chosen, double mean) {
  separate_ = true;
  const char* const option = chosen.conversation_ratio > 0 ? "multi-turn-prefix-conversation-ratio"
                                                           : "multi-turn-prefix-global-ratio";
  if (chosen.global_ratio + chosen.conversation_ratio > 1)
    refuse_length(
        "the global ratio and the conversation ratio are above 1 together: the beginnings are "
        "longer than the message; lower one of the ratios",
        option);
  global_prefix_ = static_cast<std::uint32_t>(std::floor(mean * chosen.global_ratio));
  own_prefix_ = static_cast<std::uint32_t>(std::floor(mean * chosen.conversation_ratio));
  const std::int64_t both = std::int64_t{global_prefix_} + own_prefix_;
  const std::string beginnings = "the " + tokens(global_prefix_) +
                                 " that all conversations have in common and the " +
                                 std::to_string(own_prefix_) + " of its conversation";
  if (first_.inputs.least() <= both)
    refuse_length("a first message of " + tokens(first_.inputs.least()) +
                      " has no token of its own after " + beginnings + "; lower the ratios",
                  option);
  if (later_.least() <= both && most_turns_ > 1)
    refuse_length("a message of " + tokens(later_.least()) +
                      " after the first has no token of its own after " + beginnings +
                      "; ask for at least " + tokens(both + 1) +
                      " after the range ratio, or lower the ratios",
                  "per-turn-input-len");
  const std::uint32_t global = global_prefix_;
  const std::uint32_t own = own_prefix_;
  first_.adapt = [global, own](synthetic::draw& each) {
    each.prefix += global;
    each.input -= global + own;
  };
}

std::int64_t conversation_lengths::draw_turns(ifb::numpy_pcg64& random) const {
  return random.integer(least_turns_, most_turns_ + 1);
}

synthetic::draw conversation_lengths::draw_later(ifb::numpy_pcg64& random,
                                                 std::int64_t vocabulary) const {
  synthetic::draw out;
  out.input = later_.draw(random) - global_prefix_ - own_prefix_;
  out.output = first_.outputs.draw(random);
  out.offset = static_cast<std::uint32_t>(random.integer(0, vocabulary));
  return out;
}

std::string conversation_lengths::text() const {
  std::string out = "conversations of ";
  if (least_turns_ != most_turns_) out += std::to_string(least_turns_) + " to ";
  out += turns_text(most_turns_) + ", first messages of " + first_.inputs.text() + " tokens";
  const std::string prefix = " after a prefix of " + first_.prefixes.text();
  if (prefixed_) out += prefix;
  out += ", later messages of " + later_.text();
  if (prefixed_ && separate_) out += prefix;
  out += ", answers of " + first_.outputs.text();
  if (separate_)
    out += "; each turn is sent alone, and begins with " + tokens(global_prefix_) +
           " of all conversations and " + std::to_string(own_prefix_) + " of its conversation";
  return out;
}

}  // namespace random_chat
