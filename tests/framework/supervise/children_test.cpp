#include "supervise/children.hpp"

#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/text.hpp"

namespace inferbench::supervise {
namespace {

TEST(parse_process, reads_a_line_of_proc) {
  const process_entry found = parse_process("123 (a) b (c)) S 45 123 123 0 -1 4194560");
  EXPECT_EQ(found.id, 123);
  EXPECT_EQ(found.name, "a) b (c)");
  EXPECT_EQ(found.state, 'S');
  EXPECT_EQ(found.parent, 45);
}

TEST(parse_process, reads_the_line_of_this_process) {
  const process_entry found = parse_process(base::read_file("/proc/self/stat"));
  EXPECT_EQ(found.id, ::getpid());
  EXPECT_EQ(found.parent, ::getppid());
}

TEST(parse_process, refuses_other_texts) {
  for (const char* text : {"", "123", "123 (a", "123 (a)", "123 (a) S", ") S 1 (", "123 )( S 4 5"})
    EXPECT_EQ(parse_process(text).id, 0) << text;
}

}  // namespace
}  // namespace inferbench::supervise
