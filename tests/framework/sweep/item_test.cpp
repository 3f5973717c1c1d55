#include "sweep/item.hpp"

#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::sweep {
namespace {

TEST(item, the_text_has_the_keys_in_the_order_of_the_file) {
  const item given = made_item(R"({"b": 1, "a": 0.7, "c_d": true, "e-f": "x y"})");
  EXPECT_EQ(given.text(), "b=1, a=0.7, c_d=True, e-f=x y");
  EXPECT_EQ(given.text("-"), "b=1-a=0.7-c_d=True-e-f=x y");
}

TEST(item, the_name_is_the_benchmark_name_which_is_no_part_of_the_text) {
  const item given = made_item(R"({"a": 1, "_benchmark_name": "big", "b": 2})");
  EXPECT_EQ(given.name(), "big");
  EXPECT_EQ(given.text(), "a=1, b=2");
}

TEST(item, without_a_benchmark_name_the_name_is_the_text_joined_by_dashes) {
  EXPECT_EQ(made_item(R"({"max_num_seqs": 32, "max_num_batched_tokens": 1024})").name(),
            "max_num_seqs=32-max_num_batched_tokens=1024");
}

TEST(item, a_name_of_another_type_becomes_text) {
  EXPECT_EQ(made_item(R"({"_benchmark_name": 1})").name(), "1");
  EXPECT_EQ(made_item(R"({"_benchmark_name": true})").name(), "True");
  EXPECT_EQ(made_item(R"({"_benchmark_name": null})").name(), "None");
  EXPECT_EQ(made_item(R"({"_benchmark_name": ""})").name(), "");
}

TEST(item, an_item_with_nothing_but_a_name_is_not_empty) {
  EXPECT_TRUE(item().empty());
  EXPECT_TRUE(made_item("{}").empty());
  EXPECT_EQ(made_item("{}").text(), "");
  EXPECT_FALSE(made_item(R"({"_benchmark_name": "x"})").empty());
  EXPECT_EQ(made_item(R"({"_benchmark_name": "x"})").text(), "");
}

TEST(item, a_parameter_is_found_in_both_spellings) {
  const item low = made_item(R"({"request_rate": 1})");
  EXPECT_TRUE(low.has("request_rate"));
  EXPECT_TRUE(low.has("request-rate"));
  const item high = made_item(R"({"request-rate": 1})");
  EXPECT_TRUE(high.has("request_rate"));
  EXPECT_TRUE(high.has("request-rate"));
  EXPECT_FALSE(low.has("request.rate"));
  EXPECT_FALSE(low.has("request"));
}

TEST(item, a_key_with_mixed_spelling_is_found_by_that_spelling_only) {
  const item mixed = made_item(R"({"max_model-len": 1})");
  EXPECT_TRUE(mixed.has("max_model-len"));
  EXPECT_FALSE(mixed.has("max_model_len"));
  EXPECT_FALSE(mixed.has("max-model-len"));
}

TEST(item, merging_keeps_the_order_of_the_lower_item_and_the_values_of_the_upper_item) {
  const item out =
      merged(made_item(R"({"a": 1, "b": 2})"), made_item(R"({"c": 3, "a": {"x": 4}})"));
  EXPECT_EQ(pytext::python_repr(out.table()), "{'a': {'x': 4}, 'b': 2, 'c': 3}");
}

TEST(item, a_merge_of_objects_replaces_them_as_a_whole) {
  const item out = merged(made_item(R"({"a": {"x": 1, "y": 2}})"), made_item(R"({"a": {"x": 3}})"));
  EXPECT_EQ(out.text(), "a={'x': 3}");
}

TEST(item, a_changed_value_stays_in_its_place_and_the_original_stays_as_it_is) {
  const item given = made_item(R"({"a": 1, "b": 2})");
  EXPECT_EQ(given.with("a", options::node::of(std::int64_t{5})).text(), "a=5, b=2");
  EXPECT_EQ(given.with("c", options::node::of(std::int64_t{5})).text(), "a=1, b=2, c=5");
  EXPECT_EQ(given.text(), "a=1, b=2");
}

}  // namespace
}  // namespace inferbench::sweep
