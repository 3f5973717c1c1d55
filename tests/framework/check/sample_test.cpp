#include "check/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "dataset/shape.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

TEST(sample, of_each_shape_is_valid_for_the_host) {
  for (const named_sample& shape : all_shapes())
    for (const lending& how :
         {lending{}, lending{.pages = true}, lending{.tail = 64, .filling = 0xA5}}) {
      lent_memory memory(how);
      const ifb_sample* const sample = lend_sample(memory, shape.json);
      EXPECT_EQ(dataset::wrong_with(*sample), nullptr) << shape.name;
    }
}

TEST(sample, looks_the_same_at_any_address) {
  for (const named_sample& shape : all_shapes()) {
    lent_memory plain;
    lent_memory longer({.tail = 64, .filling = 0xA5});
    EXPECT_EQ(text_of(*lend_sample(plain, shape.json)), text_of(*lend_sample(longer, shape.json)));
  }
}

TEST(sample, as_text_holds_all_that_it_has) {
  lent_memory memory;
  const std::string text = text_of(*lend_sample(memory, R"({"shape": "parts", "prompt": ["a",
    {"kind": "image", "uri": "u", "name": "n", "mime": "image/png"}, {"kind": "file", "hex": "00ff"}],
    "messages": [{"role": "r", "json": "{}"}], "media": [[7]], "id": "i", "model": "m",
    "overrides": "o", "input_tokens": 4, "output_tokens": 5, "metadata": {"k": "v"}})"));
  for (const char* part : {"\"a\"", "\"u\"", "\"n\"", "image/png", "\"r\"", "\"{}\"", "\"i\"",
                           "\"m\"", "\"o\"", "tokens 4 5", "\"k\"=\"v\""})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(sample, has_the_shape_and_the_kind_of_a_number) {
  lent_memory memory;
  const ifb_sample& sample =
      *lend_sample(memory, R"({"shape": 99, "prompt": [{"kind": 77, "data": "x"}]})");
  EXPECT_EQ(sample.shape, 99U);
  EXPECT_EQ(sample.prompt.first->kind, 77U);
}

TEST(sample, to_be_filled_in_has_unknown_numbers) {
  lent_memory memory;
  const ifb_sample& sample = *room_for_sample(memory);
  EXPECT_EQ(sample.struct_size, sizeof sample);
  EXPECT_EQ(sample.arrival_ns, -1);
  EXPECT_EQ(sample.input_tokens, -1);
  EXPECT_EQ(sample.output_tokens, -1);
  EXPECT_EQ(sample.shape, 0U);
}

TEST(sample, of_unknown_words_is_an_error) {
  lent_memory memory;
  for (const char* json :
       {"[]", "{}", R"({"shape": "song"})", R"({"shape": "parts", "prompt": [{"kind": "smell"}]})",
        R"({"shape": "parts", "prompt": [{"kind": "file", "hex": "zz"}]})"})
    EXPECT_THROW(static_cast<void>(lend_sample(memory, json)), base::error) << json;
}

}  // namespace
}  // namespace inferbench::check
