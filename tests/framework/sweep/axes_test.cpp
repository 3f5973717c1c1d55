#include "sweep/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"
#include "framework/sweep/items.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

options::node table_of_axes(const std::string& toml) {
  return options::parse_toml(toml, "base.toml", options::test_environment());
}

/// The combinations of a table with the keys `axes` and `zip`, as text.
std::vector<std::string> combined(const std::string& toml, bool keyed = true) {
  const options::node table = table_of_axes(toml);
  axis_product axes("sweep", keyed);
  axes.add_axes(table.find("axes"));
  axes.add_zips(table.find("zip"));
  std::vector<std::string> out;
  for (const item& each : axes.items())
    out.push_back(each.name() == each.text("-") ? each.text() : each.name() + ": " + each.text());
  return out;
}

std::string axis_complaint(const std::string& toml, bool keyed = true) {
  return complaint_of([&] { return combined(toml, keyed); });
}

TEST(axes, are_multiplied_with_the_first_outermost) {
  EXPECT_THAT(combined("[axes]\n\"load.max-concurrency\" = [1, 2]\nload.request-rate = [3, 4.5]\n"),
              ElementsAre("load.max-concurrency=1, load.request-rate=3",
                          "load.max-concurrency=1, load.request-rate=4.5",
                          "load.max-concurrency=2, load.request-rate=3",
                          "load.max-concurrency=2, load.request-rate=4.5"));
}

TEST(axes, may_be_quoted_dotted_or_nested_names) {
  EXPECT_THAT(combined("[axes]\n\"a.b\" = [1]\na.c = [2]\n[axes.a.d]\ne = [3]\n"),
              ElementsAre("a.b=1, a.c=2, a.d.e=3"));
}

TEST(axes, of_zips_vary_together_and_come_after_the_others) {
  EXPECT_THAT(combined("[axes]\na.x = [1, 2]\n[[zip]]\na.y = [3, 4]\na.z = ['p', 'q']\n"),
              ElementsAre("a.x=1, a.y=3, a.z=p", "a.x=1, a.y=4, a.z=q", "a.x=2, a.y=3, a.z=p",
                          "a.x=2, a.y=4, a.z=q"));
}

TEST(axes, of_zips_may_name_the_combinations) {
  EXPECT_THAT(combined("[[zip]]\n_benchmark_name = ['small', 'large']\na.x = [1, 100]\n"),
              ElementsAre("small: a.x=1", "large: a.x=100"));
}

TEST(axes, with_names_keep_the_combinations_apart) {
  EXPECT_THAT(combined("[axes]\na.x = [1, 2]\n[[zip]]\n_benchmark_name = ['s', 't']\na.y = [3, 4]\n"
                       "[[zip]]\n_benchmark_name = ['u']\na.z = [5]\n"),
              ElementsAre("a.x=1-s-u: a.x=1, a.y=3, a.z=5", "a.x=1-t-u: a.x=1, a.y=4, a.z=5",
                          "a.x=2-s-u: a.x=2, a.y=3, a.z=5", "a.x=2-t-u: a.x=2, a.y=4, a.z=5"));
}

TEST(axes, without_any_make_one_empty_combination) {
  EXPECT_THAT(combined(""), ElementsAre(""));
  EXPECT_TRUE(axis_product("sweep", true).empty());
}

TEST(axes, keep_the_types_of_values) {
  EXPECT_THAT(combined("[axes]\na.x = [true, 'true', 1.0, 1, [1, 2]]\n"),
              ElementsAre("a.x=True", "a.x=true", "a.x=1.0", "a.x=1", "a.x=[1, 2]"));
}

TEST(axes, have_texts_for_numbers_that_json_does_not_have) {
  const options::node table = table_of_axes("[axes]\nload.request-rate = [1, inf, [nan, -inf]]\n");
  axis_product axes("sweep", true);
  axes.add_axes(table.find("axes"));
  const std::vector<item> found = axes.items();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(options::to_json(found[1].table()), R"({"load.request-rate": "inf"})");
  EXPECT_EQ(options::to_json(found[2].table()), R"({"load.request-rate": ["nan", "-inf"]})");
}

TEST(axes, of_a_server_need_no_table) {
  EXPECT_THAT(combined("[axes]\nmax_num_seqs = [1, 2]\n", false),
              ElementsAre("max_num_seqs=1", "max_num_seqs=2"));
  EXPECT_EQ(axis_complaint("[axes]\nconcurrency = [1]\n"),
            "base.toml:2:15: concurrency is not the path of a key; write TABLE.concurrency "
            "with the name of its table");
  EXPECT_THAT(axis_complaint("[axes]\n\"load.\" = [1]\n"), HasSubstr("not the path of a key"));
  EXPECT_THAT(axis_complaint("[axes]\n\".rate\" = [1]\n"), HasSubstr("not the path of a key"));
  EXPECT_THAT(axis_complaint("[axes]\n\"\" = [1]\n"), HasSubstr("not the path of a key"));
}

TEST(axes, whose_product_is_far_too_large_are_refused_before_it_is_made) {
  std::string values;
  for (int i = 0; i < 1000; ++i)
    values += std::to_string(i) + ",";
  std::string toml = "[axes]\n";
  for (int i = 0; i < 40; ++i)
    toml += "a.k" + std::to_string(i) + " = [" + values + "]\n";
  EXPECT_THAT(axis_complaint(toml), HasSubstr("sweep has more than 100000 combinations"));
}

TEST(axes, know_the_place_of_each_combination) {
  const options::node table = table_of_axes("[axes]\na.x = [1]\n[[zip]]\na.y = [\n  5,\n  6]\n");
  axis_product axes("sweep", true);
  axes.add_axes(table.find("axes"));
  axes.add_zips(table.find("zip"));
  EXPECT_EQ(axes.items()[1].table().where.text(), "base.toml:6:3");
}

TEST(flat_table, has_the_full_names_of_nested_tables) {
  EXPECT_EQ(flat(table_of_axes("\"x.y\" = 2\n[load]\na = [1]\nb = { c = 'd' }\n")).text(),
            "x.y=2, load.a=[1], load.b.c=d");
  EXPECT_TRUE(flat(table_of_axes("[load]\n")).empty());
}

TEST(flat_table, refuses_a_name_that_is_there_twice) {
  EXPECT_EQ(complaint_of([] { return flat(table_of_axes("\"load.a\" = [1]\n[load]\na = [2]\n")); }),
            "base.toml:3:5: load.a is there twice; leave one of them out");
}

}  // namespace
}  // namespace inferbench::sweep
