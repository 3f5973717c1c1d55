#include "tokenizer.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include <inferbench/guard.hpp>

namespace synthetic {

namespace {

// This limit is far above any real vocabulary: a tokenizer with a larger vocabulary is broken.
constexpr std::uint64_t largest_vocabulary = std::uint64_t{1} << 28U;

}  // namespace

ifb::service::tokenizer tokenizer_of(ifb::host host) {
  const auto out = host.find_tokenizer();
  if (!out)
    throw ifb::failure(IFB_E_CONFIG,
                       "prompts of a given length need a tokenizer; choose one with "
                       "--tokenizer-mode");
  return *out;
}

vocabulary vocabulary_of(const ifb::service::tokenizer& tokenizer) {
  ifb_vocabulary words{};
  try {
    words = tokenizer.vocabulary();
  } catch (const ifb::failure&) {
    words.size = 0;
  }
  const std::string_view name = tokenizer.name();
  if (words.size == 0 || words.size > largest_vocabulary)
    throw ifb::failure(IFB_E_CONFIG,
                       "the tokenizer " + std::string(name) +
                           " has no vocabulary to draw prompts from; choose another one with "
                           "--tokenizer-mode, such as bytes" +
                           // Only this tokenizer has an option for the size of its vocabulary.
                           (name == "server" ? ", or give --server-vocab-size N" : ""));
  vocabulary out;
  out.size = static_cast<std::int64_t>(words.size);
  out.total =
      static_cast<std::int64_t>(std::clamp(words.total_size, words.size, largest_vocabulary));
  out.special = words.added;
  const std::span named(words.special_ids, words.special_id_count);
  out.special_ids.assign(named.begin(), named.end());
  const std::span marked(words.skipped_ids, words.skipped_id_count);
  std::ranges::set_union(named, marked, std::back_inserter(out.marked_ids));
  if (words.digest != nullptr) out.digest = words.digest;
  out.tokenizer = name;
  return out;
}

std::vector<std::uint32_t> vocabulary::allowed(std::int64_t end) const {
  return ids_without(special_ids, end);
}

std::vector<std::uint32_t> vocabulary::unmarked(std::int64_t end) const {
  return ids_without(marked_ids, end);
}

std::vector<std::uint32_t> vocabulary::ids_without(std::span<const std::uint32_t> left_out,
                                                   std::int64_t end) const {
  std::vector<std::uint32_t> out;
  out.reserve(static_cast<std::size_t>(end));
  for (std::uint32_t id = 0; id < end; ++id)
    if (!std::ranges::binary_search(left_out, id)) out.push_back(id);
  if (out.empty())
    throw ifb::failure(IFB_E_CONFIG, "the tokenizer " + tokenizer + " has special tokens only");
  return out;
}

}  // namespace synthetic
