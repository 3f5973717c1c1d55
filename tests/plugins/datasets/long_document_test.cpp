#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/tokenizers.hpp"
#include "plugins/datasets/word_tokenizer.hpp"

namespace {

using support::dataset_box;
using support::settings;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// The prompts of documents of three words.
std::vector<std::string> documents(settings given, std::uint32_t flags = 0) {
  given.insert({"length", 3});
  dataset_box box("long-document");
  EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  ifb_dataset_request request{};
  request.struct_size = sizeof request;
  request.flags = flags;
  box.info.struct_size = sizeof box.info;
  EXPECT_EQ(box.operations().prepare(box.get(), &request, &box.info, &box.error), IFB_OK)
      << box.message();
  std::vector<std::string> out;
  for (std::int64_t i = 0; i < box.info.rows; ++i) {
    EXPECT_EQ(box.read(static_cast<std::uint64_t>(i)), IFB_OK) << box.message();
    out.push_back(box.prompt());
  }
  EXPECT_EQ(box.read(static_cast<std::uint64_t>(box.info.rows)), IFB_END);
  return out;
}

TEST(long_documents, begin_with_their_number_and_repeat_a_word) {
  EXPECT_THAT(documents({{"count", 2}, {"repeat-count", 1}, {"repeat-mode", "tile"}}),
              ElementsAre("0hi hi hi", "1hi hi hi"));
  EXPECT_THAT(documents({{"count", 1}, {"repeat-count", 1}, {"length", 1}}), ElementsAre("0hi"));
}

TEST(long_documents, are_repeated_in_the_order_of_the_mode) {
  const settings three_twice{{"count", 3}, {"repeat-count", 2}};
  const auto order_of = [&](const char* mode) {
    settings given = three_twice;
    given["repeat-mode"] = mode;
    std::string out;
    for (const std::string& each : documents(given))
      out += each.front();
    return out;
  };
  EXPECT_EQ(order_of("tile"), "012012");
  EXPECT_EQ(order_of("interleave"), "001122");
  // python3: x = list(range(3)) * 2; random.seed(0); random.shuffle(x)
  EXPECT_EQ(order_of("random"), "121020");
}

// python3: x = list(range(8)) * 2; random.seed(42); random.shuffle(x)
TEST(long_documents, are_shuffled_like_a_list_of_python) {
  std::string order;
  for (const std::string& each :
       documents({{"count", 8}, {"repeat-count", 2}, {"shuffle-seed", 42}}))
    order += each.front();
  EXPECT_EQ(order, "7156624012574303");
}

TEST(long_documents, keep_their_order_if_the_user_wants_no_shuffling) {
  EXPECT_EQ(documents({{"count", 3}, {"repeat-count", 2}}, IFB_DATASET_IN_ORDER),
            documents({{"count", 3}, {"repeat-count", 2}, {"repeat-mode", "tile"}}));
}

TEST(long_documents, of_the_warm_up_come_once_and_have_no_common_beginning_with_the_others) {
  const auto found = documents({{"count", 3}, {"repeat-count", 5}, {"warm-up", 1}});
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found, Each(AllOf(EndsWith("hi hi hi"), Not(StartsWith("0")), Not(StartsWith("1")),
                                Not(StartsWith("2")))));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_THAT(found[i], HasSubstr(" " + std::to_string(i) + "hi"));
}

TEST(long_documents, are_counted_only_if_there_is_a_tokenizer) {
  for (const bool counted : {false, true}) {
    dataset_box box("long-document");
    if (counted) box.host.services[IFB_SERVICE_TOKENIZER] = &support::word_tokenizer;
    ASSERT_EQ(box.create({{"length", 20}, {"output-len", 7}}), IFB_OK);
    ASSERT_EQ(box.prepare(0), IFB_OK);
    EXPECT_EQ(box.info.rows, 16);
    EXPECT_EQ(box.info.flags & (IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE), 0U);
    for (int again = 0; again < 2; ++again) {
      ASSERT_EQ(box.read(3), IFB_OK);
      EXPECT_EQ(box.sample.input_tokens, counted ? 21 : -1);
      EXPECT_EQ(box.sample.output_tokens, 7);
    }
  }
}

TEST(long_documents, are_refused_if_there_are_too_many) {
  dataset_box box("long-document");
  ASSERT_EQ(box.create({{"count", 2000000}, {"repeat-count", 2000}}), IFB_OK);
  EXPECT_EQ(box.prepare(0), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("more than 2147483647 requests"));
}

}  // namespace
