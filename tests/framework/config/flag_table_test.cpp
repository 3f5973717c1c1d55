#include "config/flag_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;

options::option with_flag(std::string name, std::uint8_t commands = options::for_serve) {
  options::option out;
  out.table = "t";
  out.flag = std::move(name);
  out.commands = commands;
  return out;
}

TEST(flag_table, of_several_options_with_one_flag_the_first_decides) {
  flag_table table;
  table.add(with_flag("a"));
  options::option other = with_flag("a");
  other.takes = options::arity::none;
  table.add(other);
  table.add(options::option{});
  ASSERT_EQ(table.flags().size(), 1U);
  EXPECT_EQ(table.flags()[0].takes, options::arity::one);
  EXPECT_THAT(table.names(), ElementsAre("--a"));
}

TEST(flag_table, a_command_knows_its_own_flags_only) {
  flag_table table;
  options::option own = with_flag("help", 0);
  own.table.clear();
  table.add(std::vector{with_flag("a"), with_flag("b", options::for_run), own}, options::for_run);
  EXPECT_THAT(table.names(), ElementsAre("--b", "--help"));
  EXPECT_FALSE(table.contains("a"));
}

TEST(flag_table, knows_the_beginnings_of_names_as_they_are_written) {
  flag_table table;
  table.add(with_flag("extra-body"));
  EXPECT_TRUE(table.begins("--extra_b.a.b"));
  EXPECT_TRUE(table.begins("--extra-body"));
  EXPECT_FALSE(table.begins("--extra-body-x"));
  EXPECT_FALSE(table.begins("--"));
  EXPECT_FALSE(table.begins("-"));
  EXPECT_FALSE(table.begins("--.a"));
}

TEST(flag_table, installed_plugins_add_options_with_their_own_flags) {
  fake_catalog plugins;
  flag_table known;
  known.add(with_flag("json-indent"));
  std::vector<std::string> flags;
  for (const options::option& o : listed_options(plugins, known))
    flags.push_back(o.flag);
  EXPECT_THAT(flags, testing::Contains("random-input-len"));
  EXPECT_THAT(flags, testing::Not(testing::Contains("json-indent")));
  EXPECT_THAT(flags, testing::Not(testing::Contains("")));
}

}  // namespace
}  // namespace inferbench::config
