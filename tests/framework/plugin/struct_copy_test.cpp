#include "plugin/struct_copy.hpp"

#include <cstddef>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/abi.h>

namespace inferbench::plugin {
namespace {

ifb_part full_part() {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TEXT;
  out.data = {"text", 4};
  out.name = {"name", 4};
  return out;
}

TEST(struct_copy, of_a_struct_of_this_build_is_equal_to_it) {
  const ifb_part from = full_part();
  const ifb_part copy = struct_copy(from);
  EXPECT_EQ(std::memcmp(&copy, &from, sizeof from), 0);
}

TEST(struct_copy, of_a_shorter_struct_reads_nothing_beyond_it) {
  ifb_part from = full_part();
  from.struct_size = offsetof(ifb_part, name);
  // A sanitizer reports a read behind the end of this memory.
  std::vector<std::byte> memory(from.struct_size);
  std::memcpy(memory.data(), &from, memory.size());
  const ifb_part copy = struct_copy(*reinterpret_cast<const ifb_part*>(memory.data()));
  EXPECT_EQ(copy.data.size, 4U);
  EXPECT_EQ(copy.name.size, 0U);
  EXPECT_EQ(copy.struct_size, offsetof(ifb_part, name));
}

TEST(struct_copy, of_a_longer_struct_has_the_members_of_this_build) {
  ifb_part from = full_part();
  from.struct_size = sizeof from + 64;
  const ifb_part copy = struct_copy(from);
  EXPECT_EQ(copy.name.size, 4U);
  EXPECT_EQ(copy.struct_size, sizeof copy);
}

}  // namespace
}  // namespace inferbench::plugin
