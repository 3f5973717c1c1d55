// Which libraries llama-cpp accepts.
#include <array>
#include <cstring>

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include "engine_host.hpp"
#include "engines/llama-cpp/library.hpp"
#include "engines/llama-cpp/soname.hpp"
#include "llama_files.hpp"

namespace llama_cpp {
namespace {

using engine_test::failure_of;
using engine_test::message_of;
using llama_test::file_folder;
using testing::AllOf;
using testing::HasSubstr;

template <typename structure>
void append(std::string& to, const structure& from) {
  to.append(reinterpret_cast<const char*>(&from), sizeof from);
}

/// The smallest ELF library that has a SONAME: header, two segments, dynamic section, texts.
std::string minimal_library(const std::string& soname) {
  constexpr std::size_t start_of_dynamic = sizeof(ElfW(Ehdr)) + 2 * sizeof(ElfW(Phdr));
  constexpr std::size_t start_of_texts = start_of_dynamic + 3 * sizeof(ElfW(Dyn));
  const std::size_t size = start_of_texts + 1 + soname.size() + 1;
  ElfW(Ehdr) header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(ElfW(Phdr));
  header.e_phnum = 2;
  ElfW(Phdr) load{};
  load.p_type = PT_LOAD;
  load.p_vaddr = 0x1000;
  load.p_filesz = load.p_memsz = size;
  ElfW(Phdr) dynamic{};
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = start_of_dynamic;
  dynamic.p_filesz = 3 * sizeof(ElfW(Dyn));
  ElfW(Dyn) texts{};
  texts.d_tag = DT_STRTAB;
  texts.d_un.d_ptr = 0x1000 + start_of_texts;
  ElfW(Dyn) name{};
  name.d_tag = DT_SONAME;
  name.d_un.d_val = 1;
  std::string out;
  append(out, header);
  append(out, load);
  append(out, dynamic);
  append(out, name);
  append(out, texts);
  append(out, ElfW(Dyn){});
  out += '\0';
  out += soname;
  out += '\0';
  return out;
}

TEST(llama_sonames, are_read_from_the_file) {
  const file_folder files;
  EXPECT_EQ(soname_of(files.write("a.so", minimal_library("liba.so.7"))), "liba.so.7");
  EXPECT_EQ(soname_of(LLAMA_LIBRARY), built_soname());
}

TEST(llama_sonames, are_empty_for_a_library_without_one) {
  const file_folder files;
  std::string library = minimal_library("liba.so.7");
  const ElfW(Sxword) other = DT_DEBUG;
  std::memcpy(library.data() + sizeof(ElfW(Ehdr)) + 2 * sizeof(ElfW(Phdr)), &other, sizeof other);
  EXPECT_EQ(soname_of(files.write("a.so", library)), "");
}

TEST(llama_sonames, need_a_shared_library_of_this_machine) {
  const file_folder files;
  const auto why = [&](const std::string& content) {
    return message_of([&] { static_cast<void>(soname_of(files.write("x.so", content))); });
  };
  EXPECT_THAT(why("#include <llama.h>\n"), HasSubstr("x.so: is no ELF library"));
  EXPECT_THAT(why(""), HasSubstr("is no ELF library"));
  EXPECT_THAT(why(std::string(500, '\0')), HasSubstr("is no ELF library"));
  std::string other = minimal_library("liba.so.7");
  other[EI_DATA] = ELFDATA2MSB;
  EXPECT_THAT(why(other), HasSubstr("another kind of machine"));
  other = minimal_library("liba.so.7");
  other[offsetof(ElfW(Ehdr), e_type)] = ET_EXEC;
  EXPECT_THAT(why(other), HasSubstr("is no shared ELF library"));
  EXPECT_THAT(message_of([&] { static_cast<void>(soname_of(files / "none")); }),
              HasSubstr("none: cannot be read"));
  EXPECT_THAT(message_of([&] { static_cast<void>(soname_of(files / "")); }),
              HasSubstr("cannot be read"));
}

TEST(llama_sonames, of_files_that_are_cut_off_are_refused) {
  const file_folder files;
  const std::string whole = minimal_library("liba.so.7");
  for (std::size_t size = 0; size + 11 < whole.size(); ++size)
    EXPECT_EQ(failure_of([&] {
                static_cast<void>(soname_of(files.write("x.so", whole.substr(0, size))));
              }).code(),
              IFB_E_CONFIG)
        << size;
}

TEST(llama_sonames, of_damaged_files_are_a_text_or_a_failure) {
  const file_folder files;
  const std::string whole = minimal_library("liba.so.7");
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char value : {'\x00', '\x7F', '\xFF'}) {
      std::string damaged = whole;
      damaged[i] = value;
      const std::string file = files.write("x.so", damaged);
      const ifb_status code = failure_of([&] { static_cast<void>(soname_of(file)); }).code();
      EXPECT_TRUE(code == IFB_OK || code == IFB_E_CONFIG) << i;
    }
}

TEST(llama_libraries, with_another_soname_are_refused_by_one_line_with_both) {
  const file_folder files;
  const std::string file = files.write("libllama.so", minimal_library("libllama.so.99"));
  const ifb::failure refused = failure_of([&] { static_cast<void>(load_library(file)); });
  EXPECT_EQ(refused.code(), IFB_E_CONFIG);
  EXPECT_EQ(refused.option(), "library");
  EXPECT_EQ(refused.message(),
            file + " is libllama.so.99, and the plugin was built for " + built_soname());
}

TEST(llama_libraries, that_cannot_be_loaded_are_refused_with_the_reason) {
  const file_folder files;
  const std::string file = files.write("libllama.so", minimal_library(built_soname()));
  const ifb::failure refused = failure_of([&] { static_cast<void>(load_library(file)); });
  EXPECT_EQ(refused.code(), IFB_E_CONFIG);
  EXPECT_THAT(refused.message(), AllOf(HasSubstr("libllama cannot be loaded"), HasSubstr(file)));
}

TEST(llama_libraries, have_all_functions_and_a_version) {
  const loaded_library library = load_library(LLAMA_LIBRARY);
  EXPECT_NE(library.api.llama_decode, nullptr);
  EXPECT_NE(library.version, "");
  EXPECT_THAT(library.file, HasSubstr("llama"));
  start_library(library);
  EXPECT_GT(library.api.ggml_backend_dev_count(), 0U);
}

/// Fills in the first `size` bytes of a struct, as another release of a library would.
template <std::size_t size>
void* fill_in(void* room) {
  return std::memset(room, 0, size);
}

TEST(llama_layouts, must_have_the_size_of_the_header) {
  EXPECT_EQ(message_of([] { check_layout("p", &fill_in<160>, 160, 8); }), "there was no failure");
  EXPECT_EQ(message_of([] { check_layout("p", &fill_in<154>, 160, 8); }), "there was no failure");
  const ifb::failure larger = failure_of([] { check_layout("p", &fill_in<168>, 160, 8); });
  EXPECT_EQ(larger.code(), IFB_E_CONFIG);
  EXPECT_EQ(
      larger.message(),
      "the library's p has 168 bytes, and that of the llama.h found at build 160: they are of "
      "different releases");
  EXPECT_THAT(message_of([] { check_layout("p", &fill_in<152>, 160, 8); }),
              HasSubstr("has 152 bytes"));
}

}  // namespace
}  // namespace llama_cpp
