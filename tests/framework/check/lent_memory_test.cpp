#include "check/lent_memory.hpp"

#include <array>
#include <cstring>

#include <gtest/gtest.h>
#include <unistd.h>

namespace inferbench::check {
namespace {

// Whether the memory at `at` is readable. The kernel reads it, so a bad address does not end the
// process.
bool readable(const void* at) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const bool out = ::write(ends[1], at, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return out;
}

TEST(lent_memory, memory_on_pages_ends_where_the_object_ends) {
  lent_memory memory({.pages = true});
  const ifb_str text = memory.text("hello");
  EXPECT_TRUE(readable(text.data + 4));
  EXPECT_FALSE(readable(text.data + 5));
}

TEST(lent_memory, returned_memory_cannot_be_read) {
  lent_memory memory({.pages = true});
  const ifb_str text = memory.text("hello");
  memory.give_back();
  EXPECT_FALSE(readable(text.data));
  const ifb_str other = memory.text("hello");
  EXPECT_NE(other.data, text.data) << "another object in its place would hide a use of it";
}

TEST(lent_memory, memory_that_is_not_on_pages_stays) {
  lent_memory memory;
  const ifb_str text = memory.text("hello");
  memory.give_back();
  EXPECT_EQ(std::string_view(text.data, text.size), "hello");
}

TEST(lent_memory, memory_is_zeroed_and_aligned) {
  for (const bool pages : {false, true}) {
    lent_memory memory({.pages = pages});
    for (const std::size_t size : {1U, 16U, 4095U, 4096U, 4097U, 100'000U}) {
      const auto* const at = static_cast<const char*>(memory.take(size));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 16, 0U);
      EXPECT_EQ(at[0] | at[size - 1], 0);
    }
  }
}

TEST(lent_memory, a_tail_lengthens_growing_structs_and_their_arrays) {
  lent_memory memory({.tail = 64, .filling = 0xA5});
  ifb_part part{};
  part.kind = IFB_PART_TEXT;
  const std::array parts = {part, part};
  const ifb_part* const lent = memory.put_array(std::span<const ifb_part>(parts));
  EXPECT_EQ(lent->struct_size, sizeof(ifb_part) + 64);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(lent);
  EXPECT_EQ(bytes[sizeof(ifb_part)], 0xA5);
  ifb_part second;
  std::memcpy(&second, bytes + memory.stride<ifb_part>(), sizeof second);
  EXPECT_EQ(second.kind, std::uint32_t{IFB_PART_TEXT});
  const auto* const room = memory.room<ifb_sample>();
  EXPECT_EQ(room->struct_size, sizeof(ifb_sample) + 64);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(room)[sizeof(ifb_sample)], 0);
}

TEST(lent_memory, nothing_is_lent_as_nothing) {
  lent_memory memory({.pages = true});
  EXPECT_EQ(memory.text({}).data, nullptr);
  EXPECT_EQ(memory.name(nullptr), nullptr);
  EXPECT_EQ(memory.put_array(std::span<const ifb_part>{}), nullptr);
}

}  // namespace
}  // namespace inferbench::check
