#include "limit/verdict.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace inferbench::limit {
namespace {

TEST(the_names_of_verdicts, are_the_words_of_the_result) {
  EXPECT_EQ(name_of(verdict::passed), "passed");
  EXPECT_EQ(name_of(verdict::failed), "failed");
  EXPECT_EQ(name_of(verdict::undecided), "undecided");
}

TEST(the_names_of_endings, differ) {
  std::set<std::string_view> names;
  for (const ending each :
       {ending::open, ending::proved, ending::estimated, ending::dependence, ending::requests,
        ending::time, ending::stopped, ending::data, ending::client, ending::server})
    names.insert(name_of(each));
  EXPECT_EQ(names.size(), 10U);
}

}  // namespace
}  // namespace inferbench::limit
