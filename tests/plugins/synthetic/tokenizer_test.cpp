#include "datasets/synthetic/tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/datasets/tokenizers.hpp"

namespace synthetic {
namespace {

using ::testing::ElementsAre;

vocabulary words_of(support::number_tokenizer& tokenizer) {
  support::host given;
  tokenizer.offer(given);
  return vocabulary_of(tokenizer_of(ifb::host(given.table())));
}

TEST(vocabulary, marked_ids_include_the_special_ids_of_the_configuration) {
  support::number_tokenizer tokenizer;
  tokenizer.size = 8;
  tokenizer.special = {2, 5};
  tokenizer.skipped = {2, 3, 5, 7};
  const vocabulary words = words_of(tokenizer);
  EXPECT_THAT(words.allowed(8), ElementsAre(0, 1, 3, 4, 6, 7));
  EXPECT_THAT(words.unmarked(8), ElementsAre(0, 1, 4, 6));
}

TEST(vocabulary, of_a_tokenizer_that_marks_nothing_leaves_out_the_special_ids) {
  support::number_tokenizer tokenizer;
  tokenizer.size = 4;
  tokenizer.special = {1};
  EXPECT_THAT(words_of(tokenizer).unmarked(4), ElementsAre(0, 2, 3));
}

TEST(vocabulary, without_any_unmarked_id_is_refused) {
  support::number_tokenizer tokenizer;
  tokenizer.size = 2;
  tokenizer.skipped = {0, 1};
  const vocabulary words = words_of(tokenizer);
  EXPECT_THAT(words.allowed(2), ElementsAre(0, 1));
  EXPECT_THROW((void)words.unmarked(2), ifb::failure);
}

}  // namespace
}  // namespace synthetic
