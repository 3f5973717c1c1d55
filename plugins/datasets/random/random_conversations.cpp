#include "random_conversations.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <inferbench/views.hpp>

#include "datasets/synthetic/endless_prompts.hpp"
#include "datasets/synthetic/prefixes.hpp"
#include "datasets/synthetic/row_random.hpp"

namespace random_chat {

namespace {

// The number of texts that are made for one message before it may be equal to an earlier one. Ids
// that are no complete character have the same text, so many neighbouring ids may be equal.
constexpr std::uint64_t most_attempts = 300;

auto padding_from(ifb::numpy_pcg64& random) {
  return [&random](std::int64_t n) { return random.integer(0, n); };
}

}  // namespace

random_conversations::random_conversations(ifb::host host, const synthetic::prompt_maker& maker,
                                           std::vector<std::uint32_t> allowed,
                                           conversation_lengths lengths, std::int64_t wanted,
                                           std::uint64_t seed)
    : host_(host),
      maker_(maker),
      lengths_(std::move(lengths)),
      wanted_(std::max<std::int64_t>(wanted, 0)),
      seed_(seed) {
  style_.allowed = std::move(allowed);
  synthetic::draw_endless_prefix(host_, maker_, lengths_.first(), seed_, style_);
  const auto rows = static_cast<std::uint64_t>(wanted_);
  wrong_.expect(rows == 0 ? synthetic::looked_at : std::min(rows, synthetic::looked_at));
}

ifb_dataset_info random_conversations::info() const noexcept {
  return ifb::dataset_info(wanted_ > 0 ? wanted_ : -1, IFB_DATASET_SESSIONS | IFB_DATASET_PARALLEL);
}

ifb::row_result random_conversations::read(std::uint64_t row, ifb::arena memory,
                                           ifb_sample& out) const {
  if (wanted_ > 0 && row >= static_cast<std::uint64_t>(wanted_)) return ifb::row_result::end();
  ifb::numpy_pcg64 random(synthetic::seed_of_row(seed_, row));
  const std::int64_t vocabulary = maker_.vocabulary();
  std::vector<synthetic::draw> turns{synthetic::draw_one(random, lengths_.first(), vocabulary)};
  for (std::int64_t more = lengths_.draw_turns(random) - 1; more > 0; --more)
    turns.push_back(lengths_.draw_later(random, vocabulary));

  // The lengths were asked for, and the beginnings may differ from them.
  std::size_t begins = std::min(turns[0].prefix, style_.longest_prefix);
  std::vector<std::uint32_t> beginning = style_.beginning;
  if (begins < style_.longest_prefix) beginning.resize(std::min(begins, beginning.size()));
  if (lengths_.own_prefix() != 0) {
    begins += lengths_.own_prefix();
    beginning = with_own_prefix(beginning, begins, random);
  }

  const auto messages = memory.array<ifb_message>(2 * turns.size());
  const auto no_text = memory.array<ifb_part>(1);
  no_text[0] = ifb::text_part("");
  std::vector<std::string> texts;
  std::int64_t mismatch = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    synthetic::fit_result said =
        message_after(beginning, begins + turns[i].input, turns[i], texts, random);
    mismatch += said.mismatch;
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(memory.copy(said.text));
    messages[2 * i] =
        ifb::message("user", ifb::list_of(parts), static_cast<std::int64_t>(said.ids.size()));
    messages[2 * i + 1] = ifb::message("assistant", ifb::list_of(no_text), turns[i].output);
    texts.push_back(std::move(said.text));
    if (i == 0 && !lengths_.separate()) {
      begins = 0;
      beginning.clear();
    }
  }
  if (const std::string text = wrong_.add(row, mismatch); !text.empty()) host_.warn(text);
  out.shape = IFB_PROMPT_CHAT;
  out.messages = ifb::list_of(messages);
  if (lengths_.separate()) {
    const auto metadata = memory.array<ifb_field>(1);
    metadata[0] = ifb::field("conversation.history", "none");
    out.metadata = metadata.data();
    out.metadata_count = metadata.size();
  }
  return ifb::row_result::ok();
}

synthetic::fit_result random_conversations::message_after(std::span<const std::uint32_t> beginning,
                                                          std::size_t target,
                                                          const synthetic::draw& turn,
                                                          std::span<const std::string> earlier,
                                                          ifb::numpy_pcg64& random) const {
  const std::uint64_t attempts = std::min<std::uint64_t>(style_.allowed.size(), most_attempts);
  for (std::uint64_t attempt = 0;; ++attempt) {
    synthetic::fit_result out =
        maker_.fit(synthetic::id_run(beginning, style_.allowed, turn.offset + attempt, turn.input),
                   target, padding_from(random));
    if (attempt + 1 >= attempts || std::ranges::find(earlier, out.text) == earlier.end())
      return out;
  }
}

std::vector<std::uint32_t> random_conversations::with_own_prefix(
    std::span<const std::uint32_t> global, std::size_t target, ifb::numpy_pcg64& random) const {
  std::vector<std::uint32_t> ids(global.begin(), global.end());
  const auto count = static_cast<std::int64_t>(style_.allowed.size());
  for (std::uint32_t i = 0; i < lengths_.own_prefix(); ++i)
    ids.push_back(style_.allowed[static_cast<std::size_t>(random.integer(0, count))]);
  return maker_.fit(std::move(ids), target, padding_from(random)).ids;
}

}  // namespace random_chat
