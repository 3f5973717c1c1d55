#include "random_prefix.hpp"

#include <cstddef>

#include <inferbench/random.hpp>

#include "datasets/synthetic/tokenizer.hpp"

namespace structured {

random_prefix::random_prefix(const ifb::service::tokenizer& tokenizer, std::int64_t length,
                             std::uint64_t seed)
    : tokenizer_(tokenizer), ids_(static_cast<std::size_t>(length)) {
  const auto words = synthetic::vocabulary_of(tokenizer);
  const auto allowed = words.unmarked(words.size);
  ifb::numpy_pcg64 random(seed);
  for (std::uint32_t& id : ids_)
    id = allowed[static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(allowed.size())))];
}

std::string random_prefix::text() const { return tokenizer_.decode(ids_); }

std::string random_prefix::in_front_of(std::string_view prompt) const {
  auto ids = ids_;
  const auto more = tokenizer_.encode(prompt);
  ids.insert(ids.end(), more.begin(), more.end());
  return tokenizer_.decode(ids);
}

}  // namespace structured
