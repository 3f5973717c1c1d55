#include "perf/tool.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::perf {
namespace {

std::optional<std::string> shell(const std::string& line) { return output_of({"sh", "-c", line}); }

TEST(a_tool, gives_its_standard_output) {
  EXPECT_EQ(shell("echo a; echo b >&2; cat; echo c"), "a\nc\n");
}

TEST(a_tool, that_is_not_there_or_fails_gives_nothing) {
  EXPECT_EQ(output_of({"inferbench-there-is-no-such-tool"}), std::nullopt);
  EXPECT_EQ(shell("echo a; exit 3"), std::nullopt);
  EXPECT_EQ(shell("kill -9 $$"), std::nullopt);
}

TEST(a_tool, that_writes_too_much_gives_nothing) {
  EXPECT_EQ(shell("head -c 2000000 /dev/zero"), std::nullopt);
}

TEST(a_tool, that_does_not_end_is_killed) {
  EXPECT_EQ(output_within({"sleep", "100000"}, std::chrono::milliseconds(20)), std::nullopt);
}

}  // namespace
}  // namespace inferbench::perf
