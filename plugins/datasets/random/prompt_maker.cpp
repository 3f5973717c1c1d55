#include "prompt_maker.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace {

constexpr int most_adjustments = 10;
// Far above any real one; what is larger is a broken tokenizer.
constexpr std::uint64_t largest_vocabulary = std::uint64_t{1} << 28U;

// The one tokenizer that can be told how large its vocabulary is.
const char* size_flag(std::string_view tokenizer) {
  return tokenizer == "server" ? ", or give --server-vocab-size N" : "";
}

}  // namespace

prompt_maker::prompt_maker(ifb::service::tokenizer tokenizer) : tokenizer_(tokenizer) {
  ifb_vocabulary words{};
  try {
    words = tokenizer_.vocabulary();
  } catch (const ifb::failure&) {
    words.size = 0;
  }
  if (words.size == 0 || words.size > largest_vocabulary)
    throw ifb::failure(IFB_E_CONFIG, std::string("the tokenizer ") + tokenizer_.name() +
                                         " has no vocabulary to draw prompts from; choose "
                                         "another one with --tokenizer-mode, such as bytes" +
                                         size_flag(tokenizer_.name()));
  vocabulary_ = static_cast<std::int64_t>(words.size);
  special_ = words.added;
  const std::span named(words.special_ids, words.special_id_count);
  allowed_.reserve(words.size);
  for (std::uint32_t id = 0; id < words.size; ++id)
    if (!std::ranges::binary_search(named, id)) allowed_.push_back(id);
  if (allowed_.empty())
    throw ifb::failure(IFB_E_CONFIG, std::string("the tokenizer ") + tokenizer_.name() +
                                         " has special tokens only");
}

fitted prompt_maker::fit(std::vector<std::uint32_t> ids, std::size_t target,
                         ifb::numpy_pcg64& random) const {
  for (int adjustments = 0;; ++adjustments) {
    std::string text = tokenizer_.decode(ids);
    ids = tokenizer_.encode(text);
    if (ids.size() == target || adjustments == most_adjustments) {
      const auto mismatch =
          static_cast<std::int64_t>(ids.size()) - static_cast<std::int64_t>(target);
      return {std::move(text), std::move(ids), mismatch};
    }
    const std::size_t have = ids.size();
    ids.resize(target);
    for (std::size_t i = have; i < target; ++i)
      ids[i] = static_cast<std::uint32_t>(random.integer(0, vocabulary_));
  }
}

std::vector<std::uint32_t> prompt_maker::run(std::span<const std::uint32_t> prefix,
                                             std::uint64_t start, std::size_t count) const {
  std::vector<std::uint32_t> out(prefix.begin(), prefix.end());
  out.reserve(prefix.size() + count);
  // In stretches up to the end of the list, where it begins anew.
  auto from = allowed_.begin() + static_cast<std::ptrdiff_t>(start % allowed_.size());
  while (count != 0) {
    const auto stretch =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count), allowed_.end() - from);
    out.insert(out.end(), from, from + stretch);
    count -= static_cast<std::size_t>(stretch);
    from = allowed_.begin();
  }
  return out;
}
