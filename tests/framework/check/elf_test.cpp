#include "check/elf.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

std::string wrong(const std::string& name) { return WRONG_PLUGINS "/" + name + ".so"; }

TEST(elf, the_exports_and_needs_of_a_library_are_read) {
  const elf_file file = read_elf(wrong("backend_nothing"));
  EXPECT_THAT(file.exported, Contains(Field(&elf_file::symbol::name, IFB_ENTRY_NAME)));
  EXPECT_THAT(file.needed, Contains("libc.so.6"));
  EXPECT_FALSE(file.executable_stack);
  EXPECT_FALSE(file.text_relocations);
}

TEST(elf, a_unique_symbol_is_recognised) {
  const auto all = read_elf(wrong("library_exports-unique")).exported;
  const auto at = std::ranges::find(all, "shared_by_all", &elf_file::symbol::name);
  ASSERT_NE(at, all.end());
  EXPECT_TRUE(at->unique);
}

TEST(elf, an_executable_stack_is_seen) {
  EXPECT_TRUE(read_elf(wrong("library_exec-stack")).executable_stack);
}

TEST(elf, a_statically_linked_cxx_standard_library_is_recognised) {
  EXPECT_FALSE(read_elf(wrong("backend_nothing")).cxx_library);
  EXPECT_FALSE(read_elf(wrong("runtime_nothing")).cxx_library);
#if defined(WITHOUT_SANITIZER)
  EXPECT_TRUE(read_elf(wrong("runtime_two")).cxx_library);
#endif
}

TEST(elf, a_file_that_is_not_a_library_is_refused) {
  const support::temporary_folder folder;
  for (const std::string text : {"", "no ELF", "\177ELF", "\177ELF\1\1\1"}) {
    const std::string file =
        folder.write("x.so", text + std::string(text.size() > 6 ? 200 : 0, 'x'));
    EXPECT_THROW(static_cast<void>(read_elf(file)), base::error) << text;
  }
}

// A file that is cut off or has changed bytes in its tables gives a result or an error.
TEST(elf, a_damaged_library_is_read_or_refused) {
  const support::temporary_folder folder;
  const std::string whole = base::read_file(wrong("backend_nothing"));
  Elf64_Ehdr head;
  ASSERT_GE(whole.size(), sizeof head);
  std::copy_n(whole.data(), sizeof head, reinterpret_cast<char*>(&head));
  std::size_t refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    const std::string file = folder.write("x.so", bytes);
    try {
      static_cast<void>(read_elf(file));
    } catch (const base::error& e) {
      ++refused;
      EXPECT_THAT(e.what(), HasSubstr("x.so"));
    }
  };
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 97 + 1)
    attempt(whole.substr(0, size));
  EXPECT_GT(refused, 50U);
  const std::size_t sections = head.e_shoff;
  for (std::size_t at = sections; at < whole.size(); at += 3) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(0xFF);
    attempt(bytes);
  }
}

}  // namespace
}  // namespace inferbench::check
