#include "options/environment.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace inferbench::options {
namespace {

TEST(environment, that_of_the_process_has_its_variables_and_random_bits) {
  const environment env = environment::of_process();
  ASSERT_NE(env.find("PATH"), nullptr);
  EXPECT_EQ(*env.find("PATH"), std::getenv("PATH"));
  EXPECT_EQ(env.find("INFERBENCH_NO_SUCH_VARIABLE"), nullptr);
  std::uint32_t either = 0;
  for (int i = 0; i < 8; ++i)
    either |= env.random();
  EXPECT_NE(either, 0U);
}

TEST(environment, only_a_leading_tilde_of_its_own_is_the_home) {
  environment env;
  EXPECT_EQ(env.expand("~/a"), "~/a");
  env.variables["HOME"] = "/home/me";
  EXPECT_EQ(env.expand("~"), "/home/me");
  EXPECT_EQ(env.expand("~/a"), "/home/me/a");
  EXPECT_EQ(env.expand("~you/a"), "~you/a");
  EXPECT_EQ(env.expand("a/~"), "a/~");
  EXPECT_EQ(env.expand(""), "");
}

}  // namespace
}  // namespace inferbench::options
